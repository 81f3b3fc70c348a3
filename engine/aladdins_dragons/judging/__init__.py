"""What a round looks like to one seat, and what things are worth to it in treasure: by this cards are judged."""
