"""Step 3, first half: needs around a target, as attribute labels of the catalog (SituRecBench A.3)."""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from siturec.scene.schema import Demographics, Need, Product, Profile
from siturec.tasks.conflicts import need_conflicts
from siturec.tasks.eligible import eligible, meets, values_of
from siturec.tasks.roles import Role
from siturec.tasks.speech import Group, Speech

FEWEST, MOST = 4, 14
"""How many products should meet a task's needs: enough to choose among, few enough that needs matter."""
PETS = ("dog", "cat")


@dataclass(frozen=True)
class Wish:
    """A task's needs, the words for them (verb phrases that follow "it"), and the products that meet them."""

    group: Group
    needs: tuple[Need, ...]
    wants: tuple[str, ...]
    avoids: tuple[str, ...]
    eligible: tuple[Product, ...]


class Labels(Counter[tuple[str, str, bool]]):
    """How often each label has been asked for, over all tasks: it steers later choices to other labels."""

    def worn(self, needs: tuple[Need, ...]) -> int:
        """How often these needs' labels have been used, together."""
        return sum(self[need.key, value, need.avoid] for need in needs for value in need.values)

    def count(self, needs: tuple[Need, ...]) -> None:
        """Remember that these needs were asked for."""
        self.update((need.key, value, need.avoid) for need in needs for value in need.values)


class NoWish(ValueError):
    """A target has no labels one could ask for."""


def choose_needs(
    shopper: tuple[Role, Profile],
    aim: tuple[str, Product],
    catalog: tuple[tuple[Product, ...], Speech],
    labels: Labels,
    rng: random.Random,
) -> Wish:
    """Needs that the target meets (``aim`` is theme and target): its kind, what the role always asks for, one
    or two labels, often one thing to avoid. One combination is drawn among those a handful of products meet.

    Raises: NoWish when the target's category is spoken of nowhere.
    """
    (role, profile), (theme, target), (products, speech) = shopper, aim, catalog
    lives = profile.demographics
    groups = [group for group in speech.groups_of(target.category, theme) if _fits_home(group, lives)]
    if not groups:
        raise NoWish(f"{target.id}: nobody speaks of {target.category}")
    group = rng.choice(groups)
    kind = Need(key="category", values=group.categories, text=f"{group.noun[0].upper()}{group.noun[1:]}.")
    near = [product for product in products if product.category in group.categories]
    fixed = [kind, *_always(role, near, speech, group, rng)]
    pool = eligible(near, fixed)
    wants = [need for need in _wanted(target, speech, group, rng) if not _known(need, fixed)]
    avoids = [need for need in _unwanted(target, pool, speech, group, rng) if not _known(need, fixed)]
    meeting = {
        need: frozenset(number for number, product in enumerate(pool) if meets(product, need))
        for need in (*wants, *avoids)
    }
    options: list[tuple[float, tuple[Need, ...], tuple[Need, ...]]] = []
    for extra in _combinations(wants, avoids):
        needs = (*fixed, *extra)
        if need_conflicts(lives, needs):
            continue
        count = len(frozenset.intersection(*(meeting[need] for need in extra))) if extra else len(pool)
        off = max(FEWEST - count, count - MOST, 0)
        thin = max(3 - len(needs), 0) + all(need.avoid for need in needs[1:])
        # Worn labels weigh less than too few products to choose among, and chance decides between equals.
        options.append((off + 2 * thin + 0.15 * labels.worn(extra) + rng.random(), needs, extra))
    if not options:
        raise NoWish(f"{target.id}: no needs that go together")
    _, needs, extra = min(options, key=lambda option: option[0])
    labels.count(extra)
    return Wish(
        group,
        needs,
        tuple(_phrase(need) for need in needs[1:] if not need.avoid),
        tuple(_phrase(need) for need in needs[1:] if need.avoid),
        tuple(eligible(pool, extra)),
    )


def spoken(phrase: str, group: Group) -> str:
    """A verb phrase as a sentence about the group's thing or things."""
    if not group.plural:
        return f"It {phrase}."
    for one, many in (("has to", "have to"), ("needs to", "need to"), ("has ", "have ")):
        if phrase.startswith(one):
            phrase = many + phrase.removeprefix(one)
            break
    return f"They {phrase}."


def _phrase(need: Need) -> str:
    """The verb phrase of a need's sentence."""
    return need.text.removesuffix(".").split(" ", 1)[1]


def _always(
    role: Role, near: list[Product], speech: Speech, group: Group, rng: random.Random
) -> Iterator[Need]:
    """What a role asks for in every task: tags it must have, and what it never buys where its kind has it."""
    for value in role.must:
        yield from _need("tag", value, speech, group, rng, avoid=False)
    for value in role.never:
        for key in ("tag", "allergens"):
            if any(value in values_of(product, key) for product in near):
                yield from _need(key, value, speech, group, rng, avoid=True)


def _wanted(target: Product, speech: Speech, group: Group, rng: random.Random) -> list[Need]:
    return [
        need
        for key in speech.wants
        for value in values_of(target, key)
        for need in _need(key, value, speech, group, rng, avoid=False)
    ]


def _unwanted(
    target: Product, pool: list[Product], speech: Speech, group: Group, rng: random.Random
) -> list[Need]:
    """Things the target is free of, and some other product of its kind is not."""
    found: list[Need] = []
    for key in speech.avoids:
        own = set(values_of(target, key))
        others = {value for product in pool for value in values_of(product, key)} - own
        for value in sorted(others):
            found += _need(key, value, speech, group, rng, avoid=True)
    return found


def _need(
    key: str, value: str, speech: Speech, group: Group, rng: random.Random, *, avoid: bool
) -> Iterator[Need]:
    phrases = speech.phrases(key, value, avoid=avoid)
    if phrases:
        yield Need(key=key, values=(value,), avoid=avoid, text=spoken(rng.choice(phrases), group))


def _known(need: Need, others: list[Need]) -> bool:
    return any(need.key == other.key and set(need.values) & set(other.values) for other in others)


def _combinations(wants: list[Need], avoids: list[Need]) -> Iterator[tuple[Need, ...]]:
    """One or two wants with one thing to avoid or none, never two needs about one single-valued label."""
    for count in (0, 1, 2):
        for picked in itertools.combinations(wants, count):
            keys = {need.key for need in picked} - {"tag"}
            if len(picked) == 2 and _same(*picked):
                continue
            if count:
                yield picked
            for avoid in avoids:
                if avoid.key not in keys:
                    yield (*picked, avoid)
    if not wants and not avoids:
        yield ()


def _same(one: Need, other: Need) -> bool:
    """Whether two needs are about one single-valued label, or say one value twice (oak, in oak)."""
    return one.key == other.key != "tag" or bool(set(one.values) & set(other.values))


def _fits_home(group: Group, lives: Demographics) -> bool:
    named = [animal for animal in PETS if animal in group.noun.split()]
    return all(animal in lives.household for animal in named)
