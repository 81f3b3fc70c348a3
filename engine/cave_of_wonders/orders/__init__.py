"""Standing orders of this game."""
