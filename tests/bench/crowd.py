"""Very many games beside those that are measured: copies of one that was really played, made by the database itself."""

from collections.abc import Mapping

from django.db import connection
from django.db.models import Model

from games.models import Decision, Game, Move, Seat, User
from notifications.models import Recipient

PEOPLE = 10_000
APART = 10  # keys of a copy's seats, and of its questions: more than a table has
RUNNING, FINISHED, SWEPT = 10_000_000, 20_000_000, 30_000_000
"""From which key on copies stand: far behind whatever is made meanwhile."""

REF = "substr(md5('{salt}' || n), 1, 4) || lpad(n::text, 8, '0')"
MOVES = 20  # of a finished game


def copy(model: type[Model], source: str, first: int, last: int, changes: Mapping[str, str]) -> None:
    """Adds copies of rows, numbered `n`, in one statement.

    Arguments:
        source: which rows are copied, as a condition in SQL on `t`.
        first, last: the numbers, both included.
        changes: what is not copied, as SQL, by column. The key is given by the database unless it stands here.
    """
    table, fields = model._meta.db_table, model._meta.concrete_fields
    columns = {field.column: f't."{field.column}"' for field in fields if not field.primary_key} | dict(changes)
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({names}) SELECT {", ".join(columns.values())} '  # noqa: S608  # from above
            f'FROM "{table}" t CROSS JOIN generate_series({first}, {last}) n WHERE {source}'
        )


def settle() -> None:
    """What the database does by itself from time to time: it learns how many rows there are."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def invite(like: User) -> None:
    """The people who play in the copies."""
    copy(Recipient, f"t.id = {like.recipient_id}", 1, PEOPLE, {"id": f"{RUNNING} + n", "address": "n || '@many.test'"})
    changes = {"id": f"{RUNNING} + n", "recipient_id": f"{RUNNING} + n", "email": "n || '@many.test'"}
    copy(User, f"t.id = {like.pk}", 1, PEOPLE, changes | {"ref": REF.format(salt="u")})


def run(game: Game, first: int, last: int) -> None:
    """Copies of a running game: its state, questions and log, played by others, whose time is over some day."""
    later = "now() + (1 + n % 72) * interval '1 hour'"
    changes = {"id": f"{RUNNING} + n", "ref": REF.format(salt="r"), "host_id": _somebody("0"), "is_listed": "n % 2 = 0"}
    changes["absent_seats"] = "CASE WHEN n % 20 = 0 THEN 'takeover' ELSE 'pass' END"
    copy(Game, f"t.id = {game.pk}", first, last, changes)
    _seat(game, RUNNING, first, last)
    _ask(game, RUNNING, first, last, {"due_at": later, "remind_at": f"{later} - interval '30 minutes'"})
    copy(Move, f"t.game_id = {game.pk}", first, last, {"game_id": f"{RUNNING} + n"})


def finish(game: Game, first: int, last: int) -> None:
    """Copies of a finished game, each in its place in the archive, with a log of 20 moves and no state to speak of."""
    ended = "now() - n * interval '1 minute'"
    changes = {
        "id": f"{FINISHED} + n", "ref": REF.format(salt="f"), "host_id": _somebody("0"), "is_listed": "n % 2 = 0",
        "state": "'{}'", "finished_at": ended, "rated_at": ended, "seq": str(MOVES),
    }  # fmt: skip
    copy(Game, f"t.id = {game.pk}", first, last, changes)
    _seat(game, FINISHED, first, last)
    copy(Move, f"t.game_id = {game.pk} AND t.seq <= {MOVES}", first, last, {"game_id": f"{FINISHED} + n"})


def ask(game: Game, first: int, last: int, due_at: str, stateful: int) -> None:
    """Tables at which everybody is asked the same as in `game`; nobody has answered.

    Arguments:
        due_at: as SQL.
        stateful: how many of them have a state, so that they can go on.
    """
    state = f"CASE WHEN n <= {stateful} THEN t.state ELSE '' END"
    changes = {"id": f"{SWEPT} + n", "ref": REF.format(salt="s"), "state": state}
    copy(Game, f"t.id = {game.pk}", first, last, changes)
    _seat(game, SWEPT, first, last)
    _ask(game, SWEPT, first, last, {"due_at": due_at, "allowed_until": due_at, "remind_at": "NULL"})


def lengthen(game: Game, moves: int) -> None:
    """Makes a log that much longer: its last answer, and what it answered, once more and once more."""
    last = game.moves.filter(kind=Move.Kind.ANSWER).latest("seq")
    game.refresh_from_db()
    changes = {
        "seq": f"{game.seq} + n", "decision": "'copy-' || n || '-' || t.decision", "idempotency_key": "''",
        "first_public": f"{game.public_events} + n",
    }  # fmt: skip
    copy(Move, f"t.id = {last.pk}", 1, moves, changes)
    asked = game.decisions.exclude(status=Decision.Status.OPEN).latest("pk")
    ref = f"'x{game.pk % 1_000:03}' || lpad(({game.seq} + n)::text, 8, '0')"
    copy(Decision, f"t.id = {asked.pk}", 1, moves, {"code": "'copy-' || n || '-' || t.code", "ref": ref})
    Game.objects.filter(pk=game.pk).update(seq=game.seq + moves, public_events=game.public_events + moves)


def _somebody(number: str) -> str:
    return f"{RUNNING} + 1 + (n * 4 + {number}) % {PEOPLE}"


def _seat(game: Game, base: int, first: int, last: int) -> None:
    changes = {"id": f"({base} + n) * {APART} + t.number", "game_id": f"{base} + n", "user_id": _somebody("t.number")}
    copy(Seat, f"t.game_id = {game.pk}", first, last, changes)


def _ask(game: Game, base: int, first: int, last: int, clock: Mapping[str, str]) -> None:
    """The open questions of a game, each put to the seat with the same number."""
    numbers = dict(game.seats.values_list("pk", "number"))
    rows = Decision.objects.filter(game=game, status=Decision.Status.OPEN)
    for place, row in enumerate(rows):
        key = f"({base} + n) * {APART} + {numbers[row.seat_id]}"
        changes = {"id": f"({base} + n) * {APART} + {place}", "game_id": f"{base} + n", "seat_id": key}
        changes["ref"] = f"'{place}' || substr({REF.format(salt=base)}, 2)"
        copy(Decision, f"t.id = {row.pk}", first, last, {**changes, **clock})
