"""What every assistant knows of a store, from its pack: the catalog and where everything is (S09, S25)."""

from collections import defaultdict

from siturec.markers.alphabets import fixed_markers
from siturec.protocol.messages import Approach, CatalogEntry, StoreKnowledge, TargetEntry
from siturec.scene.schema import ScenePack, Target


def store_knowledge(pack: ScenePack) -> StoreKnowledge:
    """The full catalog with locations, and every place with its fixed markers and approaches."""
    places = _places(pack)
    user, assistant = fixed_markers(pack.targets, "user"), fixed_markers(pack.targets, "assistant")
    held: dict[str, set[str]] = defaultdict(set)
    for product, entities in places.items():
        for entity in entities:
            held[entity].add(product)
    return StoreKnowledge(
        scene=pack.info.id,
        scene_version=pack.info.version,
        kind=pack.info.kind,
        catalog=tuple(
            CatalogEntry(
                id=product.id,
                name=product.name,
                category=product.category,
                tags=product.tags,
                price=product.price,
                details=product.details,
                locations=places[product.id],
            )
            for product in pack.products
        ),
        targets=tuple(
            TargetEntry(
                entity=target.entity,
                kind=target.kind,
                name=target.name,
                assistant_marker=assistant[target.entity],
                user_marker=user[target.entity],
                approaches=allowed_approaches(target),
                store=None if target.store is None else f"store:{target.store}",
                products=tuple(sorted(held[target.entity])),
                x_m=target.x_m,
                y_m=target.y_m,
            )
            for target in pack.targets
        ),
    )


def allowed_approaches(target: Target) -> tuple[Approach, ...]:
    """Every approach a target has points for, wherever one stands."""
    standing = {point.approach for point in target.standing}
    if target.kind == "fixture":
        return ("nearest", *(side for side in ("front", "back") if side in standing))
    if target.kind == "store":
        return tuple(side for side in ("outside_doorway", "inside_doorway") if side in standing)
    return ()


def _places(pack: ScenePack) -> dict[str, tuple[str, ...]]:
    """Product id to the entities that hold it: its fixtures; or its areas, and before each its store."""
    targets = {target.id: target for target in pack.targets}
    found: dict[str, dict[str, None]] = {product.id: {} for product in pack.products}
    pairs = [(product, target.id) for target in pack.targets for product in target.products]
    pairs += [(instance.product, instance.target) for instance in pack.instances]
    for product, place in pairs:
        target = targets.get(place)
        if target is None or product not in found:
            continue
        if target.store is not None:
            found[product][f"store:{target.store}"] = None
        found[product][target.entity] = None
    return {product: tuple(entities) for product, entities in found.items()}
