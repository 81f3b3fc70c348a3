"""What is left of a finished game: archive, ratings, records, reviews, profiles, the weekly summary."""
