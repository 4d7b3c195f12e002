"""What a client asks of the server itself: status, version, help, echo; and the game's own switches."""

import math

from storefront.commands import ARGUMENT_INVALID, OK, CommandError, CommandTable, Reply
from storefront.shopper import Shopper

VERSION = "1.1.0"
"""The plugin version whose behaviour this is; from 2.0.0 on pip's client expects the closed UnrealCV+."""
PROJECT = "Storefront"

table = CommandTable()

VIEWMODES = frozenset(
    {
        "lit",
        "unlit",
        "depth",
        "normal",
        "object_mask",
        "optical_flow",
        "base_color",
        "debug",
        "wireframe",
        "vertex_color",
        "no_transparency",
    }
)
LONGEST_KEY_S = 40.0
_WALK_KEYS = {"w": 0.0, "s": 180.0, "a": -90.0, "d": 90.0, "up": 0.0, "down": 180.0}
_TURN_KEYS = {"left": -90.0, "right": 90.0, "q": -90.0, "e": 90.0}


@table.add("vget /unrealcv/status", "Port, frame and input settings")
def status(shopper: Shopper) -> Reply:
    """Eleven lines, as the plugin writes them."""
    port, camera = shopper.site.port, shopper.cameras[0]
    lines = [
        "Is Listening",
        "Client Connected",
        str(port),
        "Configuration",
        f"Config file: {shopper.site.captures.config_path}",
        f"Port: {port}",
        f"Width: {camera.width}",
        f"Height: {camera.height}",
        f"FOV: {camera.fov_deg:.1f}",
        f"EnableInput: {str(shopper.settings.enable_input).lower()}",
        "EnableRightEye: false",
    ]
    return "\n".join(lines)


@table.add("vget /unrealcv/version", "Version of the protocol's plugin")
def version(shopper: Shopper) -> Reply:
    """``1.1.0``."""
    return VERSION


@table.add("vget /unrealcv/echo [str]", "Answer with the argument, one word")
def echo(shopper: Shopper, word: str) -> Reply:
    """The argument."""
    return word


@table.add("vget /scene/name", "Project name")
def scene_name(shopper: Shopper) -> Reply:
    """The project's name."""
    return PROJECT


@table.add("vget /level/name", "Scene name")
def level_name(shopper: Shopper) -> Reply:
    """The scene's id."""
    return shopper.store.pack.info.id


@table.add("vget /viewmode", "View mode of the window")
def get_viewmode(shopper: Shopper) -> Reply:
    """The mode last set."""
    return shopper.settings.viewmode


@table.add("vset /viewmode [str]", "Set the view mode of the window; captures are not changed by it")
def set_viewmode(shopper: Shopper, mode: str) -> Reply:
    """Remember a mode."""
    if mode not in VIEWMODES:
        raise CommandError(f"Can not set ViewMode to {mode}")
    shopper.settings.viewmode = mode
    return OK


@table.add("vset /action/game/pause", "Hold simulated time")
def pause(shopper: Shopper) -> Reply:
    """Hold this shopper's time."""
    shopper.clock.pause(True)
    return OK


@table.add("vset /action/game/resume", "Let simulated time go on")
def resume(shopper: Shopper) -> Reply:
    """Let this shopper's time go on."""
    shopper.clock.pause(False)
    return OK


@table.add("vget /action/game/is_paused", "Whether simulated time is held")
def is_paused(shopper: Shopper) -> Reply:
    """``true`` or ``false``."""
    return str(shopper.clock.paused).lower()


@table.add("vset /action/game/level [str]", "Open this store afresh, by its scene name")
def level(shopper: Shopper, name: str) -> Reply:
    """Everything as at opening time."""
    if name.casefold() != shopper.store.pack.info.id.casefold():
        raise CommandError(f"Can not find a level with name '{name}'")
    shopper.reopen()
    return OK


@table.add("vset /action/input/enable", "Take input from the window")
def input_enable(shopper: Shopper) -> Reply:
    """Remembered, shown in the status."""
    shopper.settings.enable_input = True
    return OK


@table.add("vset /action/input/disable", "Take no input from the window")
def input_disable(shopper: Shopper) -> Reply:
    """Remembered, shown in the status."""
    shopper.settings.enable_input = False
    return OK


@table.add("vset /action/keyboard [str] [float]", "Hold a key: w a s d walk, left and right turn")
def keyboard(shopper: Shopper, key: str, seconds: float) -> Reply:
    """Walk or turn for a time; other keys do nothing."""
    key = key.casefold()
    body, seconds = shopper.body, min(max(0.0, seconds), LONGEST_KEY_S)
    if key in _WALK_KEYS:
        body.walk(shopper.now, body.speed * seconds, _WALK_KEYS[key])
    elif key in _TURN_KEYS:
        body.turn(shopper.now, _TURN_KEYS[key] * seconds, seconds)
    return OK


@table.add("vset /action/eyes_distance [float]", "Not implemented: there is one eye")
def eyes_distance(shopper: Shopper, distance: float) -> Reply:
    """As the plugin answers."""
    raise CommandError("Not Implemented")


def _accept(shopper: Shopper, *args: object) -> Reply:
    return OK


for _template in (
    "vset /action/clean_garbage",
    "vset /action/tick",
    "vset /action/set_fixed_frame_rate [float]",
    "vset /action/tick_intervel [float]",
    "vset /action/tick_interval [float]",
):
    table.add(_template, "Accepted; the store has no frames of its own to count")(_accept)


def _console(shopper: Shopper, *words: str) -> Reply:
    if words[0] == "slomo":
        raise CommandError(ARGUMENT_INVALID)
    return OK


for _count in range(1, 6):
    table.add("vrun [str]" + " [str]" * _count, "Console command: only slomo has an effect")(_console)
    table.add("vcmd" + " [str]" * _count, "Console command: no effect")(_accept)


@table.add("vrun slomo [str]", "Let simulated time pass so many times as fast; from 1e6 on motion takes none")
def slomo(shopper: Shopper, factor: str) -> Reply:
    """Set the rate of this shopper's time."""
    try:
        rate = float(factor)
    except ValueError:
        raise CommandError(ARGUMENT_INVALID) from None
    if math.isnan(rate) or rate < 0.0:
        raise CommandError(ARGUMENT_INVALID)
    shopper.clock.set_rate(rate)
    return OK


@table.add("vrun [str]", "Alias of the plugin: there are none")
def alias(shopper: Shopper, name: str) -> Reply:
    """No alias is known."""
    raise CommandError(f"Unrecognised alias '{name}'")
