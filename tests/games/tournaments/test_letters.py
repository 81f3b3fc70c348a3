"""What people of a tournament are told by email, and that nobody is told the same twice."""

import datetime as dt
from email.utils import parseaddr

import pytest
from django.core import mail as django_mail
from django.test import Client
from django.urls import reverse

from games.models import ModerationEntry, User
from games.tournaments import tournaments
from notifications.delivery.sending import deliver
from tests.games.letters.conftest import mail
from tests.games.tournaments.conftest import DAY, Open, again, enter_many, let_all_end, work

pytestmark = pytest.mark.slow


def deliver_all(now: dt.datetime) -> list[tuple[str, str, str]]:
    """Everything that is due leaves: to whom, subject, words."""
    django_mail.outbox.clear()
    while deliver(now, 1):
        pass
    return [(parseaddr(sent.to[0])[1], str(sent.subject), str(sent.body)) for sent in django_mail.outbox]


def test_a_round_is_told_by_the_one_email_with_which_the_game_starts(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup()
    people = enter_many(cup, 3, now)
    assert [subject for _to, subject, _words in deliver_all(now)] == ["You've entered Spring Cup"] * 3
    work(now + DAY)
    sent = deliver_all(now + DAY)
    assert sorted(to for to, _subject, _words in sent) == sorted(person.email for person in people), "one email each"
    for person in people:
        letter = mail("started", person)
        assert "This is round 1 of 2 of the tournament Spring Cup." in letter.text
        assert reverse("tournament", args=[cup.ref]) in letter.html


def test_at_the_end_everybody_reads_the_winner_and_the_own_place(open_cup: Open, now: dt.datetime) -> None:
    cup = open_cup(rounds=1)
    people = enter_many(cup, 3, now)
    tournaments.leave(tournament_id=cup.pk, user=people[0], now=now)
    tournaments.enter(tournament_id=cup.pk, user=people[0], now=now)
    work(now + DAY)
    let_all_end(cup, 1)
    deliver_all(now + DAY)
    work(now + DAY)
    sent = {to: words for to, subject, words in deliver_all(now + DAY) if subject == "Spring Cup: the final standings"}
    assert set(sent) == {person.email for person in people} | {cup.host.email}
    for person in people:
        [place] = [seat.place for entry in person.tournament_entries.all() for seat in entry.seats.all()]
        assert f"Your place: {place} of 3." in sent[person.email]
        assert f"{place}. {person.name}: {(3 - place) / 2:g}" in sent[person.email].replace("0.50", "0.5")
    assert "Your place" not in sent[cup.host.email]


def test_a_moderator_calls_off_on_the_admin_site_but_not_where_he_plays(
    open_cup: Open, now: dt.datetime, client: Client, ben: User
) -> None:
    cup = open_cup()
    eva = User.objects.create_superuser("eva@example.org", name="Eva")
    client.force_login(eva)
    page = reverse("admin:games_tournament_moderate", args=[cup.pk])
    sent = {"act": "call_off", "call_off-reason": "An insult in its name.", "call_off-sure": "on"}
    tournaments.enter(tournament_id=cup.pk, user=eva, now=now)
    assert "another moderator" in client.get(page).content.decode()
    client.post(page, sent)
    assert again(cup).is_open and not ModerationEntry.objects.exists()
    cup.entrants.all().delete()
    tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
    assert client.post(page, sent).status_code == 302
    assert again(cup).reason == "An insult in its name."
    assert "An insult in its name." in client.get(page).content.decode()
