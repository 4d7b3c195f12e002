"""Assistants, simulated users, moderator and judge."""
