"""Calling blueprint functions: ``vbp ACTOR FUNCTION arguments`` answers a JSON object of strings at once."""

import json

from storefront.commands import ARGUMENT_INVALID, OK, CommandError, CommandTable, Reply
from storefront.commands_humanoid import FUNCTIONS, Outputs
from storefront.shopper import Shopper

MANAGER = "gen_bp_uemanager"
"""SimWorld's manager, of whom its client asks where everybody is; it is always there."""
MOST_ARGUMENTS = 9

table = CommandTable()


def outputs(values: Outputs) -> str:
    """Out-parameters as the plugin prints them: every value a JSON string."""
    if not values:
        return "{\n}"
    return (
        "{\n"
        + ",\n".join(
            f"\t{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()
        )
        + "\n}"
    )


def _information(shopper: Shopper) -> Outputs:
    """Poses of all bodies, in the one string per kind that SimWorld's client takes apart."""
    told = dict.fromkeys((f"{kind}{what}" for kind in "VPAS" for what in ("Locations", "Rotations")), "")
    for body in shopper.bodies.values():
        kind = "P" if "pedestrian" in body.name.casefold() else "A"
        x, y, z = body.x * 100, body.y * 100, body.capsule_z * 100
        told[f"{kind}Locations"] += f"{body.name}X={x:.3f} Y={y:.3f} Z={z:.3f}"
        told[f"{kind}Rotations"] += f"{body.name}P={body.pitch:.3f} Y={body.yaw:.3f} R={body.roll:.3f}"
    return {**told, "LStates": ""}


def _manage(shopper: Shopper, name: str) -> Outputs:
    known = name.casefold()
    if known == "getinformation":
        return _information(shopper)
    if known in ("updateobjects", "vsetstate", "psetstate"):
        return {}
    raise CommandError(ARGUMENT_INVALID)


def call(shopper: Shopper, actor: str, name: str, args: list[str]) -> Outputs:
    """Call a blueprint function. Raises: CommandError."""
    if actor.casefold() == MANAGER:
        return _manage(shopper, name)
    body = shopper.bodies.get(actor.casefold())
    if body is None:
        if shopper.objects.find(actor) is None and actor.casefold() not in shopper.store.groups:
            raise CommandError(f"Can not find actor with id '{actor}'")
        raise CommandError(ARGUMENT_INVALID)
    handler = FUNCTIONS.get(name.casefold())
    if handler is None:
        raise CommandError(ARGUMENT_INVALID)
    return handler(shopper, body, args)


def _vbp(shopper: Shopper, actor: str, name: str, *args: str) -> Reply:
    return outputs(call(shopper, actor, name, list(args)))


def _vexec(shopper: Shopper, actor: str, name: str, *args: str) -> Reply:
    try:
        call(shopper, actor, name, list(args))
    except CommandError as refused:
        if str(refused) != ARGUMENT_INVALID:
            raise
        raise CommandError(f"Fail to execute the function '{name}' of {actor}") from None
    return OK


for _count in range(MOST_ARGUMENTS + 1):
    table.add("vbp [str] [str]" + " [str]" * _count, "Blueprint function of an actor; answers its outputs")(
        _vbp
    )
for _count in range(6):
    table.add("vexec [str] [str]" + " [str]" * _count, "Function of an actor; answers ok")(_vexec)
