"""The tables of the service, by topic."""

from games.models.absence import Vacation
from games.models.game import Game, Invitation, Seat
from games.models.importing import Import
from games.models.keyed import Keyed
from games.models.moderation import ModerationEntry, Report
from games.models.play import SUBJECT, Decision, Extension, Heartbeat, Move, OrderDate, Outage, Receipt
from games.models.rating import Rating
from games.models.request_count import RequestCount
from games.models.second_factor import SealedTOTPDevice
from games.models.session import Session
from games.models.talk import LONGEST_COMMENT, LONGEST_NOTE, Comment, Look, Note, Snapshot
from games.models.user import AddressChange, ApiToken, Erasure, SignIn, User

__all__ = [
    "LONGEST_COMMENT",
    "LONGEST_NOTE",
    "SUBJECT",
    "AddressChange",
    "ApiToken",
    "Comment",
    "Decision",
    "Erasure",
    "Extension",
    "Game",
    "Heartbeat",
    "Import",
    "Invitation",
    "Keyed",
    "Look",
    "ModerationEntry",
    "Move",
    "Note",
    "OrderDate",
    "Outage",
    "Rating",
    "Receipt",
    "Report",
    "RequestCount",
    "SealedTOTPDevice",
    "Seat",
    "Session",
    "SignIn",
    "Snapshot",
    "User",
    "Vacation",
]
