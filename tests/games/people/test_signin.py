"""Signing in by a link."""

import datetime as dt
from urllib.parse import parse_qs, urlsplit

import time_machine
from allauth.account.models import EmailAddress

from games.people import sign_in

TEN_MINUTES = dt.timedelta(minutes=10)


def token_of(link: str) -> str:
    return parse_qs(urlsplit(link).query)["sesame"][0]


def test_a_link_signs_its_own_person_in_once(anna, ben):
    token = token_of(sign_in.sign_in_link(anna))
    assert sign_in.find_user_by_link(token) == anna
    assert sign_in.redeem_link(token) == anna
    assert sign_in.redeem_link(token) is None
    assert sign_in.find_user_by_link(token) is None


def test_looking_at_a_link_does_not_use_it_up(anna):
    token = token_of(sign_in.sign_in_link(anna))
    for _ in range(3):
        assert sign_in.find_user_by_link(token) == anna
    assert sign_in.redeem_link(token) == anna


def test_a_link_dies_after_ten_minutes(anna, now):
    with time_machine.travel(now, tick=False) as clock:
        token = token_of(sign_in.sign_in_link(anna))
        clock.shift(TEN_MINUTES - dt.timedelta(seconds=2))
        assert sign_in.find_user_by_link(token) == anna
        clock.shift(dt.timedelta(seconds=4))
        assert sign_in.find_user_by_link(token) is None


def test_a_link_dies_with_the_address_it_was_sent_to(anna):
    token = token_of(sign_in.sign_in_link(anna))
    anna.email = "anna@example.net"
    anna.save()
    assert sign_in.redeem_link(token) is None


def test_a_closed_account_has_no_way_in(anna):
    token = token_of(sign_in.sign_in_link(anna))
    anna.is_active = False
    anna.save()
    assert sign_in.redeem_link(token) is None


def test_tampered_and_empty_links_are_nobodys(anna):
    token = token_of(sign_in.sign_in_link(anna))
    for wrong in ("", "x", token[:-1], token[:15] + ("A" if token[15] != "A" else "B") + token[16:], "é" * 20):
        assert sign_in.redeem_link(wrong) is None


def test_where_to_go_next_stays_in_the_link(anna):
    assert parse_qs(urlsplit(sign_in.sign_in_link(anna, "/admin/")).query)["next"] == ["/admin/"]


def test_confirming_twice_keeps_one_confirmed_address(anna):
    sign_in.confirm_address(anna)
    sign_in.confirm_address(anna)
    row = EmailAddress.objects.get(user=anna)
    assert (row.email, row.verified, row.primary) == (anna.email, True, True)
