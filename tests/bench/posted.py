"""What is sent to a web server to make a move."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """One POST."""

    path: str
    body: bytes
    headers: dict[str, str]
