"""A host offers the seat of an absent player: whoever was asked sits down by saying yes, and nobody else."""

import datetime as dt

import pytest
from django.test import Client

from games.errors import Conflict, Forbidden, NotFound
from games.lobby import invitations
from games.models import Game, Invitation, ModerationEntry, Seat, User
from games.moderation import tables
from games.play import absences
from games.tables import table_links
from notifications.clock import present
from notifications.models import Notice
from tests.games.conftest import fresh, seat_of
from tests.games.web.filling import pressed, soup_of

WHY = "Ben is on a journey."
STRANGER = "gil@example.org"


@pytest.fixture
def absent(game: Game, ben: User, now: dt.datetime) -> Seat:
    """Ben's seat, for which nobody waits."""
    absences.leave(absences.locked_seat(seat_of(game, ben).pk), now)
    return seat_of(game, ben)


def book() -> list[str]:
    return list(ModerationEntry.objects.order_by("pk").values_list("action", flat=True))


def offered(seat: Seat, host: User, address: str, now: dt.datetime) -> Invitation:
    return tables.offer_seat(seat=seat, address=address, by=host, reason=WHY, now=now)


@pytest.mark.parametrize("address", ["david@example.org", STRANGER])
def test_whoever_is_asked_sits_down_by_saying_yes_with_an_account_or_without(
    absent: Seat, anna: User, ben: User, david: User, now: dt.datetime, address: str
) -> None:
    row = offered(absent, anna, address, now)
    assert (absent.game.seats.get(pk=absent.pk).user, row.status) == (ben, "sent"), "nothing has changed yet"
    assert Notice.objects.filter(recipient=row.recipient, kind="invited").count() == 1
    seat = tables.accept_seat(invitation=row, name="Gil", now=now)
    row.refresh_from_db()
    assert seat.pk == absent.pk and seat.user is not None and seat.user.email == address
    assert (seat.status, row.status, book()) == ("active", "joined", ["offer", "replace"])
    assert Notice.objects.filter(recipient=ben.recipient, kind="taken_over").count() == 1
    with pytest.raises(Conflict):
        tables.accept_seat(invitation=row, name="Gil", now=now)


def test_a_player_who_is_back_keeps_the_seat(
    absent: Seat, anna: User, ben: User, david: User, now: dt.datetime
) -> None:
    row = offered(absent, anna, david.email, now)
    absences.come_back(seat_id=absent.pk, now=now)
    with pytest.raises(Conflict):
        tables.accept_seat(invitation=row, name="", now=now)
    assert seat_of(absent.game, ben).pk == absent.pk


def test_a_host_sees_what_is_offered_and_takes_it_back(absent: Seat, anna: User, now: dt.datetime) -> None:
    row, client = offered(absent, anna, STRANGER, now), Client()
    client.force_login(anna)
    tools = f"/table/{absent.game.ref}/care/"
    form = soup_of(client.get(tools)).select_one(f"form[action$='{row.ref}/']")
    assert form is not None and STRANGER in str(form)
    client.post(form["action"])
    row.refresh_from_db()
    assert row.status == "withdrawn" and row.ref not in client.get(tools).content.decode()


def test_offers_lapse_with_the_absence_they_were_made_for(
    absent: Seat, anna: User, ben: User, david: User, now: dt.datetime
) -> None:
    """Else whoever was asked once could take the seat of a player who is absent again, or of the next one."""
    row = offered(absent, anna, david.email, now)
    absences.come_back(seat_id=absent.pk, now=now)
    absences.leave(absences.locked_seat(absent.pk), now)
    row.refresh_from_db()
    with pytest.raises(Conflict):
        tables.accept_seat(invitation=row, name="", now=now)
    assert (seat_of(absent.game, ben).pk, row.status) == (absent.pk, "withdrawn")


def test_nobody_sits_down_with_a_closed_account(absent: Seat, anna: User, david: User, now: dt.datetime) -> None:
    row = offered(absent, anna, david.email, now)
    User.objects.filter(pk=david.pk).update(is_active=False)
    with pytest.raises(Conflict):
        tables.accept_seat(invitation=row, name="", now=now)


def test_a_host_offers_only_the_seat_of_who_is_absent_and_seats_nobody(
    game: Game, anna: User, ben: User, david: User, now: dt.datetime
) -> None:
    with pytest.raises(Conflict):
        offered(seat_of(game, ben), anna, david.email, now)
    with pytest.raises(NotFound):
        offered(seat_of(game, ben), ben, david.email, now)
    with pytest.raises(Forbidden):
        tables.replace_player(seat=seat_of(game, ben), address=david.email, by=anna, reason=WHY, now=now)
    assert book() == []


def test_it_is_said_no_to_or_taken_back_like_every_invitation(
    absent: Seat, anna: User, david: User, now: dt.datetime
) -> None:
    invitations.decline(invitation=offered(absent, anna, david.email, now))
    row = offered(absent, anna, STRANGER, now)
    invitations.withdraw(ref=row.ref, game_id=absent.game_id, host=anna)
    for one in Invitation.objects.all():
        with pytest.raises(Conflict):
            tables.accept_seat(invitation=one, name="", now=now)


def test_the_page_of_the_invitation_says_whose_seat_it_is_and_takes_the_answer(
    absent: Seat, anna: User, now: dt.datetime
) -> None:
    path = table_links.invitation_url(offered(absent, anna, STRANGER, now)).split("/", 3)[3]
    with present.going_by(lambda: now):
        shown = Client().get(f"/{path}").content.decode()
        assert "take over the seat of Ben" in shown
        assert "entropy" not in shown and "steward_hours" not in shown, "the shuffle is done"
        done = Client().post(f"/{path}", {"answer": "join", "name": "Gil", **pressed()}).content.decode()
    assert "The game is under way" in done
    assert fresh(absent.game).seats.get(pk=absent.pk).name == "Gil"
