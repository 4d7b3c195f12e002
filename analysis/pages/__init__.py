"""The researcher's pages: episodes, results, agreement, export, and what they download."""
