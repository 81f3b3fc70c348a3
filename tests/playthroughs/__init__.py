"""Transcripts of whole games: what happened, and what each seat saw of it."""
