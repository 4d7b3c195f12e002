"""Scenes, products, targets, profiles and tasks as rows an admin can edit."""
