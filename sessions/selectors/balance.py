"""The live balance table: who stood where, who followed whom, and what dropouts did to it."""

from dataclasses import dataclass, field

from sessions.models import Participant, Seat, Study
from siturec.protocol.ordering import carry_over_counts, position_counts


@dataclass(frozen=True)
class Balance:
    """Counts over the seats of people who are in or have finished; bots, tests and dropouts are not in.

    ``positions[assistant][k]``: orders with the assistant at place k; ``follows[a][b]``: orders in which b
    came directly after a; ``tasks[task][assistant]``: orders of that task; ``seats``: rows by status.
    """

    assistants: tuple[str, ...]
    positions: dict[str, list[int]]
    follows: dict[str, dict[str, int]]
    tasks: dict[str, int] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)

    @property
    def spread(self) -> int:
        """Largest minus smallest count over positions: 0 is perfect balance, 1 the best between blocks."""
        counts = [count for row in self.positions.values() for count in row]
        return max(counts) - min(counts) if counts else 0


def balance_table(study: Study, *, version: int | None = None, finished_only: bool = False) -> Balance:
    """The balance of one version (None: the current)."""
    seats = Seat.objects.filter(study=study, version=version or study.version, rehearsal=False)
    statuses = [Seat.Status.FINISHED] if finished_only else [Seat.Status.CLAIMED, Seat.Status.FINISHED]
    live = seats.filter(status__in=statuses, participant__kind=Participant.Kind.HUMAN)
    orders: list[list[str]] = []
    tasks: dict[str, int] = {}
    for plan in live.values_list("plan", flat=True):
        for part in plan:
            orders.append(part["order"])
            tasks[part["task"]] = tasks.get(part["task"], 0) + 1
    assistants = study.design.assistant_slugs
    known = sorted({name for order in orders for name in order} | set(assistants))
    by_status = {str(status): seats.filter(status=status).count() for status in Seat.Status.values}
    return Balance(
        assistants=assistants,
        positions=position_counts(orders, known),
        follows=carry_over_counts(orders, known),
        tasks=tasks,
        seats=by_status,
    )
