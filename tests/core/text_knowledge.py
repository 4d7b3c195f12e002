"""What every assistant knows of a pack, worked out from the pack alone."""

from siturec.protocol.messages import (
    CatalogEntry,
    StoreKnowledge,
    TargetEntry,
)
from siturec.scene.schema import ScenePack


def letters(number):
    """A, B, ... Z, AA, ..."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text


def knowledge_of(pack: ScenePack) -> StoreKnowledge:
    """What every assistant knows of a pack, with plain markers."""
    store_of = {t.id: t.store for t in pack.targets}
    places: dict[str, list[str]] = {}
    for thing in pack.instances:
        target = next(t for t in pack.targets if t.id == thing.target)
        names = [target.entity] + ([f"store:{store_of[target.id]}"] if target.kind == "area" else [])
        held = places.setdefault(thing.product, [])
        held += [name for name in names if name not in held]
    catalog = tuple(
        CatalogEntry(
            id=p.id,
            name=p.name,
            category=p.category,
            tags=p.tags,
            price=p.price,
            details=p.details,
            locations=tuple(places.get(p.id, ())),
        )
        for p in pack.products
    )
    targets = tuple(
        TargetEntry(
            entity=t.entity,
            kind=t.kind,
            name=t.name,
            assistant_marker=f"{n}a" if t.kind == "area" else str(n),
            user_marker=f"{letters(n)}1" if t.kind == "area" else letters(n),
            approaches=approaches(t),
            store=f"store:{t.store}" if t.store else None,
            products=t.products,
            x_m=t.x_m,
            y_m=t.y_m,
        )
        for n, t in enumerate(pack.targets)
    )
    return StoreKnowledge(
        scene=pack.info.id,
        scene_version=pack.info.version,
        kind=pack.info.kind,
        catalog=catalog,
        targets=targets,
    )


def approaches(target):
    """The approaches a target's standing points offer."""
    offered = tuple(s.approach for s in target.standing)
    return ("nearest", *(a for a in offered if a != "nearest")) if target.kind == "fixture" else offered
