"""Playing on in many states that look like what a bot sees, to compare answers."""
