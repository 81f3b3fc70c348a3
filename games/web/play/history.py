"""Looking back at a game: the board as its reader could see it after each step, and where each card was played."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.log import log_entries
from games.log.history import step_of
from games.play import queries
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


@require_safe
def cards(request: HttpRequest, ref: str) -> HttpResponse:
    """Every card of the game and what it does, with the number of lines about it in the log as its reader sees it."""
    access = access_game(request, ref)
    game = access.game
    if not game.started_at:
        return redirect("table", ref=ref)
    lines = [line.text.casefold() for line in log_entries.log_lines(access)]
    tables = [
        (table, [(row, _count(lines, row[0])) for row in table.rows])
        for table in game.rules.pieces(queries.current_language())
        if table.are_named
    ]
    return render(request, "games/play/cards.html", {"game": game, "tables": tables})


def _count(lines: list[str], name: str) -> int:
    """In how many lines the filter of the log finds these words."""
    words = name.casefold().split()
    return sum(all(word in line for word in words) for line in lines)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else None
