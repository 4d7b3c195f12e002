"""Light per vertex of every placed mesh."""

import numpy as np

from storefront.geometry import Geometry
from storefront.raster_tables import F32


def vertex_light(geometry: Geometry, spans: list[tuple[int, int, int]]) -> F32:
    """Light in display space for each (part, mesh, count) of ``spans``, end to end."""
    chunks = []
    for part_number, mesh_number, _ in spans:
        mesh = geometry.meshes[mesh_number]
        normal = mesh.normal @ geometry.parts[part_number].matrix[:, :3].T
        level = 0.72 + 0.22 * normal[:, 2] + 0.06 * normal[:, 0]
        chunks.append(np.where(mesh.glow > 0, mesh.glow, level).astype(np.float32))
    return np.concatenate(chunks)
