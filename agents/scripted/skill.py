"""How good a scripted assistant is: the few abilities that grade the planted assistants."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Skill:
    """Abilities of one scripted assistant.

    ``vocabulary``: the share of the thesaurus it knows. ``memory``: how many of the shopper's latest replies
    it still reads, besides the first. ``patience``: how many key details it waits for before offering.
    ``slip``: chance that an offer is drawn from the next-best products instead of the best. ``stray``: chance
    per turn of sending the shopper somewhere else.
    """

    memory: int = 99
    vocabulary: float = 1.0
    patience: int = 5
    slip: float = 0.0
    stray: float = 0.0
    heeds_budget: bool = True
    heeds_dislikes: bool = True
    learns_from_refusals: bool = True
    waits_for_reach: bool = True
    compares: bool = True
    explains: bool = True
    aimless: bool = False


SKILLS: dict[str, Skill] = {
    "expert": Skill(),
    "capable": Skill(vocabulary=0.85, patience=3, slip=0.42, stray=0.04, compares=False),
    "plain": Skill(
        vocabulary=0.75, memory=8, patience=3, slip=0.72, stray=0.08, compares=False, heeds_dislikes=False
    ),
    "hasty": Skill(
        vocabulary=0.65,
        memory=6,
        patience=2,
        slip=0.7,
        stray=0.12,
        compares=False,
        heeds_budget=False,
        heeds_dislikes=False,
        learns_from_refusals=False,
        explains=False,
    ),
    "bad": Skill(
        vocabulary=0.0,
        memory=0,
        patience=0,
        slip=1.0,
        stray=0.8,
        compares=False,
        heeds_budget=False,
        heeds_dislikes=False,
        learns_from_refusals=False,
        waits_for_reach=False,
        explains=False,
        aimless=True,
    ),
    "expert-twin": Skill(),
}
"""Best first; ``expert-twin`` is the expert under another name, planted to show what equals look like."""
