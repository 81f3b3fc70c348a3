"""What people are told, one file per kind of letter."""


def register_all() -> None:
    """Registers every kind of letter with `notifications`."""
