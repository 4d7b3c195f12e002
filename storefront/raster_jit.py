"""How every compiled kernel of the store is compiled: one place for numba's options."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from numba.core.compiler import CompilerBase, DefaultPassBuilder

from storefront.render_places import cache_root

F = TypeVar("F", bound=Callable[..., Any])

KERNELS = ("raster*.py", "light_*.py", "walking_kernels.py")
"""Modules with compiled code."""


def _own_kernel_cache() -> None:
    """Keep compiled kernels in a folder named by all kernels' sources.

    Numba renews a kernel when its own file changes, but not when a helper or constant it took from another
    file does: the folder's name makes that impossible. ``NUMBA_CACHE_DIR``, where set, is left alone.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    folder, seen = Path(__file__).parent, hashlib.sha256()
    for path in sorted({path for pattern in KERNELS for path in folder.glob(pattern)}):
        seen.update(path.read_bytes())
    os.environ["NUMBA_CACHE_DIR"] = str(cache_root() / f"kernels-{seen.hexdigest()[:16]}")
    try:
        cast(Any, config).reload_config()
    finally:
        del os.environ["NUMBA_CACHE_DIR"]  # for this process alone: a child may run other sources


_own_kernel_cache()


def kernel(function: F) -> F:
    """Compile ``function`` with numba, without the interpreter lock and with an on-disk cache.

    Every kernel gets the same options: helpers stay identical for all their callers, so that edges shared by
    two triangles meet, and the same inputs give the same bytes.
    """
    compiled = njit(nogil=True, cache=True, fastmath=True, error_model="numpy", boundscheck=False)(function)
    return cast(F, compiled)


class _Apart(CompilerBase):
    """Numba's usual pipeline, told that the arrays handed to a kernel never share memory."""

    def define_pipelines(self) -> list[Any]:
        self.state.flags.noalias = True
        return [cast(Any, DefaultPassBuilder).define_nopython_pipeline(self.state)]


def kernel_apart(function: F) -> F:
    """As :func:`kernel`, for loops over pixels whose arrays never overlap.

    Knowing that, the compiler works on eight pixels at a time even where texels are fetched from anywhere.
    """
    compiled = njit(
        nogil=True,
        cache=True,
        fastmath=True,
        error_model="numpy",
        boundscheck=False,
        pipeline_class=_Apart,
    )(function)
    return cast(F, compiled)


def inlined(function: F) -> F:
    """As :func:`kernel`, for helpers small or hot enough to be built into their callers."""
    compiled = njit(
        nogil=True, cache=True, fastmath=True, error_model="numpy", boundscheck=False, forceinline=True
    )(function)
    return cast(F, compiled)
