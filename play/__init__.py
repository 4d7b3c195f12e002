"""Plays an episode: one turn loop for people and models."""
