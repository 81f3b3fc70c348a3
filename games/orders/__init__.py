"""Standing orders, round sheets and tally plans: given, shown, and read from forms and replies."""
