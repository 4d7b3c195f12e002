"""Replaying any episode, human or simulated: what each side saw, said, did, and what it led to."""
