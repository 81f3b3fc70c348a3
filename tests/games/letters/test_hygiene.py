"""Names and titles are what people typed: they must not break a letter, forge one, or run in one."""

import datetime as dt

import pytest
from django.core import mail as django_mail
from django.db import connection

from games.lobby import invitations
from games.models import Decision, Game, Seat, User
from games.people.names import UNSEEN
from notifications.delivery.sending import deliver
from tests.games.conftest import new_table
from tests.games.letters.conftest import mail

NASTY = [
    "Eva\r\nBcc: everybody@example.org",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202egnihton\u202c",
    "אנה אנה",
    "🐉🪔\u200d🧞",
    "x" * 10_000,
    "{{ settings.SECRET_KEY }} {% debug %}",
    "%(table)s %s",
    "a\x00b\x1bc\u2028d",
    "   ",
]


def storable(name: str) -> str:
    """The name as this database can hold it: PostgreSQL takes no NUL, and minds the length of a column."""
    return name.replace("\x00", "")[:40] if connection.vendor == "postgresql" else name


def rename(game: Game, name: str) -> None:
    """Stores a name past every form and service, as another version of them might have."""
    Game.objects.filter(pk=game.pk).update(title=storable(name))
    Seat.objects.filter(game=game, number=0).update(name=storable(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", NASTY)
def test_no_name_breaks_or_forges_a_letter(turn: Decision, ben: User, name: str) -> None:
    rename(turn.game, name)
    letter = mail("due", ben)
    assert len(letter.subject) <= 150  # the channel cuts at 200
    subject = letter.subject.translate(UNSEEN)  # as the channel does
    assert subject.isprintable() or "\u200d" in subject
    assert "\nBcc:" not in letter.text
    assert "<script" not in letter.html
    assert [image.split(" ", 1)[0] for image in letter.html.split("<img ")[1:]] == [
        f'src="cid:{letter.pictures[0].cid}"'
    ]
    for sign in "\r\x00\x1b\u202e\u2028":
        assert sign not in letter.text and sign not in letter.html
    assert len(letter.html.encode()) < 100_000
    assert "/act/" in letter.text and "/act/" in letter.html


@pytest.mark.parametrize("name", NASTY)
def test_a_letter_with_any_name_in_it_is_sent(anna: User, now: dt.datetime, name: str) -> None:
    game = new_table(anna, now)
    invitation = invitations.invite(game_id=game.pk, host=anna, address="eva@example.net", now=now)
    rename(game, name)
    User.objects.filter(pk=anna.pk).update(name=storable(name))
    assert "saved you a seat" in mail("invited", invitation.recipient).subject
    while deliver(now, 1):
        pass
    assert [sent.to for sent in django_mail.outbox] == [["eva@example.net"]]
    assert django_mail.outbox[0].message()["Bcc"] is None


def test_there_are_no_two_blank_lines_together(turn: Decision, ben: User) -> None:
    assert "\n\n\n" not in mail("due", ben).text
