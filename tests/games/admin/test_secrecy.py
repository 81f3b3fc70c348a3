"""The admin site tells nothing that is hidden."""

import datetime as dt
import re
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games.inbox import handler
from games.models import ApiToken, Extension, Game, ModerationEntry, Move, Seat, User
from games.moderation import reports, tables
from games.people import staff
from games.play import deadlines
from games.play.notify import seat_subject
from notifications.composers import name_of
from notifications.delivery import sending
from notifications.models import Inbound, Notice
from notifications.outbox import Notification, notify
from tests.games.admin.conftest import pages, read, signed_in
from tests.games.conftest import (
    answer,
    deliveries,
    fresh,
    open_rows,
    some_answer,
    to_placing,
)  # fmt: skip

pytestmark = pytest.mark.slow


def test_no_page_shows_what_is_hidden(seeded: Game, administrator: Client) -> None:
    html = "\n".join(text for _address, text in pages(administrator))
    secrets = [seeded.server_seed, seeded.chain, seeded.load_state().rng.seed, ApiToken.objects.get().digest]
    secrets += [move.action for move in seeded.moves.exclude(action="")] + [seeded.state[:60]]
    secrets += [user.password for user in User.objects.all()]
    for secret in secrets:
        assert secret not in html
        assert secret.replace('"', "&quot;") not in html


@pytest.mark.parametrize("who", ["administrator", "moderator"])
def test_states_alike_to_a_spectator_give_the_same_pages(
    seeded: Game, request: pytest.FixtureRequest, who: str
) -> None:
    client = request.getfixturevalue(who)
    before = list(pages(client))
    view = seeded.rules.view(seeded.load_state(), None)
    for dice in range(2):
        state = seeded.rules.dump(seeded.rules.determinise(view, Random(dice))).decode()
        assert state != fresh(seeded).state
        Game.objects.filter(pk=seeded.pk).update(
            state=state, server_seed=f"{dice:064}", chain=f"{dice:064}", seq=1000 + dice, failures=dice
        )
        assert list(pages(client)) == before


def test_a_sealed_answer_changes_no_page(game: Game, ben: User, administrator: Client, now: dt.datetime) -> None:
    """Nobody sees who has answered before all have (A6), the staff included."""
    Seat.objects.filter(game=game).update(misses=1)  # falls to 0 when he answers
    addresses = [
        *(address for address, _html in pages(administrator, "games")),
        *(f"{reverse('admin:games_decision_changelist')}?asked={value}" for value in ("yes", "no")),
    ]
    before = [read(administrator, address) for address in addresses]
    (row,) = [row for row in open_rows(game) if row.seat.user == ben]
    for dice in range(2):
        answer(game, row, now, some_answer(fresh(game), row, dice))
        assert [read(administrator, address) for address in addresses] == before
    hidden = Move.objects.filter(game=game, kind=Move.Kind.ANSWER)
    assert hidden.count() == 2


@pytest.mark.parametrize("model", ["decision", "extension"])
def test_no_address_counts_the_questions_and_the_moved_deadlines(
    game: Game, administrator: Client, now: dt.datetime, model: str
) -> None:
    """An order that answers uses up fewer row ids than a hand, and a hidden extension uses one."""
    row = open_rows(game)[0]
    deadlines.extend(row, Extension.Reason.EXCUSED, now)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    game.decisions.update(status="answered")
    listed = read(administrator, reverse(f"admin:games_{model}_changelist"))[1]
    assert row.seat.display_name in listed
    pk = row.pk if model == "decision" else Extension.objects.get().pk
    page = reverse(f"admin:games_{model}_change", args=[pk])
    assert page not in listed
    assert administrator.get(page)["Location"] == reverse("admin:index")


def kinds_listed(client: Client) -> set[str]:
    """The kinds of notices in their list, by name."""
    listed = read(client, reverse("admin:notifications_notice_changelist"))[1]
    return set(re.findall(r"field-kind_name[^>]*>([^<]*)<", listed))


def deliver_all(now: dt.datetime) -> None:
    while sending.deliver(now, 1):
        pass


def test_who_was_reminded_or_needed_no_letter_any_more_does_not_tell_who_has_answered(
    game: Game, ben: User, administrator: Client, now: dt.datetime
) -> None:
    """Ben answers before his letter goes out: it is stale, and only the others are reminded and excused (A6)."""
    deliveries().exclude(notice__kind="due").update(state="accepted", attempt_after=None)
    before = list(pages(administrator, "notifications"))
    (row,) = [row for row in open_rows(game) if row.seat.user == ben]
    answer(game, row, now)
    for hours in (0, 23, 24):
        later = now + dt.timedelta(hours=hours)
        while deadlines.remind_one(later) or deadlines.expire_one(later):
            pass
        deliver_all(later)
    assert list(pages(administrator, "notifications")) == before
    assert set(Notice.objects.values_list("kind", flat=True)) == {"started", "due", "reminder", "excused"}
    assert deliveries().filter(state="stale").exists()

    to_placing(game, later)  # the question is closed: that Ben answered sooner than others is still his own affair
    names = {name_of(kind) for kind in ("reminder", "excused")}
    listed = kinds_listed(administrator)
    assert not listed & names
    stale = reverse("admin:notifications_delivery_changelist") + "?state__exact=stale"
    assert "field-attempts" not in read(administrator, stale)[1]

    Game.objects.filter(pk=game.pk).update(status=Game.Status.FINISHED)
    assert kinds_listed(administrator) >= names
    assert "field-attempts" in read(administrator, stale)[1]


def test_that_orders_have_answered_is_told_to_their_player_alone_until_the_game_is_over(
    placing: Game, ben: User, administrator: Client, now: dt.datetime
) -> None:
    """What orders do is nobody else's to know; a count of notices would tell it."""
    deliver_all(now)
    before = list(pages(administrator, "notifications"))
    subject, thread = seat_subject(placing.seats.get(user=ben)), placing.thread
    news = Notification(recipient=ben.recipient, kind="orders", subject=subject, dedupe_key="orders:x", thread=thread)
    notice = notify(news, now)
    deliver_all(now)
    assert deliveries().filter(notice=notice).exists()
    assert list(pages(administrator, "notifications")) == before
    Game.objects.filter(pk=placing.pk).update(status=Game.Status.FINISHED)
    assert notice.ref in read(administrator, reverse("admin:notifications_notice_changelist"))[1]


def test_an_answer_by_mail_is_in_no_list_until_the_game_is_over(
    placing: Game, administrator: Client, now: dt.datetime
) -> None:
    """Orders come by mail too, to a question that is open to all; a refused one tells that somebody tried."""
    (row,) = open_rows(placing)
    before = list(pages(administrator, "notifications"))
    assert row.seat.user is not None  # whoever was drawn to begin
    facts = {"recipient": row.seat.user.recipient, "subject": row.subject, "key": "1" * 64}
    inbound = Inbound.objects.create(**facts, received_at=now)
    handler.handle(inbound, now)
    assert inbound.recipient.notices.filter(kind="heard").exists()
    assert list(pages(administrator, "notifications")) == before
    Game.objects.filter(pk=placing.pk).update(status=Game.Status.FINISHED)
    assert inbound.ref in read(administrator, reverse("admin:notifications_inbound_changelist"))[1]


def test_what_is_asked_openly_is_not_hidden(placing: Game, administrator: Client, now: dt.datetime) -> None:
    (row,) = open_rows(placing)
    assert row.subject in read(administrator, reverse("admin:notifications_notice_changelist"))[1]


def test_the_log_is_told_from_redacted_events(seeded: Game, administrator: Client) -> None:
    """A token that lies face down has no value for spectators (A20)."""
    before = list(pages(administrator, "games"))
    rules = seeded.rules
    for move in seeded.moves.all():
        seen = [rules.redact(event, None) for event in rules.load_events(move.events.encode())]
        Move.objects.filter(pk=move.pk).update(events=rules.dump_events(seen).decode())
    assert list(pages(administrator, "games")) == before


def test_an_extension_of_a_sealed_question_is_not_shown_while_it_is_open(
    game: Game, administrator: Client, now: dt.datetime
) -> None:
    """Who gets more time has not answered."""
    before = list(pages(administrator, "games"))
    deadlines.extend(open_rows(game)[0], Extension.Reason.OUTAGE, now)
    assert list(pages(administrator, "games")) == before
    to_placing(game, now)
    assert "interrupted" in read(administrator, reverse("admin:games_extension_changelist"))[1]


def test_who_closed_a_sealed_question_is_not_said(placing: Game, administrator: Client, now: dt.datetime) -> None:
    _address, html = read(administrator, reverse("admin:games_move_changelist"))
    ways = re.findall(r'class="field-way">(.*?)<', html)
    assert ways == ["the service", "-", "the service"]
    assert re.findall(r'class="field-seat_name">(.*?)<', html) == ["-", "-", "-"]


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("game", "server_seed__startswith=a"),
        ("game", "state__contains=gold"),
        ("game", "seq__gt=3"),
        ("game", "moves__action__contains=9"),
        ("decision", "status=answered"),
        ("decision", "status__exact=answered"),
        ("decision", "kept_answer__gt="),
        ("decision", "closed_at__isnull=0"),
        ("seat", "misses=1"),
        ("seat", "entropy__startswith=a"),
        ("move", "action__contains=9"),
        ("move", "seat=1"),
        ("user", "password__startswith=a"),
        ("apitoken", "digest__startswith=a"),
        ("apitoken", "last_used_at__gt=2026-01-01"),
    ],
)
def test_the_address_bar_asks_nothing_that_is_not_on_the_page(
    seeded: Game, administrator: Client, model: str, lookup: str
) -> None:
    response = administrator.get(f"{reverse(f'admin:games_{model}_changelist')}?{lookup}")
    assert response.status_code == 400


def test_a_moderator_reads_nowhere_who_looked_at_hands_or_reported_what_at_his_own_table(
    placing: Game, ben: User, carla: User, now: dt.datetime
) -> None:
    eva = staff.make_administrator("eva@example.org")
    tables.reveal_hand(game=placing, seat=1, by=eva, reason="Ben asked for it.", now=now)
    made = reports.file_report(game=placing, by=carla, text="Ben is rude.", now=now)
    reports.settle_report(report=made, by=eva, outcome="acted", reason="I wrote to Ben.", now=now)
    staff.make_administrator(ben.email)
    places = [
        *(reverse(f"admin:games_{name}_changelist") for name in ("moderationentry", "report")),
        *(reverse("admin:games_moderationentry_change", args=[row.pk]) for row in ModerationEntry.objects.all()),
        reverse("admin:games_report_change", args=[made.pk]),
        reverse("admin:games_game_moderate", args=[placing.pk]),
    ]
    words = ("Ben asked for it.", "Ben is rude.", "I wrote to Ben.")
    for user, is_told in ((eva, True), (User.objects.get(pk=ben.pk), False)):
        client = signed_in(user)
        said = " ".join(client.get(page, follow=True).content.decode() for page in places)
        assert [one in said for one in words] == [is_told] * 3
