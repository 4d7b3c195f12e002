"""Minds without a model: pure policies over the protocol's inputs, the same for the same seed."""
