"""Standing orders, round plans and tally plans: giving and changing them, and their forms."""
