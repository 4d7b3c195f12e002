"""Unfold's decorators with types, so that what they decorate keeps its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

from unfold.decorators import action, display

F = TypeVar("F", bound=Callable[..., Any])


def labelled(description: str, colours: Mapping[str, str]) -> Callable[[F], F]:
    """A list column whose values are shown as coloured labels, by value."""
    return cast(Callable[[F], F], display(description=description, label=dict(colours)))


def button(description: str, icon: str, permissions: Sequence[str]) -> Callable[[F], F]:
    """A button above a list or a form, for those who have the permissions."""
    return cast(Callable[[F], F], action(description=description, icon=icon, permissions=list(permissions)))
