"""The stream of an account: everything that concerns its games, as server-sent events."""
