"""The admin site: every page opens, says who is waited for, and tells nothing that is hidden."""

import datetime as dt
import re
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.core import StaleDecision
from games.errors import Conflict, Quarantined
from games.models import AddressChange, ApiToken, Decision, Extension, Game, Heartbeat, Move, Seat, User
from games.services import deadlines, invitations, play, repair, staff, tokens
from notifications import outbox
from notifications.models import Delivery, Notice
from tests.games.api.playing import abandoned
from tests.games.conftest import (
    answer,
    fresh,
    new_table,
    open_rows,
    running,
    settle,
    some_answer,
    to_placing,
)  # fmt: skip

VARYING = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture
def administrator(db: None) -> Client:
    """Somebody who may do everything."""
    return signed_in(staff.make_administrator("eva@example.org"))


@pytest.fixture
def moderator(db: None) -> Client:
    """Somebody who may look at everything and moderate."""
    return signed_in(staff.make_moderator("david@example.org"))


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def seeded(anna: User, ben: User, carla: User, now: dt.datetime) -> Game:
    """A running game in the middle of a round with closed hoards, and at least one row of everything else."""
    game = to_placing(running(anna, [ben, carla], now, options={"open_hoards": "off"}), now)
    for dice in range(14):
        settle(now)
        answer(game, open_rows(game)[0], now, some_answer(fresh(game), open_rows(game)[0], dice))
    invitations.invite(game_id=new_table(anna, now).pk, host=anna, address="eva@example.org", now=now)
    tokens.create_token(user=anna, name="bot", now=now)
    AddressChange.objects.create(user=ben, new_address="ben2@example.org", created_at=now)
    Heartbeat.objects.create(name="ticker", beat_at=now)
    deadlines.extend(open_rows(game)[0], Extension.Reason.EXCUSED, now)
    return fresh(game)


def pages(client: Client, *apps: str) -> Iterator[tuple[str, str]]:
    """(address, HTML) of every list of ours and of the first pages behind it."""
    yield read(client, reverse("admin:index"))
    for model, model_admin in admin.site._registry.items():
        if model._meta.app_label in (apps or ("games", "notifications")):
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            yield read(client, reverse(f"{name}_changelist"))
            pks = model_admin.get_queryset(cast(Any, None)).values_list("pk", flat=True).order_by("pk")
            for pk in pks[:2] if model is not Move else ():
                yield read(client, reverse(f"{name}_change", args=[pk]))


def read(client: Client, address: str) -> tuple[str, str]:
    response = client.get(address)
    assert response.status_code == 200, address
    return address, VARYING.sub("", response.content.decode())


@pytest.mark.parametrize("who", ["administrator", "moderator"])
def test_every_page_opens(seeded: Game, request: pytest.FixtureRequest, who: str) -> None:
    read_pages = dict(pages(request.getfixturevalue(who), "games"))
    models = [model for model in admin.site._registry if model._meta.app_label == "games"]
    assert len(models) == 12
    assert len(read_pages) >= 1 + 2 * len(models) - 1  # the start, a list of each, a page of each but moves
    assert reverse("admin:games_game_change", args=[seeded.pk]) in read_pages


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
        *(reverse("admin:games_decision_change", args=[row.pk]) for row in open_rows(game)),
    ]
    before = [read(administrator, address) for address in addresses]
    (row,) = [row for row in open_rows(game) if row.seat.user == ben]
    for dice in range(2):
        answer(game, row, now, some_answer(fresh(game), row, dice))
        assert [read(administrator, address) for address in addresses] == before
    hidden = Move.objects.filter(game=game, kind=Move.Kind.ANSWER)
    assert hidden.count() == 2


def deliver_all(now: dt.datetime) -> None:
    while outbox.deliver_one(now):
        pass


def test_who_was_reminded_or_needed_no_letter_any_more_does_not_tell_who_has_answered(
    game: Game, ben: User, administrator: Client, now: dt.datetime
) -> None:
    """Ben answers before his letter goes out: it is stale, and only the others are reminded and excused (A6)."""
    Delivery.objects.exclude(notice__kind="due").update(state="accepted", attempt_after=None)
    hidden = reverse("admin:notifications_notice_change", args=[Notice.objects.filter(kind="due")[0].pk])
    assert administrator.get(hidden, follow=True).redirect_chain  # as if there were no such notice
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
    assert Delivery.objects.filter(state="stale").exists()

    to_placing(game, later)
    assert administrator.get(hidden).status_code == 200
    told = read(administrator, reverse("admin:notifications_notice_changelist"))[1]
    assert "reminder" in told and "excused" in told
    assert "stale" in read(administrator, reverse("admin:notifications_delivery_changelist") + "?state__exact=stale")[1]


def test_what_is_asked_openly_is_not_hidden(game: Game, administrator: Client, now: dt.datetime) -> None:
    to_placing(game, now)
    (row,) = open_rows(game)
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


def test_who_closed_a_sealed_question_is_not_said(game: Game, administrator: Client, now: dt.datetime) -> None:
    to_placing(game, now)
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


def test_filters_and_searches_that_are_offered_work(seeded: Game, administrator: Client) -> None:
    chosen = ("status__exact=running", "overdue=yes", "quarantined_at__isempty=1", "is_listed__exact=0")
    for query in (*chosen, "q=Thursday", "q=Ben", "o=1"):
        assert administrator.get(f"{reverse('admin:games_game_changelist')}?{query}").status_code == 200
    for query in ("asked=yes", "asked=no", "kind=place", "is_sealed__exact=1", "q=r1"):
        assert administrator.get(f"{reverse('admin:games_decision_changelist')}?{query}").status_code == 200


def test_the_list_says_whom_a_game_waits_for_since_when_and_until_when(
    game: Game, administrator: Client, now: dt.datetime
) -> None:
    game = to_placing(game, now)
    (row,) = open_rows(game)
    assert shown(administrator)[:3] == [row.seat.name, "March 4, 2026, noon", "March 5, 2026, noon"]


def shown(client: Client) -> list[str]:
    _address, html = read(client, reverse("admin:games_game_changelist"))
    cells = (
        re.search(rf"field-{name}[^>]*>(.*?)</td>", html) for name in ("waits_for", "waits_since", "due", "is_overdue")
    )
    return [cell.group(1) for cell in cells if cell]


def test_an_overdue_game_is_flagged(game: Game, administrator: Client, now: dt.datetime) -> None:
    changelist = reverse("admin:games_game_changelist")
    Decision.objects.filter(game=game).update(due_at=dt.datetime.now(dt.UTC) + dt.timedelta(hours=1))
    assert "icon-no" in shown(administrator)[3]
    assert game.title not in read(administrator, f"{changelist}?overdue=yes")[1].split('id="changelist-form"')[1]
    Decision.objects.filter(game=game).update(due_at=dt.datetime.now(dt.UTC) - dt.timedelta(hours=1))
    assert "icon-yes" in shown(administrator)[3]
    assert game.title in read(administrator, f"{changelist}?overdue=yes")[1].split('id="changelist-form"')[1]


def test_the_list_costs_the_same_for_one_game_and_for_many(
    anna: User, ben: User, carla: User, administrator: Client, now: dt.datetime
) -> None:
    def costs() -> dict[str, int]:
        return {
            name: cost(f"admin:games_{name}_changelist") for name in ("game", "seat", "decision", "move", "invitation")
        }

    def cost(name: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            read(administrator, reverse(name))
        return len(captured)

    def one_more() -> None:
        to_placing(running(anna, [ben, carla], now), now)
        invitations.invite(game_id=new_table(anna, now).pk, host=anna, address="eva@example.org", now=now)

    one_more()
    costs()
    one = costs()
    for _copy in range(3):
        one_more()
    assert costs() == one


def test_a_game_whose_state_cannot_be_read_can_still_be_looked_at(game: Game, administrator: Client) -> None:
    Game.objects.filter(pk=game.pk).update(state='{"broken": 1}')
    _address, html = read(administrator, reverse("admin:games_game_change", args=[game.pk]))
    assert "The board cannot be shown." in html


def test_a_finished_game_names_its_winner(game: Game, administrator: Client, now: dt.datetime) -> None:
    game = abandoned(game, now)
    _address, html = read(administrator, reverse("admin:games_game_change", args=[game.pk]))
    assert game.outcome is not None
    assert game.seat_names()[game.outcome["winners"][0]] in re.findall(r"field-result.*?</div>", html, re.DOTALL)[0]
    assert game.server_seed not in html


@pytest.mark.parametrize("model", ["game", "seat", "decision", "move", "extension", "invitation", "user", "apitoken"])
def test_nothing_is_added_or_deleted_here(seeded: Game, administrator: Client, model: str) -> None:
    rows: Any = admin.site._registry
    (found,) = [known for known in rows if known._meta.label_lower == f"games.{model}"]
    row = found.objects.first()
    assert administrator.post(reverse(f"admin:games_{model}_add"), {}).status_code == 403
    assert administrator.post(reverse(f"admin:games_{model}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    administrator.post(reverse(f"admin:games_{model}_changelist"), chosen)
    assert found.objects.filter(pk=row.pk).exists()


def test_no_single_move_has_a_page(seeded: Game, administrator: Client) -> None:
    assert {administrator.get(reverse("admin:games_move_change", args=[pk])).status_code for pk in range(5)} == {302}


def test_a_moderator_changes_nothing(seeded: Game, anna: User, moderator: Client) -> None:
    for model, pk in (("game", seeded.pk), ("user", anna.pk)):
        assert moderator.post(reverse(f"admin:games_{model}_change", args=[pk]), {"is_staff": "on"}).status_code == 403
    assert not User.objects.get(pk=anna.pk).is_staff


def test_an_administrator_appoints_staff(anna: User, administrator: Client) -> None:
    address = reverse("admin:games_user_change", args=[anna.pk])
    assert "password" not in read(administrator, address)[1].split('id="content"')[1]
    assert administrator.post(address, {"is_staff": "on", "email": "x@example.org"}).status_code == 302
    anna.refresh_from_db()
    assert (anna.is_active, anna.is_staff, anna.email) == (True, True, "anna@example.org")


def test_who_may_change_accounts_cannot_make_himself_an_administrator(anna: User, david: User, ben: User) -> None:
    david.is_staff = True
    david.save()
    david.user_permissions.set(Permission.objects.filter(codename__in=["change_user", "view_user"]))
    client = signed_in(david)
    address = reverse("admin:games_user_change", args=[anna.pk])
    assert client.post(address, {"is_staff": "on", "is_superuser": "on"}).status_code == 302
    anna.refresh_from_db()
    assert (anna.is_active, anna.is_staff, anna.is_superuser) == (True, False, False)
    assert client.post(reverse("admin:games_user_change", args=[david.pk]), {"is_superuser": "on"}).status_code == 403


def test_players_have_no_way_in(seeded: Game, anna: User) -> None:
    assert signed_in(anna).get(reverse("admin:games_game_changelist")).status_code == 302


@pytest.fixture
def broken(game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, Decision]:
    """A game whose rules broke on an answer, and are repaired now."""
    (row, *_others) = open_rows(game)
    with monkeypatch.context() as patch:
        patch.setattr(type(game.rules), "apply", lambda *_args: 1 / 0)
        with pytest.raises(Quarantined):
            answer(game, row, now, source=Move.Source.LINK, idempotency_key="k1")
    assert fresh(game).quarantined_at
    return fresh(game), row


def release_by(client: Client, game: Game) -> None:
    form = {"act": "release", "release-reason": "The rules are repaired."}
    client.post(reverse("admin:games_game_moderate", args=[game.pk]), form)


def test_an_administrator_releases_a_game_and_the_kept_answer_counts(
    broken: tuple[Game, Decision], administrator: Client
) -> None:
    game, row = broken
    release_by(administrator, game)
    row.refresh_from_db()
    assert fresh(game).quarantined_at is None
    assert (row.status, row.kept_answer) == (Decision.Status.ANSWERED, "")
    assert game.moves.get(kind=Move.Kind.ANSWER).seat == row.seat.number


def test_a_kept_answer_is_its_players_own(broken: tuple[Game, Decision], now: dt.datetime) -> None:
    """He gave it in time, by his own way: his row of misses ends, and sending it once more changes nothing."""
    game, row = broken
    Seat.objects.filter(pk=row.seat.pk).update(misses=2)
    later = now + dt.timedelta(hours=1)
    assert repair.release(game_id=game.pk, now=later) == 1
    move = game.moves.get(kind=Move.Kind.ANSWER)
    assert (move.source, move.actor, move.received_at) == (Move.Source.LINK, row.seat.user, later)
    row.seat.refresh_from_db()
    assert row.seat.misses == 0
    assert answer(game, row, later, {}, idempotency_key="k1").pk == move.pk


@pytest.mark.parametrize("source", [Move.Source.DEADLINE, Move.Source.BOT, Move.Source.ABSENT])
def test_only_answers_of_people_are_kept(
    game: Game, now: dt.datetime, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """When the game is released clocks start anew: a deadline that broke the rules must not count a moment later."""
    row = open_rows(game)[0]
    with monkeypatch.context() as patch:
        patch.setattr(type(game.rules), "stand_in", lambda *_args: 1 / 0)
        with pytest.raises(Quarantined):
            answer(game, row, now, source=source, actor=None)
    row.refresh_from_db()
    assert row.kept_answer == ""
    assert repair.release(game_id=game.pk, now=now) == 0
    assert row in open_rows(game)


def test_who_is_no_moderator_cannot_release_a_game(broken: tuple[Game, Decision], anna: User) -> None:
    anna.is_staff = True
    anna.save()
    release_by(signed_in(anna), broken[0])
    assert fresh(broken[0]).quarantined_at


def test_a_released_game_gives_everybody_fresh_time(broken: tuple[Game, Decision], now: dt.datetime) -> None:
    game, _row = broken
    later = now + dt.timedelta(days=9)
    repair.release(game_id=game.pk, now=later)
    assert {row.due_at for row in open_rows(game)} == {later + dt.timedelta(days=1)}
    assert not deadlines.expire_one(later)


def test_rules_that_break_again_keep_the_answer(
    broken: tuple[Game, Decision], now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, row = broken
    monkeypatch.setattr(type(game.rules), "apply", lambda *_args: 1 / 0)
    with pytest.raises(Quarantined):
        repair.release(game_id=game.pk, now=now)
    row.refresh_from_db()
    assert row.kept_answer
    assert fresh(game).quarantined_at


def test_a_kept_answer_that_no_longer_fits_is_dropped_and_asked_again(
    broken: tuple[Game, Decision], now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise StaleDecision("stale")

    game, row = broken
    with monkeypatch.context() as patch:
        patch.setattr(type(game.rules), "apply", refuse)
        assert repair.release(game_id=game.pk, now=now) == 0
    row.refresh_from_db()
    assert (row.status, row.kept_answer) == (Decision.Status.OPEN, "")


def test_only_a_game_in_quarantine_is_released(game: Game, now: dt.datetime) -> None:
    with pytest.raises(Conflict):
        repair.release(game_id=game.pk, now=now)


def test_a_game_waiting_at_a_phase_boundary_goes_on_when_released(game: Game, now: dt.datetime) -> None:
    for row in open_rows(game):
        answer(game, row, now)
    play.quarantine(game.pk, now)
    settle(now)
    assert open_rows(game) == []
    repair.release(game_id=game.pk, now=now)
    settle(now)
    assert [row.kind for row in open_rows(game)] == ["place"]
