"""After an answer: the form leads on to an address that names the move, and the page there tells what it did.

A move is named by the idempotency key of its form. Its number would tell how many sealed moves others have made.

So whoever answers waits for nothing that is only to be looked at, and who loads the page again answers nothing again.
"""

import re
from datetime import datetime, timedelta
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from games.models import Move
from games.play import game_moves, queries
from games.play.queries import Access
from games.web.play import answering

DONE = "done"  # in the query of an address: the key of the move
NEWS_FOR = timedelta(minutes=15)  # an address that somebody finds later tells no more than it would without it
KEY = re.compile(r"[0-9a-f]{40}")  # what `games.web.play.answer_forms.attempt_key` makes


def onward(path: str, move: Move) -> HttpResponse:
    """Leads on, by GET, to the page that tells what a move did."""
    return HttpResponseRedirect(f"{path}?{DONE}={move.idempotency_key}", status=HTTPStatus.SEE_OTHER)


def own_move(access: Access, key: str, now: datetime) -> Move | None:
    """The viewer's own answer with this key, as long as it is news; None for every other key."""
    if access.number is None or not KEY.fullmatch(key):
        return None
    move = game_moves.find_by_key(access.game, key)
    if move is None or move.seat != access.number or move.kind != Move.Kind.ANSWER:
        return None
    return move if move.made_at > now - NEWS_FOR and move.is_by_person else None


def tell(request: HttpRequest, access: Access, now: datetime) -> None:
    """Says on the page that is shown next what the move did that its address names, if it names one."""
    move = own_move(access, request.GET.get(DONE, ""), now)
    for line in _lines(access, move) if move is not None else ():
        messages.success(request, line)


def _lines(access: Access, move: Move) -> list[str]:
    """What ended with the move, the first thing that everybody sees of it, and that orders came with it."""
    lines = queries.lines_of(access, move)
    shown = next((place for place, line in enumerate(lines) if line.number is not None), 0)
    kept = answering.kept_words(move)
    return [*([line.text for line in lines[: shown + 1]] or [_("Your answer is kept.")]), *([kept] if kept else [])]
