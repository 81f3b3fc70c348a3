"""Moving an account to another address: two yeses, one no, and what becomes void."""

import datetime as dt

import pytest
from allauth.account.models import EmailAddress

from games.errors import Conflict, NotFound, ServiceError, TooMany
from games.models import AddressChange, User
from games.people import accounts
from games.people.sign_in import find_user_by_link, sign_in_link
from games.play import decision_links
from notifications.models import Notice, Recipient
from tests.games.conftest import open_rows, seat_of

NEW = "anna@example.net"


@pytest.fixture
def change(anna, now):
    return accounts.request_address_change(user=anna, new_address=NEW, now=now)


def token(change, side):
    return accounts.address_change_link(change, side).rstrip("/").rsplit("/", 1)[-1]


def say_yes(change, side, now):
    return accounts.confirm_address_change(token=token(change, side), now=now)


def told(kind):
    return sorted(Notice.objects.filter(kind=kind).values_list("recipient__address", flat=True))


def test_both_addresses_are_asked(change, anna):
    assert told("address_asked") == [NEW, "anna@example.org"]
    assert AddressChange.objects.get().new_address == NEW


@pytest.mark.parametrize("order", [("old", "new"), ("new", "old")])
def test_the_account_moves_with_the_second_yes(change, anna, now, order):
    first, second = order
    say_yes(change, first, now)
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    say_yes(change, second, now)
    anna.refresh_from_db()
    assert anna.email == NEW
    assert Recipient.objects.get(user=anna).address == NEW
    assert list(EmailAddress.objects.filter(user=anna).values_list("email", "verified", "primary")) == [
        (NEW, True, True)
    ]
    assert told("address_changed") == ["anna@example.org"]


def test_one_address_saying_yes_twice_is_one_yes(change, anna, now):
    say_yes(change, "new", now)
    say_yes(change, "new", now)
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"


def test_a_yes_after_the_move_changes_nothing(change, anna, now):
    say_yes(change, "old", now)
    say_yes(change, "new", now)
    assert say_yes(change, "old", now).change.done_at == now
    assert told("address_changed") == ["anna@example.org"]


def test_a_no_drops_the_wish_and_its_links(change, anna, now):
    say_yes(change, "new", now)
    accounts.refuse_address_change(token=token(change, "old"), now=now)
    with pytest.raises(NotFound):
        say_yes(change, "old", now)
    assert accounts.find_pending_address_change(anna, now) is None


def test_a_no_after_the_move_changes_nothing(change, anna, now):
    say_yes(change, "old", now)
    say_yes(change, "new", now)
    accounts.refuse_address_change(token=token(change, "old"), now=now)
    anna.refresh_from_db()
    assert anna.email == NEW


def test_a_wish_is_good_for_three_days(change, anna, now):
    late = now + accounts.ADDRESS_CHANGE_GOOD_FOR
    assert accounts.find_pending_address_change(anna, late - dt.timedelta(seconds=1)) == change
    assert accounts.find_pending_address_change(anna, late) is None
    with pytest.raises(NotFound):
        say_yes(change, "old", late)


def test_a_new_wish_replaces_the_one_before(change, anna, now):
    again = accounts.request_address_change(user=anna, new_address="a@example.com", now=now)
    with pytest.raises(NotFound):
        say_yes(change, "old", now)
    assert accounts.find_pending_address_change(anna, now) == again


def test_tampered_links_are_not_good(change, now):
    good = token(change, "old")
    for wrong in ("", "x", good[:-1], good + "x", "a:b:c"):
        with pytest.raises(NotFound):
            accounts.find_address_change(wrong, now)


def test_the_link_of_one_side_does_not_speak_for_the_other(change, now):
    assert say_yes(change, "old", now).side == "old"
    row = AddressChange.objects.get()
    assert row.old_confirmed_at == now and row.new_confirmed_at is None


def test_an_address_with_an_account_is_not_asked_and_the_same_is_said(anna, ben, now):
    accounts.request_address_change(user=anna, new_address=ben.email, now=now)
    assert told("address_asked") == ["anna@example.org"]


def test_an_address_taken_in_the_meantime_stays_with_its_new_owner(change, anna, now):
    User.objects.create_user(NEW, name="Eva")
    say_yes(change, "old", now)
    with pytest.raises(Conflict):
        say_yes(change, "new", now)
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"


@pytest.mark.parametrize("address", ["", "anna", "anna@", "a b@example.org", "Anna@Example.org "])
def test_what_is_no_other_address_is_refused(anna, now, address):
    with pytest.raises(ServiceError):
        accounts.request_address_change(user=anna, new_address=address, now=now)
    assert not Notice.objects.exists() and not AddressChange.objects.exists()


def test_a_sixth_wish_in_a_day_is_refused(anna, now):
    for number in range(accounts.MOST_ADDRESS_CHANGES_A_DAY):
        accounts.request_address_change(user=anna, new_address=f"a{number}@example.net", now=now)
    with pytest.raises(TooMany):
        accounts.request_address_change(user=anna, new_address=NEW, now=now)
    assert accounts.request_address_change(user=anna, new_address=NEW, now=now + dt.timedelta(days=1, seconds=1))


def test_links_mailed_before_are_void_and_open_questions_are_asked_again(game, now):
    user = User.objects.get(name="Anna")
    row = next(row for row in open_rows(game) if row.seat.user == user)
    before, sign_in = decision_links.act_url(row), sign_in_link(user)
    change = accounts.request_address_change(user=user, new_address=NEW, now=now)
    say_yes(change, "old", now)
    say_yes(change, "new", now)
    assert decision_links.find_decision(row.ref, before.rstrip("/").rsplit("/", 1)[-1]) is None
    assert find_user_by_link(sign_in.rsplit("=", 1)[-1]) is None
    row.seat.refresh_from_db()
    again = Notice.objects.get(dedupe_key=row.due_key)
    assert (again.kind, again.subject, again.recipient) == ("due", row.subject, user.recipient)
    assert seat_of(game, User.objects.get(name="Ben")).link_generation == 0
