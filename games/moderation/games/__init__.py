"""What moderators, and hosts in part, do to one game: its clocks, seats and earlier steps, its players' hands."""
