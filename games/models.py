"""The tables of the service, by topic."""

from games.accounts.models import AddressChange, ApiToken, Erasure, SignIn, User
from games.accounts.sign_in.models import AnonymousRequest, SealedTOTPDevice, Session, TrustedDevice
from games.archive.models import Import, Rating, RatingChange
from games.blocking.models import Block
from games.clubs.models import Club, ClubInvitation, Membership
from games.friends.models import Friendship
from games.hosting.models import HostOffer, SettingsChange, TablePreset
from games.idempotency.models import Keyed
from games.log.models import PackedActor, PackedLog
from games.moderation.models import ModerationEntry, ModeratorNote, Report
from games.operations.models import RequestCount
from games.play.models import SUBJECT, Decision, Extension, Heartbeat, Move, OrderDate, Outage, Receipt, SealedProposal
from games.reviews.models import GameReview
from games.tables.models import Game
from games.tables.seats import Invitation, Seat, SeatTenure
from games.talk.models import LONGEST_COMMENT, LONGEST_NOTE, Comment, Look, Note, Snapshot
from games.timing.models import Vacation
from games.tournaments.models import Entrant, Tournament, TournamentRound, TournamentSeat, TournamentTable

__all__ = [
    "LONGEST_COMMENT",
    "LONGEST_NOTE",
    "SUBJECT",
    "AddressChange",
    "AnonymousRequest",
    "ApiToken",
    "Block",
    "Club",
    "ClubInvitation",
    "Comment",
    "Decision",
    "Entrant",
    "Erasure",
    "Extension",
    "Friendship",
    "Game",
    "GameReview",
    "Heartbeat",
    "HostOffer",
    "Import",
    "Invitation",
    "Keyed",
    "Look",
    "Membership",
    "ModerationEntry",
    "ModeratorNote",
    "Move",
    "Note",
    "OrderDate",
    "Outage",
    "PackedActor",
    "PackedLog",
    "Rating",
    "RatingChange",
    "Receipt",
    "Report",
    "RequestCount",
    "SealedProposal",
    "SealedTOTPDevice",
    "Seat",
    "SeatTenure",
    "Session",
    "SettingsChange",
    "SignIn",
    "Snapshot",
    "TablePreset",
    "Tournament",
    "TournamentRound",
    "TournamentSeat",
    "TournamentTable",
    "TrustedDevice",
    "User",
    "Vacation",
]
