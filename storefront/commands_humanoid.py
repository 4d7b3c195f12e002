"""Blueprint functions of humanoids: SimWorld's own, and some that walk by metres and degrees.

Each gets the shopper, the body it is called on, and its arguments as words; it answers its out-parameters.
The motion it begins takes simulated time.
"""

import math
from collections.abc import Callable, Mapping

from storefront.commands import ARGUMENT_INVALID, CommandError
from storefront.commands_objects import Named
from storefront.shopper import Shopper
from storefront.shopper_body import Body
from storefront.shopper_things import Thing

LONGEST_TURN_S = 60.0
LONGEST_TURN_DEG = 3600.0
MOST_PLACES = 64

Outputs = Mapping[str, str]
Function = Callable[[Shopper, Body, list[str]], Outputs]
FUNCTIONS: dict[str, Function] = {}


def function(name: str) -> Callable[[Function], Function]:
    """Decorator: a blueprint function by its name; case does not matter."""

    def register(handler: Function) -> Function:
        FUNCTIONS[name.casefold()] = handler
        return handler

    return register


def _numbers(args: list[str], count: int, optional: int = 0) -> list[float]:
    if not count <= len(args) <= count + optional:
        raise CommandError(ARGUMENT_INVALID)
    try:
        values = [float(arg) for arg in args]
    except ValueError:
        raise CommandError(ARGUMENT_INVALID) from None
    if not all(math.isfinite(value) and abs(value) <= 1e7 for value in values):
        raise CommandError(ARGUMENT_INVALID)
    return values


def _turn(shopper: Shopper, body: Body, degrees: float, seconds: float | None) -> None:
    if abs(degrees) > LONGEST_TURN_DEG or not 0.0 <= (seconds or 0.0) <= LONGEST_TURN_S:
        raise CommandError(ARGUMENT_INVALID)
    body.turn(shopper.now, degrees, seconds)


def _success(done: bool) -> Outputs:
    return {"Success": str(done).lower()}


@function("MoveForward")
def move_forward(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """Walk on until StopAgent, or until nothing more is gained."""
    body.walk(shopper.now, math.inf, 0.0)
    return {}


@function("StepForward")
def step_forward(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``seconds [0 ahead | 1 back]``: walk for a time."""
    seconds, *rest = _numbers(args, 1, 1)
    if seconds < 0.0:
        raise CommandError(ARGUMENT_INVALID)
    body.walk(shopper.now, body.speed * seconds, 180.0 if rest and rest[0] == 1.0 else 0.0)
    return {}


@function("TurnAround")
def turn_around(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``seconds degrees clockwise``: the degrees carry the sign, right is positive."""
    seconds, degrees, *_ = _numbers(args, 2, 1)
    _turn(shopper, body, degrees, seconds)
    return {}


@function("Rotate_Angle")
def rotate_angle(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``seconds degrees 1|-1``: as pedestrians turn; the last number says which way."""
    seconds, degrees, way = _numbers(args, 3)
    _turn(shopper, body, math.copysign(abs(degrees), way), seconds)
    return {}


@function("Move_Speed")
def move_speed(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``cm/s seconds 0|1|2|3``: ahead, back, left or right for a time at a speed."""
    speed, seconds, way = _numbers(args, 3)
    offset = {0.0: 0.0, 1.0: 180.0, 2.0: -90.0, 3.0: 90.0}.get(way)
    if offset is None or seconds < 0.0:
        raise CommandError(ARGUMENT_INVALID)
    metres_s = abs(speed) / 100.0
    body.walk(shopper.now, metres_s * seconds, offset, speed=metres_s)
    return {}


@function("StopAgent")
def stop_agent(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """Stand still, here and now."""
    body.stop(shopper.now)
    return {}


FUNCTIONS["stoppedestrian"] = FUNCTIONS["stopaction"] = stop_agent


@function("SetMaxSpeed")
def set_max_speed(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``cm/s``: walk this fast from now on."""
    (speed,) = _numbers(args, 1)
    if not 0.0 <= speed <= 1e5:
        raise CommandError(ARGUMENT_INVALID)
    body.set_speed(shopper.now, speed / 100.0)
    return {}


@function("MoveBy")
def move_by(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``ahead right`` (cm): one straight walk relative to the gaze, sliding along what it meets."""
    ahead, right = _numbers(args, 2)
    body.walk(shopper.now, math.hypot(ahead, right) / 100.0, math.degrees(math.atan2(right, ahead)))
    return {}


@function("TurnBy")
def turn_by(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``degrees``: turn clockwise."""
    (degrees,) = _numbers(args, 1)
    _turn(shopper, body, degrees, None)
    return {}


@function("LookBy")
def look_by(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``degrees``: look up, or down when negative; no further than 89 degrees."""
    (degrees,) = _numbers(args, 1)
    body.look(shopper.now, degrees)
    return {}


@function("WalkTo")
def walk_to(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``x y [yaw]`` (cm, degrees): walk the shortest way; with a yaw, look ahead and end facing it."""
    x, y, *yaw = _numbers(args, 2, 1)
    return _success(body.walk_to(shopper.now, x / 100.0, y / 100.0, end_yaw=yaw[0] if yaw else None))


@function("IsMoving")
def is_moving(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """Whether anything is still going on, for how many simulated seconds, and the pose (cm, deg)."""
    return {
        "Moving": str(body.moving).lower(),
        "Left": f"{body.left_s(shopper.now):.3f}",
        "X": f"{body.x * 100:.3f}",
        "Y": f"{body.y * 100:.3f}",
        "Yaw": f"{body.yaw:.3f}",
        "Pitch": f"{body.pitch:.3f}",
    }


@function("Held")
def held(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """What is in hand."""
    return {"Object": "" if body.held is None else shopper.objects.get(body.held).name}


def _takeable(shopper: Shopper, body: Body, name: str) -> Thing | None:
    """The object to be taken by a name; of several instances the nearest one."""
    try:
        named = Named(shopper, name)
    except CommandError:
        return None
    taken = {other.held for other in shopper.bodies.values()}
    free = [t for t in named.things if t.movable and not t.hidden and t.index not in taken]
    if named.body is not None or not free:
        return None
    spots = {thing.index: shopper.objects.placement(thing).position for thing in free}
    return min(free, key=lambda t: math.dist(spots[t.index], body.eye))


@function("PickUp")
def pick_up(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``object``: take it in hand. Fails when the hand is full or there is nothing of that name to take.

    How far an arm reaches is the caller's rule, as with SimWorld's client.
    """
    if len(args) != 1:
        raise CommandError(ARGUMENT_INVALID)
    thing = None if body.held is not None else _takeable(shopper, body, args[0])
    if thing is not None:
        body.held = thing.index
        shopper.objects.put(thing)
    return _success(thing is not None)


@function("DropOff")
def drop_off(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """Put what is in hand back where it was taken. Fails when the hand is empty."""
    index, body.held = body.held, None
    if index is not None:
        shopper.objects.put(shopper.objects.get(index))
    return _success(index is not None)


@function("SitDown")
def sit_down(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """There are no seats to sit on."""
    return _success(False)


FUNCTIONS.update(dict.fromkeys(("standup", "entervehicle", "exitvehicle"), sit_down))


@function("SetPath")
def set_path(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """``x,y;x,y;...`` (cm): remember a way through these places."""
    if len(args) != 1:
        raise CommandError(ARGUMENT_INVALID)
    pairs = [pair.split(",") for pair in args[0].strip(";").split(";")]
    if not 1 <= len(pairs) <= MOST_PLACES or any(len(pair) != 2 for pair in pairs):
        raise CommandError(ARGUMENT_INVALID)
    flat = _numbers([number for pair in pairs for number in pair], 2 * len(pairs))
    body.planned = [(x / 100.0, y / 100.0) for x, y in zip(flat[::2], flat[1::2], strict=True)]
    return {}


@function("FollowPath")
def follow_path(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """Walk the remembered way, by the shortest path from each place to the next."""
    way = [(body.x, body.y)]
    for place in body.planned:
        leg = body.planner.path(way[-1], place)
        if leg is None:
            break
        way.extend(leg[1:] if len(way) > 1 else leg)
    if len(way) > 1:
        (x0, y0), (x1, y1) = way[-2], way[-1]
        body.follow_path(shopper.now, way, end_yaw=math.degrees(math.atan2(y1 - y0, x1 - x0)))
    return {}


@function("GetCollisionNum")
def collision_number(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    """How many walks ended at a solid; bodies pass one another, and there are no vehicles."""
    return {
        "HumanCollision": "0",
        "ObjectCollision": str(body.collisions),
        "BuildingCollision": "0",
        "VehicleCollision": "0",
    }


def _gesture(shopper: Shopper, body: Body, args: list[str]) -> Outputs:
    return {}


FUNCTIONS.update(
    dict.fromkeys(
        ("discussion", "arguing", "listening", "directing", "wave2dog", "enablecontroller"), _gesture
    )
)
