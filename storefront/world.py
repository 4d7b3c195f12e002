"""The store in memory: read-only tables shared by every painter."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from siturec.scene.schema import ScenePack
from storefront import world_cache
from storefront.raster_tables import F32, Items, Shapes, Texels
from storefront.render_places import cache_root
from storefront.world_build import Tables, build_tables
from storefront.world_objects import WorldObject
from storefront.world_solids import Solid, solids


@dataclass(frozen=True, eq=False)
class StoreWorld:
    """A store. ``objects[i]`` is what id ``i`` means in id frames.

    ``solids`` are rectangles (x0, y0, x1, y1) of the floor plan one cannot walk into, metres. Of ``tables``,
    ``panes`` (P, 4, 3) are sheets of glass, ``glow`` is a picture of the ceiling's brightness that
    reflections read, ``object_meshes`` (O, 2) the mesh pair of every object that is one placed mesh, else -1.
    """

    pack: ScenePack
    objects: list[WorldObject]
    solids: list[Solid]
    tables: Tables
    most_vertices: int

    @classmethod
    def load(cls, pack: ScenePack, cache_dir: Path | None = None) -> Self:
        """The store of a pack: read from ``cache_dir`` if built before, else built, lit and kept there.

        ``cache_dir`` None is :func:`storefront.render_places.cache_root`.
        """
        folder = (cache_dir or cache_root()) / world_cache.digest(pack)
        kept = world_cache.read(folder)
        if kept is None:
            tables, objects = build_tables(pack)
            world_cache.write(folder, tables._asdict(), objects, {})
        else:
            arrays, objects, _ = kept
            tables = Tables(**arrays)
        for array in tables:
            array.flags.writeable = False  # shared by all painters; and kernels are compiled for one kind
        spans = tables.spans
        return cls(
            pack=pack,
            objects=objects,
            solids=solids(pack),
            tables=tables,
            most_vertices=int((spans[:, 1] - spans[:, 0]).max()),
        )

    @property
    def shapes(self) -> Shapes:
        """The meshes."""
        t = self.tables
        return Shapes(t.position, t.normal, t.uv, t.triangle, t.texture, t.spans)

    @property
    def items(self) -> Items:
        """The placed meshes."""
        t = self.tables
        return Items(t.mesh, t.light_start, t.object, t.transform, t.centre, t.half, t.light, t.screen)

    @property
    def texels(self) -> Texels:
        """The textures."""
        t = self.tables
        return Texels(t.texels, t.levels, t.bits)

    @property
    def panes(self) -> F32:
        """Sheets of glass, (P, 4, 3)."""
        return self.tables.panes

    def primitive(self, name: str) -> int:
        """The mesh of ``cube`` or ``sphere``."""
        return int(self.tables.primitives[("cube", "sphere").index(name)])

    def object_mesh(self, object_id: int) -> tuple[int, int] | None:
        """Fine and coarse mesh of an object that is one placed mesh, else None."""
        fine, coarse = self.tables.object_meshes[object_id]
        return None if fine < 0 else (int(fine), int(coarse))

    def object_id(self, name: str) -> int | None:
        """The id of the object called ``name`` (case ignored, as on the wire), or None."""
        wanted = name.casefold()
        return next((i for i, o in enumerate(self.objects) if o.name.casefold() == wanted), None)

    def nbytes(self) -> int:
        """Bytes of all tables together."""
        return sum(np.asarray(a).nbytes for a in self.tables)
