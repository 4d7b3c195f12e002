"""Studies, participants, seats, episodes, turns, events and frames: the record."""
