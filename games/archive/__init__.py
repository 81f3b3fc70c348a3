"""Finished games: the archive, ratings, records, and the stand-alone verifier's program."""
