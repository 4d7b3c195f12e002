"""Putting goods on boards: which product stands on which board, and with how many facings."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from siturec.scene.fixtures import Board
from siturec.scene.schema import Instance, Product

TOUCH = 0.002
BETWEEN = 0.03
EDGE = 0.012


@dataclass
class Block:
    """All objects of one product that stand together on one board: ``columns`` beside, ``rows`` behind."""

    product: Product
    count: int = 1
    rows: int = 1

    @property
    def columns(self) -> int:
        """How many stand side by side."""
        return -(-self.count // self.rows)

    @property
    def width(self) -> float:
        """Length of board the block takes."""
        return self.columns * (self.product.look.size_m[0] + TOUCH)


@dataclass
class Row:
    """One board and the blocks on it, left to right."""

    target: str
    board: Board
    blocks: list[Block] = field(default_factory=list)

    @property
    def free(self) -> float:
        """Length of board still free, in metres."""
        used = sum(block.width for block in self.blocks)
        return self.board.across_m - used - BETWEEN * (len(self.blocks) + 1)

    def takes(self, product: Product) -> bool:
        """Whether one more block of the product would fit."""
        width, depth, height = product.look.size_m
        return (
            height <= self.board.clear_m
            and depth + EDGE <= self.board.depth_m
            and self.free >= width + TOUCH + BETWEEN
        )

    def deepest(self, product: Product) -> int:
        """How many of the product fit behind one another."""
        return int((self.board.depth_m - EDGE) / (product.look.size_m[1] + TOUCH))


class NoRoom(ValueError):
    """The fixtures cannot hold what was asked for."""


def assign(rows: list[Row], products: Iterable[Product]) -> None:
    """Give each product a block of its own, on the emptiest board that takes it; same kinds side by side.

    Raises: NoRoom naming the product.
    """
    for product in products:
        able = [row for row in rows if row.takes(product)]
        if not able:
            raise NoRoom(
                f"{product.id} ({product.name}) fits on no board of {rows[0].target if rows else '-'}"
            )
        best = max(able, key=lambda row: (round(row.free, 6), -rows.index(row)))
        best.blocks.append(Block(product))


def fill(rows: list[Row], total: int) -> int:
    """Add facings until ``total`` objects stand on the boards: always to the emptiest board, and there to the
    smallest block. When no board has room at its edge, objects go behind others. Returns how many found none.

    Raises: NoRoom when there are more products than objects to place.
    """
    missing = total - sum(block.count for row in rows for block in row.blocks)
    if missing < 0:
        raise NoRoom(f"{total} instances asked for, but every product needs one: {total - missing}")
    waiting = [found for number, row in enumerate(rows) if (found := _best(row, number))]
    heapq.heapify(waiting)
    while missing:
        if waiting:
            _, number, place = heapq.heappop(waiting)
        else:
            deeper = _behind(rows)
            if deeper is None:
                break
            number, place = deeper
            rows[number].blocks[place].rows += 1
        rows[number].blocks[place].count += 1
        missing -= 1
        again = _best(rows[number], number)
        if again:
            heapq.heappush(waiting, again)
    return missing


def _best(row: Row, number: int) -> tuple[float, int, int] | None:
    """The block of a row that should get the next object at the board's edge; the least key goes first."""
    free, best = row.free, None
    for place, block in enumerate(row.blocks):
        if block.count % block.rows:
            # A column that was begun behind others is finished first.
            return float("-inf"), number, place
        if free >= block.product.look.size_m[0] + TOUCH:
            key = (block.count - 16.0 * free / row.board.across_m, number, place)
            best = key if best is None else min(best, key)
    return best


def _behind(rows: list[Row]) -> tuple[int, int] | None:
    """The row and place of the shallowest block that can be made one object deeper."""
    able = [
        (block.rows, number, place)
        for number, row in enumerate(rows)
        for place, block in enumerate(row.blocks)
        if block.rows < row.deepest(block.product) and block.count > 1
    ]
    if not able:
        return None
    _, number, place = min(able)
    return number, place


def stand(rows: Iterable[Row]) -> list[Instance]:
    """The instances, evenly spread: what is free on a board is shared among the gaps between blocks."""
    made: list[Instance] = []
    numbers: dict[str, int] = {}
    for row in rows:
        gap = BETWEEN + min(0.35, max(0.0, row.free) / (len(row.blocks) + 1))
        across = (row.board.across_m - _length(row, gap)) / 2
        for block in row.blocks:
            width, depth, _ = block.product.look.size_m
            for n in range(block.count):
                column, back = n % block.columns, n // block.columns
                x, y = row.board.place(
                    across + (column + 0.5) * (width + TOUCH),
                    EDGE + depth / 2 + back * (depth + TOUCH),
                )
                numbers[block.product.id] = numbers.get(block.product.id, 0) + 1
                made.append(
                    Instance(
                        id=f"{block.product.id}_{numbers[block.product.id]:02d}",
                        product=block.product.id,
                        target=row.target,
                        x_m=round(x, 3),
                        y_m=round(y, 3),
                        z_m=round(row.board.z_m, 3),
                        yaw_deg=row.board.yaw_deg,
                    )
                )
            across += block.width + gap
    return made


def _length(row: Row, gap: float) -> float:
    return sum(block.width for block in row.blocks) + gap * (len(row.blocks) - 1)
