"""How every compiled kernel of the store is compiled: one place for numba's options."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile ``function`` with numba, without the interpreter lock and with an on-disk cache.

    Every kernel gets the same options: helpers stay identical for all their callers, so that edges shared by
    two triangles meet, and the same inputs give the same bytes.
    """
    compiled = njit(nogil=True, cache=True, fastmath=True, error_model="numpy", boundscheck=False)(function)
    return cast(F, compiled)


def inlined(function: F) -> F:
    """As :func:`kernel`, for helpers small or hot enough to be built into their callers."""
    compiled = njit(
        nogil=True, cache=True, fastmath=True, error_model="numpy", boundscheck=False, forceinline=True
    )(function)
    return cast(F, compiled)
