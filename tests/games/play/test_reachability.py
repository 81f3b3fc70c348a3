"""Our mail server's outage is our outage: nobody is passed for it, and afterwards everybody has his full time."""

import datetime as dt
from typing import Any

import pytest

from games.models import Decision, Extension, Game, Move, User
from games.play import deadlines
from games.tables import pace
from notifications import outbox
from notifications.channels.base import Answer, ChannelError, NoMailbox
from notifications.channels.mail import bounces, suppressions
from notifications.delivery import sending
from notifications.models import Delivery, DeliveryState
from tests.games.conftest import deliveries, fresh, open_rows, running
from tests.notifications.conftest import replace_sending

FAULTS = [("live", "refused"), ("brisk", "no connection"), ("live", "bounced")]
MINUTE = dt.timedelta(minutes=1)
pytestmark = pytest.mark.slow


class Server:
    """A mail server with a fault, or with one for some addresses alone."""

    fault = ""
    only: tuple[str, ...] = ()

    def send(self, delivery: Delivery, message: Any) -> Answer:
        if self.only and delivery.notice.recipient.address not in self.only:
            return Answer("taken")
        if self.fault == "refused":
            raise ChannelError("no_mailbox", code="550", permanent=True, is_address=True)
        if self.fault == "put off":
            raise ChannelError("mailbox_unavailable", code="451")
        if self.fault == "no connection":
            raise ChannelError("no mail server listens", is_general=True)
        return Answer("taken")

    def work(self, at: dt.datetime) -> None:
        """Lets the workers send what is due, and gives back what this server gives back."""
        while sending.deliver(at):
            pass
        if self.fault != "bounced":
            return
        for mail in deliveries().filter(channel="mail", state=DeliveryState.ACCEPTED).select_related("notice"):
            if not self.only or mail.notice.recipient.address in self.only:
                bounces.record_returned(mail, "5.1.1", NoMailbox("no such mailbox", code="5.1.1"), at)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Server:
    settings.DEADLINE_GRACE_SECONDS = 0
    made = Server()
    replace_sending(monkeypatch, "mail", made)
    return made


def is_passed(game: Game) -> bool:
    return fresh(game).moves.filter(source=Move.Source.DEADLINE).exists()


def run(game: Game, server: Server, since: dt.datetime, until: dt.datetime, step: dt.timedelta) -> dt.datetime:
    """Lets the service work; ends early when somebody is passed."""
    at = since
    while at < until and not is_passed(game):
        server.work(at)
        while not is_passed(game) and deadlines.expire_one(at):
            pass
        at += step
    return at


def of_two(anna: User, ben: User, now: dt.datetime, speed: str) -> Game:
    """A game in which one is asked after the other."""
    cave = {"rules_name": "cave-of-wonders", "options": {}, "seat_count": 2}
    return running(anna, [ben], now, is_first_miss_excused=False, pace=speed, **cave)


@pytest.mark.parametrize(("speed", "fault"), FAULTS)
def test_at_a_table_of_two_nobody_is_passed_while_no_mail_of_the_house_arrives(
    anna: User, ben: User, now: dt.datetime, server: Server, speed: str, fault: str
) -> None:
    server.fault = fault
    game = of_two(anna, ben, now, speed)
    window = dt.timedelta(minutes=15) if speed == "live" else dt.timedelta(hours=12)
    run(game, server, now, now + 8 * window, window / 5)
    assert not is_passed(game)
    assert set(Extension.objects.filter(decision__game=game).values_list("reason", flat=True)) == {"outage"}
    assert not any(suppressions.is_suppressed(user.email) for user in (anna, ben))


@pytest.mark.parametrize(("speed", "fault"), FAULTS)
def test_over_eight_paces_without_mail_nobody_is_passed_and_then_everybody_has_his_full_time(
    anna: User, ben: User, carla: User, now: dt.datetime, server: Server, speed: str, fault: str
) -> None:
    server.fault = fault
    game = running(anna, [ben, carla], now, is_first_miss_excused=False, pace=speed)
    window = dt.timedelta(minutes=15) if speed == "live" else dt.timedelta(hours=12)
    assert pace.find(speed).allowance.hours * 60 * MINUTE == window
    step = window / 5
    back = now + 8 * window + 5 * step
    banks = list(game.seats.values_list("bank", flat=True))
    run(game, server, now, back, step)
    assert not is_passed(game)
    given = Extension.objects.filter(decision__game=game)
    assert given.count() >= 3 * 8 and set(given.values_list("reason", flat=True)) == {"outage"}
    assert list(game.seats.values_list("bank", flat=True)) == banks
    assert not any(suppressions.is_suppressed(user.email) for user in (anna, ben, carla))
    assert set(game.seats.values_list("misses", flat=True)) == {0}
    server.fault = ""
    passed = run(game, server, back, back + 60 * window, step)
    assert is_passed(game), "The game continues by itself"
    told = [outbox.accepted_at(row.due_key) for row in Decision.objects.filter(game=game, opened_at=now)]
    assert all(at and passed >= at + window for at in told)


@pytest.mark.parametrize("fault", ["refused", "put off", "bounced"])
def test_who_cannot_be_reached_alone_is_waited_for_three_times_as_before(
    anna: User, ben: User, carla: User, now: dt.datetime, server: Server, fault: str
) -> None:
    server.fault, server.only = fault, (ben.email,)
    reasons, row = waited_for(anna, ben, carla, now, server)
    assert reasons == ["not_told"] * 3
    assert not row.is_open


@pytest.mark.parametrize("fault", ["refused", "bounced"])
def test_so_are_two_while_the_mail_of_a_third_arrives(
    anna: User, ben: User, carla: User, now: dt.datetime, server: Server, fault: str
) -> None:
    server.fault, server.only = fault, (ben.email, carla.email)
    reasons, row = waited_for(anna, ben, carla, now, server)
    assert reasons == ["not_told"] * 3
    assert not row.is_open


def test_a_host_that_fails_as_a_mail_server_does_is_no_outage_while_the_mail_of_others_arrives(
    anna: User, ben: User, carla: User, now: dt.datetime, server: Server
) -> None:
    server.fault, server.only = "no connection", (ben.email,)
    reasons, row = waited_for(anna, ben, carla, now, server, are_others_told=True)
    assert reasons == ["not_told"] * 3
    assert not row.is_open


def waited_for(
    anna: User, ben: User, carla: User, now: dt.datetime, server: Server, *, are_others_told: bool = False
) -> tuple[list[str], Decision]:
    """Why Ben was given more time in three hours, and what he was asked; the others may play elsewhere as well."""
    game = running(anna, [ben, carla], now, is_first_miss_excused=False, pace="live")
    (row,) = (row for row in open_rows(game) if row.seat.user == ben)
    at = now
    for minute in range(60 * 3):
        if are_others_told and minute % 10 == 0:
            of_two(anna, carla, at, "daily")
        server.work(at)
        deadlines.expire_one(at)
        at += MINUTE
    row.refresh_from_db()
    return list(row.extensions.values_list("reason", flat=True)), row
