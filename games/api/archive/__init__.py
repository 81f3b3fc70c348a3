"""The REST API of finished games: the archive, figures, records."""
