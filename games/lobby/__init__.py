"""A table before and beside its game: opening, inviting, guests, bots, lessons, and what its host changes."""
