"""Commands by template, as UnrealCV dispatches them.

A template's ``[str]``, ``[uint]`` and ``[float]`` become regular expressions; one space separates arguments,
trailing spaces are taken, the last template added wins. Source: unrealcv/unrealcv, CommandDispatcher.cpp.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from storefront.shopper import Shopper
from storefront.shopper_capture import Capture

Reply = str | bytes | Capture
Handler = Callable[..., Reply]

OK = "ok"
LONGEST_ECHO = 500
"""An unknown command is repeated in its error up to this length."""


class CommandError(Exception):
    """A command that cannot be carried out; the text follows ``error`` in the reply."""


ARGUMENT_INVALID = "Argument Invalid"

_KINDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "[str]": ("([^ ]*)", str),
    "[uint]": ("([0-9]*)", lambda text: int(text[:18] or "0")),
    "[float]": (r"([-+]?(?:[0-9]*+[.])?+[0-9]++)", float),
}
# [float] is the plugin's [-+]?\d*[.]?\d+ written so that it never backtracks: linear in the longest command.
_PLACE = re.compile(r"(\[str\]|\[uint\]|\[float\])")


@dataclass(frozen=True)
class Command:
    """A template with what it matches, what it does, and a line of help."""

    template: str
    pattern: re.Pattern[str]
    kinds: tuple[Callable[[str], Any], ...]
    handler: Handler
    summary: str


class CommandTable:
    """Commands in the order they were added."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self._by_verb: dict[str, list[Command]] = defaultdict(list)

    def add(self, template: str, summary: str = "") -> Callable[[Handler], Handler]:
        """Decorator: let a function answer a template. It gets the shopper and the arguments."""

        def register(handler: Handler) -> Handler:
            self.put(compile_command(template, handler, summary))
            return handler

        return register

    def put(self, command: Command) -> None:
        """Add one command."""
        self.commands.append(command)
        self._by_verb[command.template.partition(" ")[0]].insert(0, command)

    def extend(self, other: "CommandTable") -> None:
        """Add all commands of another table."""
        for command in other.commands:
            self.put(command)

    def run(self, shopper: Shopper, text: str) -> Reply:
        """Carry out one command. Raises: CommandError."""
        for command in self._by_verb.get(text.partition(" ")[0], ()):
            match = command.pattern.fullmatch(text)
            if match is None:
                continue
            args = [kind(given) for kind, given in zip(command.kinds, match.groups(), strict=True)]
            if any(isinstance(value, float) and not math.isfinite(value) for value in args):
                raise CommandError(ARGUMENT_INVALID)
            return command.handler(shopper, *args)
        raise CommandError(unknown(text))

    def answer(self, shopper: Shopper, text: str) -> Reply:
        """Carry out one command; a failure is a reply that begins with ``error``."""
        shopper.tick()
        try:
            reply = self.run(shopper, text)
        except CommandError as refused:
            return f"error {refused}"
        shopper.settle()
        return reply


def compile_command(template: str, handler: Handler, summary: str) -> Command:
    """Turn a template into a command."""
    parts = _PLACE.split(template)
    kinds = tuple(_KINDS[part][1] for part in parts if part in _KINDS)
    pattern = "".join(_KINDS[part][0] if part in _KINDS else re.escape(part) for part in parts)
    return Command(template, re.compile(pattern + "[ ]*"), kinds, handler, summary)


def unknown(text: str) -> str:
    """What is said of a command nobody answers: the wording of both generations of the plugin."""
    uri = text if len(text) <= LONGEST_ECHO else text[:LONGEST_ECHO] + "..."
    return f"No handler found for URI '{uri}' (Can not find a handler for URI '{uri}')"


def numbers(values: tuple[float, ...] | list[float], places: int = 3) -> str:
    """Numbers as the wire writes them; no negative zero."""
    return " ".join(f"{round(value, places) + 0.0:.{places}f}" for value in values)
