"""Seeded builders of the scene packs; every module is a pure function of its arguments."""
