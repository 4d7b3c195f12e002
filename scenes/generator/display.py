"""Arranging what an area shows in its bay: a back row with a ledge, a front row, the wall, the ceiling."""

from dataclasses import dataclass, field

from scenes.generator.furnishings import Placement
from scenes.generator.home_plan import BAY_DEPTH, CEILING, Bay
from scenes.generator.shelving import NoRoom
from siturec.scene.fixtures import Board
from siturec.scene.schema import Instance, Product, Prop, Rect

TALL, DEEP = 1.2, 0.65
LOW_LEDGE, HIGH_LEDGE = 0.78, 1.24
LEDGE_DEPTH, HIGH_DEPTH, SHEET = 0.42, 0.4, 0.03
GAP, SMALL_GAP = 0.12, 0.05


@dataclass(frozen=True)
class Shown:
    """One product to place in a bay: how, and how many of it."""

    product: Product
    place: Placement
    copies: int

    @property
    def size(self) -> tuple[float, float, float]:
        """Across, out, up in metres."""
        return self.product.look.size_m


@dataclass
class Arrangement:
    """What a bay ends up with."""

    instances: list[Instance] = field(default_factory=list)
    props: list[Prop] = field(default_factory=list)


def arrange(bay: Bay, shown: list[Shown]) -> Arrangement:
    """Place everything an area shows. Tall and deep furniture stands at the wall, the ledge beside it, low
    furniture before them; nothing overlaps.

    Raises: NoRoom naming the area when it cannot all stand.
    """
    made = Arrangement()
    board = Board("front", 0, bay.rect, 0.0, CEILING, 0.0, bay.yaw_deg)
    floor = [one for one in shown if one.place == "floor" for _ in range(one.copies)]
    small = [one for one in shown if one.place == "ledge" for _ in range(one.copies)]
    back, front = _split(board.across_m, floor, small, bay.area)
    end = _back_row(bay, board, back, made)
    deep = sum(one.size[0] + GAP for one in back if one.size[1] > DEEP)
    _front_row(bay, board, front, deep, made)
    _ledge(bay, board, small, end, made)
    wall = [one for one in shown if one.place == "wall" for _ in range(one.copies)]
    top = _ledge_top(board.across_m - end, small)
    _row(bay, board, wall, _middle(board.across_m, end, 1.6 * _length(wall)), (0.0, top), made)
    hung = [one for one in shown if one.place == "hang" for _ in range(one.copies)]
    if hung:
        z = CEILING - hung[0].size[2]
        _row(bay, board, hung, (0.0, board.across_m), (0.9, z), made)
    return made


def _split(
    length: float, floor: list[Shown], small: list[Shown], area: str
) -> tuple[list[Shown], list[Shown]]:
    """Which furniture stands at the wall and which before it."""
    order = sorted(floor, key=lambda one: (-(one.size[1] > DEEP and one.size[0] < one.size[1]), -one.size[2]))
    back = [one for one in order if one.size[2] > TALL or one.size[1] > BAY_DEPTH / 2]
    front = [one for one in order if one not in back]
    ledge = _shortest_ledge(small)
    while front:
        blocked = sum(one.size[0] + GAP for one in back if one.size[1] > DEEP)
        if _length(front) + blocked <= length:
            break
        able = [
            one
            for one in front
            if _length(back) + one.size[0] + GAP + ledge <= length and one.size[1] <= DEEP
        ]
        if not able:
            able = [one for one in front if _length(back) + one.size[0] + GAP + ledge <= length]
        if not able:
            raise NoRoom(f"{area}: the furniture does not fit in {length:.2f} m")
        back.append(able[0])
        front.remove(able[0])
    if _length(back) + ledge > length:
        raise NoRoom(f"{area}: the wall of {length:.2f} m is too short")
    return sorted(back, key=lambda one: -one.size[1]), front


def _length(row: list[Shown]) -> float:
    return sum(one.size[0] + GAP for one in row)


def _shortest_ledge(small: list[Shown]) -> float:
    """The length two levels need; each level takes every second object."""
    return max((_small_length(small[part::2]) for part in (0, 1)), default=0.0)


def _small_length(row: list[Shown]) -> float:
    return sum(one.size[0] + SMALL_GAP for one in row) + SMALL_GAP if row else 0.0


def _ledge_top(length: float, small: list[Shown]) -> float:
    """How high above the floor things on the wall hang, clear of the ledge and what stands on it."""
    if not small:
        return 1.35
    upper = small[1::2] if _small_length(small) > length else []
    base, row = (HIGH_LEDGE + SHEET, upper) if upper else (LOW_LEDGE, small)
    return round(base + max(one.size[2] for one in row) + 0.12, 3)


def _back_row(bay: Bay, board: Board, back: list[Shown], made: Arrangement) -> float:
    across = 0.0
    for one in back:
        _put(bay, board, one, across + GAP / 2, board.depth_m - one.size[1], 0.0, made)
        across += one.size[0] + GAP
    return across


def _front_row(bay: Bay, board: Board, front: list[Shown], start: float, made: Arrangement) -> None:
    if not front:
        return
    spare = (board.across_m - start - _length(front)) / len(front)
    across = start
    for one in front:
        across += spare / 2
        _put(bay, board, one, across + GAP / 2, 0.05, 0.0, made)
        across += one.size[0] + GAP + spare / 2


def _ledge(bay: Bay, board: Board, small: list[Shown], start: float, made: Arrangement) -> None:
    """A ledge from ``start`` to the bay's end, with a second level over it when one is not enough."""
    if not small:
        return
    length = board.across_m - start
    two = _small_length(small) > length
    if not two:
        start, stop = _middle(board.across_m, start, 1.35 * _small_length(small))
        length = stop - start
    levels = [(LOW_LEDGE, LEDGE_DEPTH, small[0::2] if two else small)]
    if two:
        levels.append((HIGH_LEDGE + SHEET, HIGH_DEPTH, small[1::2]))
    span = (start, start + length)
    made.props.append(_prop(bay, board, span, LEDGE_DEPTH, (0.0, LOW_LEDGE)))
    if two:
        made.props.append(_prop(bay, board, span, HIGH_DEPTH, (HIGH_LEDGE, SHEET)))
    for z, depth, row in levels:
        if _small_length(row) > length + 1e-9:
            raise NoRoom(f"{bay.area}: the ledge of {length:.2f} m is too short")
        if z == LOW_LEDGE and two and max(one.size[2] for one in row) > HIGH_LEDGE - LOW_LEDGE:
            raise NoRoom(f"{bay.area}: something on the lower ledge is taller than the space above it")
        spare = (length - _small_length(row)) / (len(row) + 1)
        across = start + SMALL_GAP
        for one in row:
            across += spare
            inward = board.depth_m - depth / 2 - one.size[1] / 2
            _put(bay, board, one, across, inward, z, made)
            across += one.size[0] + SMALL_GAP


def _middle(end: float, start: float, wanted: float) -> tuple[float, float]:
    """A span of the wanted length in the middle of what is free, or all of it when that is shorter."""
    spare = max(0.0, end - start - wanted) / 2
    return start + spare, end - spare


def _row(
    bay: Bay,
    board: Board,
    row: list[Shown],
    span: tuple[float, float],
    at: tuple[float, float],
    made: Arrangement,
) -> None:
    """Things spread evenly over a span, ``at`` (distance from the wall, height)."""
    if not row:
        return
    length = span[1] - span[0]
    if _length(row) > length:
        raise NoRoom(f"{bay.area}: {len(row)} things do not fit on {length:.2f} m of wall")
    spare = (length - _length(row)) / len(row)
    across = span[0]
    for one in row:
        across += spare / 2 + GAP / 2
        _put(bay, board, one, across, board.depth_m - at[0] - one.size[1], at[1], made)
        across += one.size[0] + GAP / 2 + spare / 2


def _prop(
    bay: Bay, board: Board, span: tuple[float, float], depth: float, heights: tuple[float, float]
) -> Prop:
    corners = [board.place(a, i) for a, i in ((span[0], board.depth_m), (span[1], board.depth_m - depth))]
    xs, ys = sorted(x for x, _ in corners), sorted(y for _, y in corners)
    rect = Rect(x0=round(xs[0], 3), y0=round(ys[0], 3), x1=round(xs[1], 3), y1=round(ys[1], 3))
    return Prop(kind="platform", footprint=rect, base_m=heights[0], height_m=heights[1], colour=bay.ledge)


def _put(
    bay: Bay, board: Board, one: Shown, across: float, inward: float, z: float, made: Arrangement
) -> None:
    """One object whose left edge is ``across`` and whose open side is ``inward`` of the bay's edge."""
    width, depth, _ = one.size
    x, y = board.place(across + width / 2, inward + depth / 2)
    earlier = sum(instance.product == one.product.id for instance in made.instances)
    made.instances.append(
        Instance(
            id=f"{one.product.id}_{earlier + 1:02d}",
            product=one.product.id,
            target=bay.area,
            x_m=round(x, 3),
            y_m=round(y, 3),
            z_m=round(z, 3),
            yaw_deg=bay.yaw_deg,
        )
    )
