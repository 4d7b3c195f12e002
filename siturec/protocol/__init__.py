"""The interaction protocol: what an episode is, what each side may do, and when it ends."""
