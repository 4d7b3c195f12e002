"""From an assistant's words for a place or product to the entity behind them."""

from siturec.protocol.messages import Observation, StoreKnowledge


def goal_entity(said: str, *, knowledge: StoreKnowledge, seen: Observation | None) -> str:
    """The entity an assistant means by a goal: its fixed marker, an entity id, a bare id or a name.

    A marker comes first, for that is what an assistant is asked to use. What nothing answers to is returned
    as it was said, so that the record keeps it.
    """
    wanted = said.strip().casefold()
    for target in knowledge.targets:
        if wanted == target.assistant_marker.casefold():
            return target.entity
    for target in knowledge.targets:
        if wanted in (target.entity, target.entity.partition(":")[2], target.name.casefold()):
            return target.entity
    sighting = seen.by_marker("assistant", said) if seen is not None else None
    if sighting is not None:
        return sighting.entity
    for entry in knowledge.catalog:
        if wanted in (entry.id, f"product:{entry.id}", entry.name.casefold()):
            return f"product:{entry.id}"
    return said
