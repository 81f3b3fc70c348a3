"""`manage.py told`: an operator sees what somebody was told, and why no email came."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.models import Game
from notifications.channels.mail import suppressions
from notifications.models import DeliveryState
from tests.games.conftest import deliveries

pytestmark = pytest.mark.django_db


def told(address: str, *words: str) -> str:
    out = StringIO()
    call_command("told", address, *words, stdout=out)
    return out.getvalue()


def somebody(game: Game) -> str:
    user = game.seats.exclude(user=None).order_by("number")[0].user
    assert user is not None
    return user.email


def test_it_says_of_each_notice_what_became_of_it_and_why(game: Game) -> None:
    address = somebody(game)
    own = deliveries().filter(notice__recipient__user__email=address)
    assert own.update(state=DeliveryState.DECLINED, reason="topic_off")
    said = told(address.upper(), "--game", game.ref)
    assert "wasn't sent, as you asked: you've turned this kind of email off" in said


def test_it_says_that_an_address_is_closed(game: Game) -> None:
    address = somebody(game)
    suppressions.suppress(address, "the mailbox does not exist")
    assert "No email goes to this address: the mailbox does not exist" in told(address)


def test_nobody_and_no_game_are_said_in_words(game: Game) -> None:
    with pytest.raises(CommandError, match=r"no account of nobody@example\.org"):
        told("nobody@example.org")
    with pytest.raises(CommandError, match="no game other"):
        told(somebody(game), "--game", "other")
