"""Instruments, items, and answers from people and from the judge."""
