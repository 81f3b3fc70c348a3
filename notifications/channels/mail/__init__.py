"""The email channel."""
