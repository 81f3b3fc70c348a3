"""The webhook channel."""
