"""Pages around a table before and beside its game: lobby, waiting room, host's tools, seats, lessons."""
