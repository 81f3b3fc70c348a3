"""The REST API of moderators."""
