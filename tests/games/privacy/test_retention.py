"""What is old is deleted once a day, and nothing that is still needed."""

import datetime as dt
from collections.abc import Callable
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from rest_framework.test import APIClient

from games.lobby import invitations, lifecycle
from games.models import ApiToken, Decision, Entrant, Game, Heartbeat, Invitation, Session, SignIn, Tournament, User
from games.people import alerts
from games.privacy import retention
from games.tournaments import tournaments
from notifications import ledger, privacy
from notifications.models import Attempt, DeliveryState, FoldedNotices, Inbound, Notice, Recipient
from tests.games.conftest import deliveries, fresh, make_user
from tests.games.tournaments.conftest import plan

DAY = dt.timedelta(days=1)


def clear(now: dt.datetime) -> int:
    """All of a day's work; returns in how many parts."""
    parts = 1
    while retention.clear_some(now):
        parts += 1
    return parts


def settled() -> None:
    deliveries().update(state=DeliveryState.ACCEPTED, attempt_after=None)


def test_it_is_done_once_a_night(ben: User, now: dt.datetime) -> None:
    midnight = now.replace(hour=0)
    SignIn.objects.create(user=ben, kind="network", mark="x", at=now - 400 * DAY)
    clear(midnight)
    assert not SignIn.objects.exists()
    SignIn.objects.create(user=ben, kind="network", mark="x", at=now - 400 * DAY)
    clear(midnight + dt.timedelta(hours=2))
    assert SignIn.objects.exists()
    clear(midnight + dt.timedelta(hours=3))
    assert not SignIn.objects.exists()


def test_in_small_parts_and_the_day_is_done_with_the_last(
    ben: User, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "MOST_AT_ONCE", 2)
    for number in range(5):
        SignIn.objects.create(user=ben, kind="network", mark=str(number), at=now - 400 * DAY)
    assert retention.clear_some(now)
    assert SignIn.objects.count() == 3
    assert Heartbeat.objects.get(name=retention.HEART).beat_at == retention.NEVER
    assert clear(now) == 3
    assert Heartbeat.objects.get(name=retention.HEART).beat_at == now


def test_what_was_told_goes_after_a_year_but_not_of_what_is_still_asked(
    game: Game, ben: User, now: dt.datetime
) -> None:
    alerts.copy_taken(user=ben, now=now)
    settled()
    asked = set(Notice.objects.filter(kind="due").values_list("pk", flat=True))
    clear(now + 365 * DAY)
    assert Notice.objects.filter(kind="copy_taken").exists()
    clear(now + 366 * DAY)
    assert asked
    assert set(Notice.objects.values_list("pk", flat=True)) == asked


def test_what_is_still_to_be_sent_stays_however_old(ben: User, now: dt.datetime) -> None:
    EmailAddress.objects.create(user=ben, email=ben.email, verified=True)
    alerts.copy_taken(user=ben, now=now)
    clear(now + 900 * DAY)
    assert Notice.objects.exists()


def test_a_webhooks_calls_lose_their_words_and_stay_in_the_ledger(ben: User, now: dt.datetime) -> None:
    alerts.copy_taken(user=ben, now=now)
    settled()
    deliveries().update(body="{}")
    Attempt.objects.create(delivery=deliveries().get(), started_at=now, excerpt="hello", code="200")
    clear(now + 31 * DAY)
    assert deliveries().get().body == ""
    assert (Attempt.objects.get().excerpt, Attempt.objects.get().code) == ("", "200")


NOT_KEPT = ("ref", "notice", "delivery_notice", "message_id", "provider_id")  # names that nobody answers to any more


def all_told(user: User, game: Game) -> list[object]:
    """What the ledger, the pages of the API and the copy say."""
    own = user.recipient
    client = APIClient()
    client.force_authenticate(user)
    pages, address = list[object](), "/api/v1/me/told/?limit=2"
    while address:
        part = client.get(address).json()
        pages += part["items"]
        address = f"/api/v1/me/told/?limit=2&cursor={part['next']}" if part["next"] else ""
    said = StringIO()
    call_command("told", user.email, game=game.ref, stdout=said)
    names, gone = ("told", "ways_told", "tries_to_tell"), dict.fromkeys(NOT_KEPT)
    tables = [table.rows(own) for table in privacy.PERSONAL_DATA if table.name in names]
    copied = [sorted(str(sorted((row | gone).items(), key=str)) for row in rows) for rows in tables]
    return [pages, len(ledger.History(own)), said.getvalue(), *copied]


def test_what_was_told_in_a_game_that_is_packed_is_folded_and_reads_the_same(
    game: Game, ben: User, now: dt.datetime
) -> None:
    settled()
    for number, row in enumerate(deliveries().filter(notice__recipient=ben.recipient)):
        Attempt.objects.create(delivery=row, started_at=now, ended_at=now + dt.timedelta(seconds=number), code="250")
    about = Notice.objects.filter(thread=game.thread)
    first, later = about.filter(recipient=ben.recipient).order_by("pk")[0], now + 10 * DAY
    again = {name: getattr(first, name) for name in ("recipient", "kind", "subject", "thread", "data")}
    for number in range(4):
        Notice.objects.create(**again, dedupe_key=f"again {number}", created_at=later + number * DAY)
    before = all_told(ben, game)
    clear(now + 60 * DAY)
    assert about.exists(), "the game is not packed"
    Decision.objects.update(status=Decision.Status.WITHDRAWN)
    Game.objects.update(is_packed=True)
    for days in (42, 75):  # some of it is folded before the rest
        clear(now + days * DAY)
    assert not about.exists()
    for one, other in zip(all_told(ben, game), before, strict=True):
        assert one == other
    clear(now + 400 * DAY)
    assert not FoldedNotices.objects.exists()


def test_the_address_of_a_guest_who_never_came_goes_with_his_invitation(
    table: Game, anna: User, now: dt.datetime
) -> None:
    invitations.invite(game_id=table.pk, host=anna, address="eva@example.org", now=now)
    Recipient.objects.update(created_at=now)
    settled()
    clear(now + 100 * DAY)
    assert Invitation.objects.exists(), "the table is still open"
    lifecycle.close(game_id=table.pk, host=anna, now=now)
    settled()
    clear(now + 101 * DAY)
    assert not Invitation.objects.exists()
    assert not Recipient.objects.filter(address="eva@example.org").exists()
    assert Recipient.objects.filter(address="anna@example.org").exists()


def unconfirmed(now: dt.datetime) -> User:
    user = make_user("Eva")
    User.objects.filter(pk=user.pk).update(date_joined=now)
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    return user


def confirm(user: User, table: Game, now: dt.datetime) -> None:
    EmailAddress.objects.filter(user=user).update(verified=True)


def sit_down(user: User, table: Game, now: dt.datetime) -> None:
    lifecycle.join(game_id=table.pk, user=user, now=now)


def make_a_token(user: User, table: Game, now: dt.datetime) -> None:
    ApiToken.objects.create(user=user, name="bot", digest="x")


def test_an_account_nobody_has_confirmed_goes_after_a_month(now: dt.datetime, db: None) -> None:
    user = unconfirmed(now)
    clear(now + 30 * DAY)
    assert User.objects.filter(pk=user.pk).exists()
    clear(now + 31 * DAY)
    assert not User.objects.filter(pk=user.pk).exists()
    assert not Recipient.objects.filter(address="eva@example.org").exists()


@pytest.mark.parametrize("use", [confirm, sit_down, make_a_token])
def test_an_account_that_is_used_stays(use: Callable[..., None], table: Game, now: dt.datetime) -> None:
    user = unconfirmed(now)
    use(user, table, now)
    clear(now + 31 * DAY)
    assert User.objects.filter(pk=user.pk).exists()


def test_an_account_that_may_accept_an_invitation_waits_for_it(table: Game, anna: User, now: dt.datetime) -> None:
    user = unconfirmed(now)
    row = Invitation.objects.create(game=table, inviter=anna, recipient=user.recipient, address=user.email)
    clear(now + 31 * DAY)
    assert not User.objects.get(pk=user.pk).is_kept
    row.delete()
    clear(now + 32 * DAY)
    assert not User.objects.filter(pk=user.pk).exists()


def test_who_is_kept_is_looked_at_once(table: Game, anna: User, now: dt.datetime) -> None:
    User.objects.update(date_joined=now)
    Recipient.objects.update(created_at=now)
    assert clear(now + 400 * DAY) > 1
    assert not User.objects.filter(is_kept=False).exists()
    assert not Recipient.objects.filter(is_kept=False).exists()
    rules = [rule for rule in retention.EXPIRIES if rule.name in ("unconfirmed_accounts", "invitations")]
    assert [row for rule in rules for row in rule.find(now + 500 * DAY)] == []


def test_answers_by_mail_go_but_not_one_that_waits(ben: User, now: dt.datetime) -> None:
    for state in (Inbound.State.DONE, Inbound.State.WAITING):
        Inbound.objects.create(recipient=ben.recipient, subject="x", key=state, received_at=now, state=state)
    clear(now + 91 * DAY)
    assert Inbound.objects.get().state == Inbound.State.WAITING


def test_sessions_that_are_over_go(now: dt.datetime, db: None) -> None:
    Session.objects.create(session_key="old", session_data="", expire_date=now - DAY)
    Session.objects.create(session_key="new", session_data="", expire_date=now + DAY)
    clear(now)
    assert Session.objects.get().session_key == "new"


def test_nothing_of_a_game_is_deleted(placing: Game, now: dt.datetime) -> None:
    settled()
    before = (placing.moves.count(), placing.seats.count(), placing.decisions.count())
    clear(now + 3000 * DAY)
    assert (placing.moves.count(), placing.seats.count(), placing.decisions.count()) == before
    assert fresh(placing).status == Game.Status.RUNNING


def test_every_term_has_a_rule_and_every_rule_a_term() -> None:
    from django.conf import settings

    assert {rule.name for rule in retention.EXPIRIES} == set(settings.KEPT)


def test_a_tournament_that_never_began_goes_and_one_that_was_played_stays(
    anna: User, ben: User, now: dt.datetime
) -> None:
    cups = [tournaments.open_tournament(host=anna, plan=plan(now), now=now) for _cup in range(2)]
    for cup in cups:
        tournaments.enter(tournament_id=cup.pk, user=ben, now=now)
        tournaments.call_off(tournament_id=cup.pk, by=anna, reason="Too hot.", now=now)
    Tournament.objects.filter(pk=cups[1].pk).update(started_at=now)
    clear(now + 89 * DAY)
    assert Tournament.objects.count() == 2
    clear(now + 91 * DAY)
    assert [entrant.tournament for entrant in Entrant.objects.all()] == [cups[1]]
