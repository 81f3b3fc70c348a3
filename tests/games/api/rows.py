"""What a row of the matrix says: who reads an address, or changes something there."""

from dataclasses import dataclass, field
from typing import Any

PLAYERS = ("player", "opponent", "staff")
WATCHERS = (*PLAYERS, "spectator")
HOST = ("player",)
ALL = (*WATCHERS, "former", "foreign")
NOBODY: tuple[str, ...] = ()
STAFF = ("staff",)


@dataclass(frozen=True)
class Read:
    """Who reads an address, and the fields he may be given; everybody without a token gets 401.

    Arguments:
        status: for those; 200 unless the table of the test is not the right one.
        refusal: for all others.
        is_public: whether it is read without a token, too.
    """

    viewers: tuple[str, ...]
    fields: str = ""
    status: int = 200
    refusal: int = 404
    query: str = ""
    is_public: bool = False


@dataclass(frozen=True)
class Change:
    """Who may change something there; all others are refused, and nothing is changed."""

    viewers: tuple[str, ...]
    refusal: int = 404
    body: dict[str, Any] = field(default_factory=dict)
    query: str = ""
