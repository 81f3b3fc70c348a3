"""Clubs: people who play with each other, and their tables."""
