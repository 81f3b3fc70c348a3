"""From a question to an answer, with nothing but the mail."""

import datetime as dt
import re

import pytest
from django.core import mail as django_mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from games.errors import ServiceError
from games.lobby import invitations
from games.models import Decision, Game, Move, Seat, User
from games.play import absences
from games.play.asking_letters import Due
from notifications.composers import composer_for
from notifications.delivery.sending import deliver
from notifications.messages import Form
from notifications.models import Notice
from notifications.outbox import accepted_at
from tests.games.conftest import new_table, open_rows, seat_of
from tests.games.web.filling import pressed

PATH = r"http://localhost:8000(/[^\s\"<]+)"


def deliver_all(now: dt.datetime) -> list[EmailMultiAlternatives]:
    """Everything that is due leaves; the mails that left."""
    django_mail.outbox.clear()
    while deliver(now, 1):
        pass
    return [sent for sent in django_mail.outbox if isinstance(sent, EmailMultiAlternatives)]


def mail_to(user: User, mails: list[EmailMultiAlternatives], word: str) -> EmailMultiAlternatives:
    """The mail to this person with a word in its subject."""
    return next(sent for sent in mails if user.email in sent.to[0] and word in str(sent.subject))


def paths(sent: EmailMultiAlternatives, part: str) -> set[str]:
    """The paths of ours in one part of a mail, with entities resolved."""
    text = str(sent.body) if part == "text" else str(sent.alternatives[0][0]).replace("&amp;", "&")
    return {path.partition("#")[0] for path in re.findall(PATH, text)}


@pytest.mark.slow
def test_from_the_mail_to_the_move(game: Game, ben: User, client: Client, now: dt.datetime) -> None:
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    sent = mail_to(ben, deliver_all(now), "(by ")
    assert accepted_at(row.due_key) is not None
    [path] = [path for path in paths(sent, "text") if path.startswith("/act/") and "?" not in path]
    assert path in paths(sent, "html")
    assert client.get(path).status_code == 200
    assert not Move.objects.filter(game=game, source=Move.Source.LINK).exists()
    tap = {"decision": row.code, "take_treasures-amounts-crown": "3"}
    assert client.post(path, tap).status_code == 200  # as a program presses it: who is there is asked
    assert not Move.objects.filter(game=game, source=Move.Source.LINK).exists()
    answered = client.post(path, tap | pressed())
    assert answered.status_code == 303
    [move] = Move.objects.filter(game=game, source=Move.Source.LINK)
    assert (move.seat, move.decision, move.actor) == (row.seat.number, row.code, ben)
    row.refresh_from_db()
    assert row.status == Decision.Status.ANSWERED


@pytest.mark.slow
def test_every_link_in_a_mail_opens_and_changes_nothing(
    game: Game, anna: User, client: Client, now: dt.datetime
) -> None:
    mails = deliver_all(now)
    assert len(mails) == 3  # for each of three people "started" and "due" in one
    client.force_login(anna)  # the table is for those who are signed in
    for sent in mails:
        if anna.email not in sent.to[0]:
            continue
        for path in paths(sent, "text") | paths(sent, "html"):
            assert client.get(path).status_code == 200, path
    assert Move.objects.filter(game=game).count() == 1


@pytest.mark.slow
def test_both_parts_of_a_mail_have_the_same_links(game: Game, now: dt.datetime) -> None:
    for sent in deliver_all(now):
        assert paths(sent, "text") == paths(sent, "html")


@pytest.mark.slow
def test_an_invitation_opens_and_can_be_refused_for_ever(
    table: Game, anna: User, client: Client, now: dt.datetime
) -> None:
    invitations.invite(game_id=table.pk, host=anna, address="eva@example.net", now=now)
    [sent] = deliver_all(now)
    for path in paths(sent, "text") | paths(sent, "html"):
        assert client.get(path).status_code == 200, path
    header = sent.extra_headers["List-Unsubscribe"].strip("<>")
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = header.removeprefix("http://localhost:8000")
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    other = new_table(anna, now)
    with pytest.raises(ServiceError):
        invitations.invite(game_id=other.pk, host=anna, address="eva@example.net", now=now)


@pytest.mark.slow
def test_the_way_back_is_in_the_mail(game: Game, ben: User, client: Client, now: dt.datetime) -> None:
    deliver_all(now)
    seat = seat_of(game, ben)
    absences.make_absent(seat, open_rows(game)[0], now)
    sent = mail_to(ben, deliver_all(now), "no longer waits")
    [path] = [path for path in paths(sent, "text") if path.startswith("/back/")]
    assert client.get(path).status_code == 200
    seat.refresh_from_db()
    assert seat.status == Seat.Status.ABSENT
    assert client.post(path, pressed()).status_code == 200
    seat.refresh_from_db()
    assert seat.status == Seat.Status.ACTIVE


@pytest.mark.slow
def test_what_a_mail_is_about_is_read_once_and_anew_for_each_try(
    game: Game, ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, find = [], Due.find
    monkeypatch.setattr(Due, "find", lambda self, key: (found.append(key), find(self, key))[1])
    row = next(row for row in open_rows(game) if row.seat.user == ben)
    deliver_all(now)
    assert found.count(row.subject) == 1
    notice = Notice.objects.get(dedupe_key=row.due_key)
    assert composer_for("due").is_current(notice) == ""
    assert composer_for("due").compose(notice, "en", Form.LETTER) is not None
    Decision.objects.all().delete()
    assert composer_for("due").compose(notice, "en", Form.LETTER) is None
