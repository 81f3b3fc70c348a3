"""Stepping through a game: the board as its reader could see it after each step."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.log.history import step_of
from games.web.play import answering
from games.web.play.table_page import access_game


@require_safe
def history(request: HttpRequest, ref: str) -> HttpResponse:
    """One step, with the ways to all others; a number that is none leads to the nearest step."""
    access = access_game(request, ref)
    if not access.game.started_at:
        return redirect("table", ref=ref)
    step = step_of(access, _number(request.GET.get("step", "")))
    context = {"game": access.game, "step": step, **answering.board_context(access, step.view)}
    return render(request, "games/play/history.html", context)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None
