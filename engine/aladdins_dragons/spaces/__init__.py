"""How each kind of space is tallied."""
