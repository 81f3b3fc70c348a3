"""The page behind a link in a mail, from outside: where it is, and an answer that is sent from it."""

from django.http import HttpResponse
from django.test import Client

from games.models import Decision, Game, Seat
from games.play import decision_links
from games.tables import table_links
from tests.games.conftest import fresh, some_answer
from tests.games.web.filling import answer_form, filled


def path_of(url: str) -> str:
    """Where an address of ours is, without the site."""
    return "/" + url.split("/", 3)[3]


def act_path(row: Decision) -> str:
    """The page for this question."""
    return path_of(decision_links.act_url(row))


def back_path(seat: Seat) -> str:
    """The page by which an absent player comes back."""
    return path_of(table_links.seat_url("back", seat))


def post_some_answer(client: Client, row: Decision, dice: int = 0) -> HttpResponse:
    """Opens the page and sends its form with a legal answer; gives the page this leads to."""
    form = answer_form(client.get(act_path(row)))
    given = filled(form, some_answer(fresh(row.game), row, dice))
    response: HttpResponse = client.post(act_path(row), given, follow=True)
    return response


def seq_of(game: Game) -> int:
    """How many moves have been made."""
    return fresh(game).seq
