"""A mail of every kind with links that work, all in one database; and all that such a database holds."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

from django.apps import apps
from django.conf import settings
from django.urls import resolve
from django.utils.translation import override

from games.lobby import guests
from games.models import Session, User
from games.people import accounts, sign_in
from games.people.alerts import not_me_url
from games.play import absences, proposals
from games.play.decision_links import confirm_url
from games.tables.table_links import seat_url
from games.web import samples
from games.web import samples as sample_game
from notifications.clock import present
from notifications.messages import MailMessage
from notifications.models import Inbound

# What looking may change, and nothing else: rows that say nothing of a person or a game.
HARMLESS = {
    "sessions.Session": "the page that asks for a sign-in remembers where one wanted to go",
}
URL = re.compile(r"https?://[^\s\"'<>)]+")


_numbers = itertools.count(1)


@dataclass(frozen=True)
class Link:
    """A link of ours in a mail: the kind of the mail, the name of the page, path and query."""

    kind: str
    page: str
    path: str
    is_one_click: bool = False  # a POST by RFC 8058 is announced for it


def mails() -> dict[str, MailMessage]:
    """One of each kind, of people of its own; the rows behind it stay."""
    made = {}
    for kind in samples.KINDS:
        people = tuple(f"{name} {kind.replace('_', ' ')}".title() for name in ("Anna", "Ben", "Carla"))
        with (
            patch.object(sample_game, "PLAYERS", people),
            patch.object(sample_game, "create_user", _user),
            patch.object(samples, "create_user", _user),
            patch.object(samples, "create_moderator", _moderator),
            patch("games.play.pictures._drawn", lambda svg: (b"", 400, 400)),  # no picture has a link
            override("en"),
        ):
            sample = sample_game.SampleGame("aladdins-dragons", "en")
            notices = samples.notices_of(kind, sample)
            made[kind] = samples.compose(kind, notices, "en", sample)
    return made


def _user(name: str, language: str) -> User:
    return User.objects.create_user(f"{name.lower().replace(' ', '.')}@sample.invalid", name=name)


def _moderator() -> User:
    return User.objects.create_superuser(f"moderator.{next(_numbers)}@sample.invalid", name="Eva")


def links() -> list[Link]:
    """All links to us in mails of all kinds: in text, HTML and heads; and first those whose samples are past acting."""
    found = _links()
    while proposals.make_one(present.now()):  # as a worker does before anybody opens an email
        pass
    return found


def _links() -> list[Link]:
    found = list(more_links())
    for kind, mail in mails().items():
        whole = f"{mail.text} {mail.html.replace('&amp;', '&')} {mail.unsubscribe_url}"
        for url in sorted(set(URL.findall(whole))):
            if url.startswith(settings.SITE_URL):
                is_one_click = mail.has_one_click and url == mail.unsubscribe_url
                found.append(_link(kind, url.rstrip(".,;:"), is_one_click=is_one_click))
    return found


def more_links() -> Iterator[Link]:
    """What signs in, asks whether an answer is its writer's, brings somebody back, moves an account, and locks it."""
    made = sample_game.SampleGame("aladdins-dragons", "en")
    row = made.play()
    change = accounts.request_address_change(user=made.ben, new_address="ben@elsewhere.invalid", now=made.now)
    yield _link("moves", accounts.address_change_link(change, accounts.OLD))
    yield _link("sign_in", sign_in.sign_in_link(made.ben))
    held = Inbound.objects.create(
        recipient=made.ben.recipient,
        subject=row.subject,
        line="9 crowns",
        key="held",
        received_at=made.now,
        state=Inbound.State.HELD,
    )
    yield _link("held", confirm_url(held, row.seat))
    carla = made.game.seats.select_related("user", "game").get(user=made.users[2])
    absences.make_absent(carla, row, made.now)
    yield _link("away", seat_url("back", carla))
    told = samples.notices_of("password_changed", made)[0]
    told.dedupe_key = "password"
    told.save()
    yield _link("password", not_me_url(told))


def _link(kind: str, url: str, *, is_one_click: bool = False) -> Link:
    path = url.removeprefix(settings.SITE_URL).partition("#")[0] or "/"
    return Link(kind, resolve(path.partition("?")[0]).view_name, path, is_one_click)


def everything() -> dict[str, list[tuple]]:
    """Every row of every table but the harmless ones, the cache's included."""
    return {
        model._meta.label: sorted(model._base_manager.values_list(), key=repr)
        for model in apps.get_models()
        if model._meta.label not in HARMLESS and model._meta.managed
    }


def forget_guests() -> None:
    """Whoever presses "Play now" on the front page is a guest, who has a game of his own and touches nobody's."""
    guests.delete(list(User.objects.filter(is_guest=True).values_list("pk", flat=True)))
    Session.objects.filter(user=None).delete()


def changes(before: dict[str, list[tuple]], after: dict[str, list[tuple]]) -> list[str]:
    """The tables that differ."""
    return [name for name, rows in after.items() if rows != before[name]]
