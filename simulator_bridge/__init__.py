"""The way to a world: an asyncio UnrealCV client, capture, and the pool."""
