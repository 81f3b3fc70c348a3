"""Time: what it is now, and how long a player has. Pure: no Django, no database, and it knows no game."""
