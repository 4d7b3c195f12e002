"""Scene packs: a store as plain data. Schema, loading, checking, and geometry queries."""
