"""A store anyone can walk in, in a process of its own, that speaks the UnrealCV wire."""
