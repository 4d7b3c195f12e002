"""Profiles, goals, budgets and reference items: the four construction steps of a task bank."""
