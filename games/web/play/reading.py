"""The log, its new lines, table talk and the reader's own notes beside the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games.lobby import practice
from games.people.characters import CHARACTERS, STRONGEST, Character, Word, ladder, word_at
from games.people.models import User
from games.play import history, queries, table_talk
from games.play.history import LogLine
from games.play.models import Comment, Move
from games.play.queries import Access, GameResult
from games.web.reader import signed_in

LOG_LINES = 50  # shown at first; the whole log is one click away


@dataclass(frozen=True)
class Finale:
    """How a game ended, as its reader sees it: who won, why, and where it turned.

    Arguments:
        rival, stronger: in a game against bots the code of the strongest of them, and who is next on the ladder.
    """

    headline: str
    result: GameResult
    turn: str
    rival: str = ""
    stronger: Character | None = None


@dataclass(frozen=True)
class TalkLine:
    """A line of table talk, and whether its reader may hide it, and block its author."""

    comment: Comment
    may_hide: bool
    may_block: bool


def reading_context(
    request: HttpRequest, access: Access, now: datetime, *, is_live: bool, done: Move | None = None
) -> dict[str, object]:
    """Log, news and talk for a page of the table.

    Arguments:
        done: the reader's own answer that led here, if one did.
    """
    user = signed_in(request)
    is_whole = request.GET.get("log") == "all"
    lines = recent_log(access, is_whole=is_whole)
    new_from, visit, game = None, None, access.game
    if user is not None and access.seat is not None and is_live:
        new_from = history.load_last_seen(user=user, game=game)
    elif user is not None and access.seat is not None:
        visit = history.record_visit(user=user, game=game, now=now, answered=done.first_public - 1 if done else 0)
        new_from = visit and visit.before
    return {
        "log": _filtered(lines, request.GET) if is_whole else lines,
        "is_whole_log": is_whole,
        "who": _number(request.GET.get("who", "")),
        "words": request.GET.get("words", "")[:60],
        "seats": access.game.seated(),
        "new_from": new_from,
        "play_since": visit.seen if visit and visit.seen < game.public_events else None,
        "talk": latest_comments(access, user),
    }


def finale(access: Access) -> Finale | None:
    """The end of a finished game, or None."""
    game = access.game
    result = queries.result(game, access.reader)
    if result is None:
        return None
    rival = practice.strongest_at(game) if access.seat is not None and game.is_lesson and not game.is_guided else ""
    strength = CHARACTERS[rival].strength if rival in CHARACTERS else STRONGEST
    stronger = next((rung for rung in ladder(game.rules.bots) if rung.strength > strength), None)
    return Finale(_headline(access, result), result, history.turning_point(access), rival, stronger)


def bots_word(access: Access, user: User | None) -> Word | None:
    """What a bot's character says at this table now, to a player who wants to hear it; None for nothing."""
    game = access.game
    if user is None or access.seat is None or not user.hears_bots or (game.is_lesson and game.is_guided):
        return None
    bots = {seat.number: seat.bot for seat in game.seated() if seat.bot}
    if not bots:
        return None
    standings = game.rules.standings(game.rules.view(game.look_at_state(), None))  # what everybody sees
    totals: Any = next((text.params["totals"]["totals"] for text in standings if "totals" in text.params), [])
    winners = game.outcome["winners"] if game.outcome else None
    return word_at(game.ref, access.reader, bots, game.public_events, dict(totals), winners)


def _headline(access: Access, result: GameResult) -> str:
    """Who won, and where the scores say it by how much."""
    numbers = [seat.number for seat in result.winners]
    names = get_text_list([seat.spoken_name for seat in result.winners if seat.number != access.reader], _("and"))
    if len(numbers) > 1:
        return (_("You and %(names)s win") if access.reader in numbers else _("%(names)s win")) % {"names": names}
    scores = [score for _place, _seat, score in result.places]
    facts = {"name": names, "most": scores[0], "next": scores[1]}
    is_by_score = scores[0] > scores[1]
    if access.reader in numbers:
        return _("You win, %(most)s to %(next)s") % facts if is_by_score else _("You win")
    return (_("%(name)s wins, %(most)s to %(next)s") if is_by_score else _("%(name)s wins")) % facts


def writing_context(access: Access, user: User | None) -> dict[str, object]:
    """The reader's own notes, and whether he may speak."""
    is_there = user is not None and (access.seat is not None or access.game.host_id == user.pk)
    notes = queries.note_of(access.game.pk, user.pk) if user is not None and access.seat else []
    unread = queries.unread_talk(user, [access.game.pk]) if user is not None and access.seat else {}
    count = unread.get(access.game.pk, 0)
    return {
        "may_talk": is_there,
        "note": notes[0].text if notes else "",
        "unread": count,
        "unread_in_words": queries.unread_in_words(count),
    }


def latest_comments(access: Access, user: User | None) -> list[TalkLine]:
    """The newest lines of table talk, oldest of them first."""
    rows = queries.comments_of(access.game.pk)[::-1]
    for row in rows:
        row.game = access.game
    table_talk.fold(rows, user)
    return [TalkLine(row, table_talk.may_hide(row, user), table_talk.may_block(row, user)) for row in rows]


def recent_log(access: Access, *, is_whole: bool) -> list[LogLine]:
    """The log, newest first."""
    return (history.log_lines(access) if is_whole else history.recent_lines(access, LOG_LINES))[::-1]


def _filtered(lines: list[LogLine], wish: Mapping[str, str]) -> list[LogLine]:
    who, words = _number(wish.get("who", "")), wish.get("words", "")[:60].casefold().split()
    return [
        line
        for line in lines
        if (who is None or getattr(line.event, "seat", None) == who)
        and all(word in line.text.casefold() for word in words)
    ]


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None
