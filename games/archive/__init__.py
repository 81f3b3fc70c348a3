"""Finished games: archive, ratings, records, reviews, profiles, the weekly summary."""
