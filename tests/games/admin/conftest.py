"""Staff at the admin site, and what they look at."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from django.contrib import admin
from django.contrib.auth import get_user
from django.test import Client, RequestFactory
from django.urls import reverse

from games.lobby import invitations
from games.models import AddressChange, Extension, Game, Heartbeat, User
from games.people import staff, tokens
from games.play import deadlines
from notifications.admin.base import Lines
from notifications.clock import present
from tests.conftest import NOON
from tests.games.conftest import (
    THREE,
    Keep,
    answer,
    fresh,
    named,
    new_table,
    open_rows,
    running,
    settle,
    some_answer,
    to_placing,
)  # fmt: skip
from tests.games.kept import Stage

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


@pytest.fixture(scope="session")
def kept_seeded(kept_here: Keep, kept_three: list[Stage]) -> Stage:
    """A game with all that can be beside it."""
    return kept_here(lambda: seed(NOON), *kept_three)


@pytest.fixture
def seeded(anna: User, ben: User, carla: User, kept_seeded: Stage) -> Game:
    """A running game in the middle of a round with closed hoards, and at least one row of everything else."""
    return kept_seeded.bring()


def seed(now: dt.datetime) -> Game:
    anna, ben, carla = (named(name) for name in THREE)
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
    """(address, HTML) of the desk, of every list of ours and of the first pages behind it."""
    if not apps or "games" in apps:
        yield read(client, reverse("admin:index"))
    yield read(client, reverse("admin_lists"))
    request = RequestFactory().get("/")
    request.user = get_user(cast(Any, client))  # of its session
    for model, model_admin in admin.site._registry.items():
        if model._meta.app_label in (apps or ("games", "notifications")):
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            yield read(client, reverse(f"{name}_changelist"))
            pks = model_admin.get_queryset(request).values_list("pk", flat=True).order_by("pk")
            for pk in pks[:2] if not isinstance(model_admin, Lines) else ():
                yield read(client, reverse(f"{name}_change", args=[pk]))


def read(client: Client, address: str) -> tuple[str, str]:
    with present.going_by(lambda: NOON):  # how long ago something was is said on most pages
        response = client.get(address)
    assert response.status_code == 200, address
    return address, VARYING.sub("", response.content.decode())
