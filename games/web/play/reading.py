"""The log, its new lines, table talk and the reader's own notes beside the board."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import ngettext

from games.people.models import User
from games.play import history, queries, table_talk
from games.play.history import LogLine
from games.play.models import Comment, Move
from games.play.queries import Access
from games.web.reader import signed_in

LOG_LINES = 50  # shown at first; the whole log is one click away


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
    new_from = None
    if user is not None and access.seat is not None:
        game = access.game
        new_from = (
            history.load_last_seen(user=user, game=game)
            if is_live
            else history.record_visit(user=user, game=game, now=now, answered=done.first_public - 1 if done else 0)
        )
    news = [] if new_from is None else [line for line in lines if _is_news(line, access, new_from)]
    return {
        "log": _filtered(lines, request.GET) if is_whole else lines,
        "is_whole_log": is_whole,
        "who": _number(request.GET.get("who", "")),
        "words": request.GET.get("words", "")[:60],
        "seats": access.game.seated(),
        "new_from": new_from,
        "news": news,
        "news_words": _news_words(len(news)),
        "talk": latest_comments(access, user),
    }


def _news_words(number: int) -> str:
    words = ngettext(
        "%(number)s thing happened since you last looked", "%(number)s things happened since you last looked", number
    )
    return words % {"number": number}


def _is_news(line: LogLine, access: Access, since: int) -> bool:
    """True for a new line that is not about the reader's own move."""
    return (line.number or 0) > since and getattr(line.event, "seat", None) != access.number


def writing_context(access: Access, user: User | None) -> dict[str, object]:
    """The reader's own notes, and whether he may speak."""
    is_there = user is not None and (access.seat is not None or access.game.host_id == user.pk)
    notes = queries.note_of(access.game.pk, user.pk) if user is not None and access.seat else []
    return {"may_talk": is_there, "note": notes[0].text if notes else ""}


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
