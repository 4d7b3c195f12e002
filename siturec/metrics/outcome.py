"""Overall outcome: success, turns and the cumulative success curve. Source: SituRecBench C.1 (S45, S46)."""

from siturec.trajectory_schema import Trajectory

CURVE_TURNS = tuple(range(1, 21))
"""The turns t at which SR(t) is read."""


def bought(record: Trajectory) -> bool:
    """Whether the final cart holds anything; the end reason plays no part."""
    return bool(record["final_cart"])


def turn_count(record: Trajectory) -> int:
    """How many distinct turns are recorded; a turn recorded twice counts once."""
    return len({turn["turn"] for turn in record["turns"]})


def bought_by(record: Trajectory, turns: int) -> bool:
    """Whether something was bought in at most ``turns`` turns: SR(t) of one episode."""
    return bought(record) and turn_count(record) <= turns
