"""What a game's log says: entries, history, roll-backs, replay, and read markers."""
