"""The ETag that an open page watches: whether its game looks different by now, told by one statement.

The face of a game is made of what this viewer may know and of nothing else: the count of public events, who is asked
and until when as everybody is told it, the talk, and the viewer's own moves. No sealed move of another changes it.
"""

from django.db.models import Aggregate, Count, Max, Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils.crypto import salted_hmac

from games.people.models import Block, User
from games.people.speech import current_language
from games.play.models import Comment, Decision, Move
from games.play.queries import IS_ASKED, visible_to
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.database.compiled_query import compiled_rows

Rows = QuerySet[Game, dict[str, object]]
PUBLIC = (
    "public_events", "status", "advance_at", "quarantined_at", "paused_at", "paused_by", "pause_ends_at", "host",
    "settings_version", "hour_at", "hour_state",
)  # fmt: skip
SEATED = ("people", "agreed", "seats_taken", "wishes", "endings", "in_hour", "absent", "resigned")
FACTS = (*PUBLIC, *SEATED, "said", "hidden", "due", "own", "folded")


def compute_page_etag(user: User | None, ref: str) -> str | None:
    """A short text that changes with what this viewer can see of a game; None if he may not see it at all."""
    rows = _seen_by(ref, user.pk) if user is not None else _seen(ref)
    if not rows:
        return None
    facts = tuple(rows[0])
    # Keyed: what it is made of cannot be found by trying.
    viewer = user.pk if user is not None else None
    return salted_hmac("games.web.play.page_etag", repr((facts, viewer, current_language()))).hexdigest()[:24]


@compiled_rows(*FACTS)
def _seen_by(ref: str, user: int) -> Rows:
    moves = Move.objects.filter(game=OuterRef("pk"), actor=user)
    blocks = Block.objects.filter(recipient__user=user)
    return _facts(Game.objects.filter(visible_to(user), ref=ref), moves, blocks)


@compiled_rows(*FACTS)
def _seen(ref: str) -> Rows:
    return _facts(Game.objects.filter(visible_to(None), ref=ref), Move.objects.none(), Block.objects.none())


def _facts(rows: QuerySet[Game], own: QuerySet[Move], blocks: QuerySet[Block]) -> Rows:
    """Arguments:
    own: the moves of the viewer himself, of which the last one counts, in whichever window he made it. Its time, not
        its number, which counts the sealed moves of others.
    blocks: of the viewer, who sees the talk of those he has blocked folded.
    """
    mine = Subquery(own.order_by("-seq").values("made_at")[:1])
    folded = Subquery(blocks.order_by().values("recipient").annotate(value=Sum("blocked")).values("value"))
    facts: Rows = rows.values(*PUBLIC).annotate(**_seats(), **_talk(), due=_due(), own=mine, folded=folded)
    return facts


def _seats() -> dict[str, object]:
    """Returns the part about seats: who is there, who is away, who wishes a pause or the end."""
    return {
        "people": Sum("seats__user"),
        "agreed": Sum("seats__agreed_version"),
        "seats_taken": Count("seats"),
        "wishes": Count("seats", filter=Q(seats__wants_pause=True)),
        "endings": Count("seats", filter=Q(seats__wants_end=True)),
        "in_hour": Count("seats", filter=Q(seats__agrees_to_hour=True)),
        "sought": Count("seats", filter=Q(seats__seeks_successor=True)),
        "absent_wishes": Max("seats__absent_wish"),
        "voted": Count("seats", filter=~Q(seats__absent_wish="")),
        "absent": Count("seats", filter=Q(seats__status=Seat.Status.ABSENT)),
        "resigned": Count("seats", filter=Q(seats__status=Seat.Status.RESIGNED)),
    }


def _talk() -> dict[str, object]:
    lines = Comment.objects.filter(game=OuterRef("pk"))
    return {"said": _of_group(lines, Count("pk")), "hidden": _of_group(lines, Count("hidden_at"))}


def _due() -> Subquery:
    """`queries.due_at`: of a sealed question all rows count, answered or not.

    It begins with what is open, which is little: a game has asked hundreds of times before.
    """
    waiting = Decision.objects.filter(game=OuterRef(OuterRef("pk")), status=Decision.Status.OPEN)
    rows = Decision.objects.filter(IS_ASKED, game=OuterRef("pk"), code__among=waiting.values("code"))
    return _of_group(rows, Max("due_at"))


def _of_group(rows: QuerySet[Model, object], value: Aggregate) -> Subquery:
    """An aggregate over all these rows of one game."""
    return Subquery(rows.order_by().values("game").annotate(value=value).values("value"))
