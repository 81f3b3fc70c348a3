"""Standing orders of this game: what can be answered in advance, on what it may depend, and in which words."""
