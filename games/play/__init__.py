"""Playing: an answer changes a game, decisions open and close, players are notified."""
