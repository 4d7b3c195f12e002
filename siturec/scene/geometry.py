"""Where one can walk in a scene, what can be seen from where, and what is within reach. Metres."""

import math
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from siturec.scene.fixtures import form_of, parts
from siturec.scene.schema import Instance, Product, Rect, ScenePack, Wall

WALK_UNDER_M = 1.9
"""What begins above this height is walked under."""
STEP_M = 0.12
"""What is no higher than this is stepped over."""
SKIN_M = 0.001
"""How far before a surface a sight line ends, so that a thing does not hide itself."""
CELL_M = 0.1
"""Side of a cell of the walkable floor."""
EYES = 64
"""How many standing points are tested for sight at once."""

Box = tuple[float, float, float, float, float, float]
"""x0, y0, z0, x1, y1, z1."""
Point = tuple[float, float]


class Geometry:
    """Questions about one pack's space. Building it is cheap; answers are computed when first asked for."""

    def __init__(self, pack: ScenePack) -> None:
        self.pack = pack
        self.products: dict[str, Product] = {product.id: product for product in pack.products}

    @cached_property
    def solids(self) -> tuple[Rect, ...]:
        """What one cannot walk through: fixtures, walls, solid props, displayed goods on the floor."""
        found = [target.footprint for target in self.pack.targets if target.kind == "fixture"]
        for wall in self.pack.layout.walls:
            if wall.base_m < WALK_UNDER_M and wall.height_m > STEP_M:
                found += wall_pieces(wall)
        for prop in self.pack.layout.props:
            if prop.solid and prop.base_m < WALK_UNDER_M and prop.base_m + prop.height_m > STEP_M:
                found.append(prop.footprint)
        for instance in self.pack.instances:
            product = self.products[instance.product]
            top = instance.z_m + product.look.size_m[2]
            standing = instance.z_m <= 0.5 and top > STEP_M and product.look.shape != "rug"
            if product.storage == "display" and standing:
                x0, y0, _, x1, y1, _ = instance_box(instance, product)
                found.append(Rect(x0=x0, y0=y0, x1=x1, y1=y1))
        return tuple(found)

    @cached_property
    def walkable(self) -> NDArray[np.bool_]:
        """Cells (row = y, column = x) in whose middle a body may stand without touching a solid or a wall."""
        layout, radius = self.pack.layout, self.pack.info.sight.body_radius_m
        columns, rows = math.ceil(layout.width_m / CELL_M), math.ceil(layout.depth_m / CELL_M)
        xs, ys = (np.arange(columns) + 0.5) * CELL_M, (np.arange(rows) + 0.5) * CELL_M
        free_x = (xs >= radius) & (xs <= layout.width_m - radius)
        free_y = (ys >= radius) & (ys <= layout.depth_m - radius)
        free = free_y[:, None] & free_x[None, :]
        for solid in self.solids:
            left, right = np.searchsorted(xs, (solid.x0 - radius, solid.x1 + radius))
            low, high = np.searchsorted(ys, (solid.y0 - radius, solid.y1 + radius))
            dx = np.maximum(np.maximum(solid.x0 - xs[left:right], xs[left:right] - solid.x1), 0.0)
            dy = np.maximum(np.maximum(solid.y0 - ys[low:high], ys[low:high] - solid.y1), 0.0)
            free[low:high, left:right] &= dx[None, :] ** 2 + dy[:, None] ** 2 >= radius**2
        return free

    @cached_property
    def reachable(self) -> NDArray[np.bool_]:
        """Walkable cells that can be walked to from the scene's start."""
        start = self.pack.info.start
        cell = self.cell((start.x_m, start.y_m))
        if cell is None or not self.walkable[cell]:
            return np.zeros_like(self.walkable)
        # One row of bytes, with an edge around the floor that nobody can walk on: arrays are slow in a loop.
        ground = np.pad(self.walkable, 1)
        width = ground.shape[1]
        left = bytearray(ground.tobytes())
        first = (cell[0] + 1) * width + cell[1] + 1
        left[first] = False
        edge = [first]
        while edge:
            here = edge.pop()
            for beside in (here + 1, here - 1, here + width, here - width):
                if left[beside]:
                    left[beside] = False
                    edge.append(beside)
        unreached = np.frombuffer(left, dtype=np.bool_).reshape(ground.shape)
        return np.asarray((ground & ~unreached)[1:-1, 1:-1])

    @cached_property
    def opaque(self) -> NDArray[np.float64]:
        """Boxes (n, 6) that hide what is behind them: fixtures' parts, walls, props, and goods themselves."""
        boxes: list[Box] = []
        for target in self.pack.targets:
            if target.kind == "fixture":
                boxes += [(*part.low, *part.high) for part in parts(form_of(target))]
        for wall in self.pack.layout.walls:
            boxes += [
                (piece.x0, piece.y0, wall.base_m, piece.x1, piece.y1, wall.height_m)
                for piece in wall_pieces(wall)
            ]
        for prop in self.pack.layout.props:
            rect, top = prop.footprint, prop.base_m + prop.height_m
            boxes.append((rect.x0, rect.y0, prop.base_m, rect.x1, rect.y1, top))
        boxes += [instance_box(one, self.products[one.product]) for one in self.pack.instances]
        return np.array(boxes, dtype=np.float64).reshape(-1, 6)

    def cell(self, point: Point) -> tuple[int, int] | None:
        """The cell (row, column) a point lies in, or None outside the building."""
        rows, columns = self.walkable.shape
        row, column = int(point[1] // CELL_M), int(point[0] // CELL_M)
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def free(self, point: Point) -> bool:
        """Whether a body may stand exactly there."""
        layout, radius = self.pack.layout, self.pack.info.sight.body_radius_m
        x, y = point
        if not (radius <= x <= layout.width_m - radius and radius <= y <= layout.depth_m - radius):
            return False
        return all(distance(point, solid) >= radius - 1e-9 for solid in self.solids)

    def can_walk_to(self, point: Point, *, within_m: float = 0.2) -> bool:
        """Whether a cell near the point can be walked to from the start."""
        steps = max(1, math.ceil(within_m / CELL_M))
        cell = self.cell(point)
        if cell is None:
            return False
        row, column = cell
        low, left = max(0, row - steps), max(0, column - steps)
        return bool(self.reachable[low : row + steps + 1, left : column + steps + 1].any())

    def standpoints(self, point: Point, radius_m: float) -> NDArray[np.float64]:
        """Middles (n, 2) of reachable cells within a distance of a point, nearest first."""
        rows, columns = np.nonzero(self._window(point, radius_m))
        cell = self.cell(point)
        if cell is None or not len(rows):
            return np.zeros((0, 2))
        steps = math.ceil(radius_m / CELL_M)
        top, left = max(0, cell[0] - steps), max(0, cell[1] - steps)
        middles = np.stack([(columns + left + 0.5) * CELL_M, (rows + top + 0.5) * CELL_M], axis=1)
        away = np.hypot(middles[:, 0] - point[0], middles[:, 1] - point[1])
        order = np.argsort(away, kind="stable")
        return np.asarray(middles[order][away[order] <= radius_m], dtype=np.float64)

    def visible(self, eye: tuple[float, float, float], points: Iterable[tuple[float, float, float]]) -> bool:
        """Whether a straight line from the eye to any of the points meets no opaque box."""
        eyes = np.array([eye])
        return any(bool(_clear(eyes, np.array(point), self.opaque)[0]) for point in points)

    def seen_and_reached_from(self, instance: Instance) -> Point | None:
        """A walkable point from which an instance is within reach and in sight, or None."""
        product = self.products[instance.product]
        sight = self.pack.info.sight
        spots = self.standpoints((instance.x_m, instance.y_m), sight.reach_m)
        targets = [np.array(point) for point in sight_points(instance, product)]
        near = self._near((instance.x_m, instance.y_m), sight.reach_m)
        eyes = np.column_stack([spots, np.full(len(spots), sight.eye_m)])
        # Nearby cells see much the same: every eighth, then all of them. Most goods are seen from the first.
        for order in (eyes[::8], eyes):
            for some in np.split(order, [1, *range(8, len(order), EYES)]):
                seen = np.zeros(len(some), dtype=np.bool_)
                for target in targets:
                    if len(some) and not seen[0]:
                        seen |= _clear(some, target, near)
                if seen.any():
                    x, y, _ = some[int(seen.argmax())]
                    return float(x), float(y)
        return None

    def _window(self, point: Point, radius_m: float) -> NDArray[np.bool_]:
        cell = self.cell(point)
        if cell is None:
            return np.zeros((0, 0), dtype=np.bool_)
        steps = math.ceil(radius_m / CELL_M)
        top, left = max(0, cell[0] - steps), max(0, cell[1] - steps)
        return self.reachable[top : cell[0] + steps + 1, left : cell[1] + steps + 1]

    def _near(self, point: Point, radius_m: float) -> NDArray[np.float64]:
        """The opaque boxes that touch the square around a point."""
        boxes, (x, y) = self.opaque, point
        touching = (boxes[:, 0] < x + radius_m) & (boxes[:, 3] > x - radius_m)
        touching &= (boxes[:, 1] < y + radius_m) & (boxes[:, 4] > y - radius_m)
        return boxes[touching]


def _clear(
    eyes: NDArray[np.float64], point: NDArray[np.float64], boxes: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """For each eye (n, 3), whether the segment to the point meets none of the boxes (m, 6): the slab test."""
    low, high = np.minimum(eyes.min(axis=0), point), np.maximum(eyes.max(axis=0), point)
    boxes = boxes[((boxes[:, :3] < high) & (boxes[:, 3:] > low)).all(axis=1)]
    way = point - eyes
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)[:, None, :]
    first, second = (boxes[:, :3] - eyes[:, None, :]) / way, (boxes[:, 3:] - eyes[:, None, :]) / way
    enter = np.minimum(first, second).max(axis=2)
    leave = np.maximum(first, second).min(axis=2)
    hit = (enter < leave) & (enter < 1 - 1e-6) & (leave > 1e-6)
    return np.asarray(~hit.any(axis=1), dtype=np.bool_)


def instance_box(instance: Instance, product: Product) -> Box:
    """The upright box around an instance (axis-aligned, also around a turned one)."""
    width, depth, height = product.look.size_m
    angle = math.radians(instance.yaw_deg)
    along, aside = abs(math.cos(angle)), abs(math.sin(angle))
    # The depth runs along the yaw and the width across it.
    half_x = round((along * depth + aside * width) / 2, 6)
    half_y = round((aside * depth + along * width) / 2, 6)
    x, y, z = instance.x_m, instance.y_m, instance.z_m
    return (x - half_x, y - half_y, z, x + half_x, y + half_y, z + height)


def sight_points(instance: Instance, product: Product) -> list[tuple[float, float, float]]:
    """Points just before an instance's front, at three heights, and one just above its top."""
    _, depth, height = product.look.size_m
    angle = math.radians(instance.yaw_deg)
    x = instance.x_m + math.cos(angle) * (depth / 2 + SKIN_M)
    y = instance.y_m + math.sin(angle) * (depth / 2 + SKIN_M)
    front = [(x, y, instance.z_m + height * part) for part in (0.55, 0.85, 0.3)]
    return [*front, (instance.x_m, instance.y_m, instance.z_m + height + SKIN_M)]


def wall_pieces(wall: Wall) -> list[Rect]:
    """A wall as rectangles on the floor plan: one when it runs along an axis, else a row of short ones."""
    half = wall.thickness_m / 2
    across, down = wall.x1 - wall.x0, wall.y1 - wall.y0
    straight = min(abs(across), abs(down)) < 1e-6
    count = 1 if straight else max(1, math.ceil(math.hypot(across, down) / 0.2))
    pieces: list[Rect] = []
    for k in range(count):
        ax, ay = wall.x0 + across * k / count, wall.y0 + down * k / count
        bx, by = wall.x0 + across * (k + 1) / count, wall.y0 + down * (k + 1) / count
        pieces.append(
            Rect(x0=min(ax, bx) - half, y0=min(ay, by) - half, x1=max(ax, bx) + half, y1=max(ay, by) + half)
        )
    return pieces


def distance(point: Point, rect: Rect) -> float:
    """Distance from a point to a rectangle, 0 inside."""
    dx = max(rect.x0 - point[0], point[0] - rect.x1, 0.0)
    dy = max(rect.y0 - point[1], point[1] - rect.y1, 0.0)
    return math.hypot(dx, dy)
