"""Ben, of whom a lot is kept."""

import datetime as dt
import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.test import RequestFactory

from games.clubs import invitations as club_invitations
from games.lobby import bot_accounts, hosting, invitations, puzzles
from games.models import (
    Decision,
    Game,
    Import,
    Keyed,
    ModerationEntry,
    Rating,
    RatingChange,
    SealedProposal,
    SealedTOTPDevice,
    TournamentTable,
    User,
)
from games.moderation import people, reports
from games.people import accounts, alerts, friends, sessions, tokens
from games.people.sessions import SessionStore
from games.play import absences, table_talk
from games.tables import webhooks
from games.tournaments import matches, tournaments
from notifications.models import Attempt, Bounce, Inbound, StoredMail
from tests.games.clubs.founding import found
from tests.games.conftest import answer, deliveries, new_table, open_rows, seat_of
from tests.games.lobby.lending import lend_one
from tests.games.tournaments.conftest import plan
from tests.notifications.browsers import Browser

SECRET_URL = "https://hooks.example.org/very-secret-path"


def whole_database() -> str:
    """Every row of every table as text."""
    rows: list[Any] = [list(model._default_manager.values()) for model in apps.get_models()]
    return json.dumps(rows, cls=DjangoJSONEncoder, default=str, ensure_ascii=False).lower()


def sit_out_in_a_cup(user: User, now: dt.datetime) -> None:
    """He hosts and has entered a tournament, whose only round he sits out."""
    wanted = plan(now, title=f"{user.name}'s cup", about=f"{user.name} invites you")
    cup = tournaments.open_tournament(host=user, plan=wanted, now=now)
    entrant = tournaments.enter(tournament_id=cup.pk, user=user, now=now)
    row = cup.rounds.create(number=1, started_at=now, ends_at=now)
    row.tables.create(number=1, state=TournamentTable.State.BYE).seats.create(entrant=entrant, place=1)


@pytest.fixture
def busy_ben(placing: Game, anna: User, ben: User, carla: User, now: dt.datetime) -> User:
    """Ben plays, talks, hosts, moves, is written to and has been signed in: something of him is in every table."""
    confirm = EmailAddress.objects.create(user=ben, email=ben.email, verified=True, primary=True)
    assert confirm.pk
    for row in open_rows(placing):
        answer(placing, row, now)
    for row in [row for row in open_rows(placing) if row.seat.user == ben]:
        answer(placing, row, now)
    mine = Decision.objects.filter(seat__user=ben).first()
    facts = {"answer": '{"type":"pass"}', "reason": '{"code":"x"}', "link_generation": 0, "branch": 0}
    SealedProposal.objects.create(decision=mine, opened_at=now, made_at=now, **facts)
    table_talk.say(game_id=placing.pk, user=ben, text="I am Ben and I say so", now=now)
    table_talk.say(game_id=placing.pk, user=anna, text="@ben, your move! @Benno is nobody", now=now)
    table_talk.keep_note(game=placing, user=ben, text="Anna bluffs", now=now)
    reports.file_report(game=placing, by=ben, seat=seat_of(placing, carla).number, text="rude", now=now)
    table = new_table(ben, now, title="Ben's table")
    hosting.save_preset(owner=ben, name="Ben's evenings", game=table, now=now)
    puzzle = puzzles.of_day(now.date())
    value = puzzles.opened(puzzle).choices()[0][0]
    puzzles.answer(recipient=ben.recipient, packed=puzzle, value=value, now=now)
    lend_one(placing)
    hosting.offer_role(game_id=placing.pk, host=anna, seat=seat_of(placing, ben).number, now=now)
    invitations.invite(game_id=table.pk, host=ben, address="eva@example.org", now=now)
    webhooks.create(user=ben, wanted=webhooks.WebhookSettings(SECRET_URL, "mine"), now=now)
    absences.plan(user=ben, first_day=dt.date(2026, 7, 1), last_day=dt.date(2026, 7, 5), now=now)
    accounts.request_address_change(user=ben, new_address="ben@new.example.org", now=now)
    tokens.create_token(user=ben, name="script", now=now)
    Keyed.objects.create(user=ben, key="a" * 64, request="b" * 64, ref=table.ref, created_at=now)
    Import.objects.create(user=ben, data=b"{}", created_at=now)
    sit_out_in_a_cup(ben, now)
    robo = bot_accounts.create(owner=ben, name="Robo", is_for_all=False, now=now)
    bot_accounts.set_terms(bot=robo, takes_games=3)
    for bot in (robo, bot_accounts.create(owner=anna, name="Ada", is_for_all=True, now=now)):
        bot_accounts.renew_token(bot=bot, now=now)
    plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=1)
    matches.open_match(owner=ben, plan=plan, now=now)
    sessions.record_sign_in(user=ben, address="192.0.2.7", browser="Firefox", now=now)
    alerts.signed_in(user=ben, browser="Firefox", system="Linux", network="192.0.2.", now=now)
    Rating.objects.create(user=ben, rules_name=placing.rules_name, mu=27, sigma=8, points=1120, games=1, rated_at=now)
    RatingChange.objects.create(user=ben, rules_name="x", game=placing, points=1120, rated_at=now)
    known(ben, carla, anna, now)
    Browser().subscribe(ben.recipient)
    sessions.trust_device(RequestFactory().get("/"), HttpResponse(), ben, now)
    SealedTOTPDevice.objects.create(user=ben, name="app", confirmed=True)
    moderator = User.objects.create_superuser("eve@example.org", name="Eve")
    people.warn(user=ben, by=moderator, reason="be kind", now=now)
    people.add_note(about=ben, by=moderator, text="Keep an eye on the talk.", now=now)
    note_of_staff(moderator, ben)
    told(ben, now)
    session = SessionStore()
    session["_auth_user_id"] = str(ben.pk)
    session.save()
    return ben


def known(ben: User, carla: User, anna: User, now: dt.datetime) -> None:
    """Ben has a club with his name in it, was invited to another, and has asked one person and was asked by another."""
    own = found(ben, carla, name="Ben's club", about="Ben's friends")
    club_invitations.invite(club=own, by=ben, address="eva@example.org", now=now)
    club_invitations.invite(club=found(anna), by=anna, address=ben.email, now=now)
    friends.ask(user=ben, other=carla, now=now)
    friends.ask(user=anna, other=ben, now=now)


def note_of_staff(staff: User, user: User) -> None:
    """The admin site has written down a change."""
    kind = ContentType.objects.get_for_model(user)
    facts = {"object_repr": f"Ben <{user.email}>", "action_flag": 2, "change_message": "[]"}
    LogEntry.objects.create(user=staff, content_type=kind, object_id=str(user.pk), **facts)


def told(user: User, now: dt.datetime) -> None:
    """A try that named the address, an answer by mail, a mail that came back, one in the mailbox."""
    delivery = deliveries().filter(notice__recipient=user.recipient).first()
    assert delivery is not None
    Attempt.objects.create(delivery=delivery, started_at=now, detail=f"250 <{user.email}> taken")
    facts = {"subject": "decision:x", "line": "first", "key": "k", "received_at": now, "state": Inbound.State.DONE}
    Inbound.objects.create(recipient=user.recipient, **facts)
    from notifications.channels.mail.suppressions import hash_address

    Bounce.objects.create(
        address_hash=hash_address(user.email), kind="bounced", event="e", detail=f"no {user.email} here"
    )
    StoredMail.objects.create(to=user.email, subject="Your move", text=f"Dear {user.email}")
    assert ModerationEntry.objects.filter(user=user).exists()
