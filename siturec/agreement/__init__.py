"""Agreement of people and simulated users over the same assistants, honest at small n."""
