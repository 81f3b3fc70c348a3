"""The hot path: an answer changes a game, decisions open and close, people are told."""
