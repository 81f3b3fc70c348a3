"""The tables of the service, by topic."""

from games.models.absence import Vacation
from games.models.game import Game, Invitation, Seat
from games.models.moderation import ModerationEntry, Report
from games.models.play import SUBJECT, Decision, Extension, Heartbeat, Move, OrderDate
from games.models.user import AddressChange, ApiToken, User

__all__ = [
    "SUBJECT",
    "AddressChange",
    "ApiToken",
    "Decision",
    "Extension",
    "Game",
    "Heartbeat",
    "Invitation",
    "ModerationEntry",
    "Move",
    "OrderDate",
    "Report",
    "Seat",
    "User",
    "Vacation",
]
