"""What is hardly ever asked about a game, its seats and its people where moves are made: left unread (`defer`).

A column costs as much as some lines of Python whether or not anybody looks at it, and three statements of a move read
240 of them. What is left out is read by a statement of its own if somebody asks for it after all.
"""

GAME = (
    "recorded_as",
    "again_of",
    "options",
    "absent_seats",
    "commitment",
    "server_seed",
    "pause_ends_at",
    "created_at",
    "expires_at",
    "rated_at",
)
SEAT = ("entropy", "joined_at")
USER = (
    "password",
    "last_login",
    "is_superuser",
    "is_staff",
    "has_profile",
    "is_ranked",
    "is_for_all",
    "date_joined",
    "closed_until",
    "erased_at",
)
RECIPIENT = ("feed_generation", "created_at")


def behind(relation: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The same of what a foreign key leads to."""
    return tuple(f"{relation}__{name}" for name in names)


SEAT_AND_PERSON = (*SEAT, *behind("user", USER), *behind("user__recipient", RECIPIENT))
