"""Everything that reaches others than Ben in one world, by who receives it and where.

Lists of the admin site are read with their filters, dates and searches, and so is every page that they lead to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urljoin

from bs4 import BeautifulSoup
from django.contrib import admin
from django.urls import reverse

from games.api import urls as api
from games.models import Report, User
from games.people import notification_preferences
from games.play import decision_links, history
from games.privacy import personal_data
from games.urls import urlpatterns as pages
from notifications.models import Endpoint
from tests.games.conftest import fresh
from tests.secrecy.addresses import ADMIN_PAGES, API, PAGES
from tests.secrecy.worlds import DEVICES, HIDDEN, HOOKS, NAMES, VIEWERS, House, Received

STAFF = ("staff player", "staff")
WATCHED = {**{one.name: one for one in pages if getattr(one, "name", None)}}
ASKED = {**{one.name: one for one in api.urlpatterns if getattr(one, "name", None)}}


@dataclass(frozen=True)
class Share:
    """Some of everything: each world of a pair reads the same share, and the pairs of a run all shares in turn.

    Arguments:
        number: which one, from 0.
        of: how many there are.
    """

    number: int
    of: int

    def opposite(self) -> "Share":
        """Another one, half of all away: what a world reads at its second moment."""
        return Share((self.number + self.of // 2) % self.of, self.of)


Part = partial[Received]
"""A function of the house and the label."""


def everything(house: House, label: str, share: Share, viewers: Sequence[str] = VIEWERS) -> Received:
    """All that others were sent in this world by now, and of what they can read at this moment this share.

    Arguments:
        label: of this moment; dice are thrown for it, so that keys of forms are the same in both worlds.
        viewers: whose reading it is.
    """
    found = _sent(house)
    pieces = [part for part in parts() if part.keywords["viewer"] in viewers]
    for part in pieces[share.number :: share.of]:
        found |= part(house, label)
    return found


def parts() -> Iterator[Part]:
    """Everything that can be read, in pieces; the same pieces in the same order in every world of a house."""
    for viewer in VIEWERS:
        for name in PAGES:
            yield partial(_page, viewer=viewer, name=name)
        yield partial(_followed, viewer=viewer)
    for viewer in NAMES:
        for name in API:
            yield partial(_answer, viewer=viewer, name=name)
        for piece in (_calendar, _copy, _link, _heard):
            yield partial(piece, viewer=viewer)
    for viewer in STAFF:
        for path in (reverse("admin:index"), reverse("admin_lists")):
            yield partial(_one, viewer=viewer, path=path)
        yield partial(_search, viewer=viewer)
        for name in ADMIN_PAGES:
            yield partial(_beside, viewer=viewer, name=name)
        for path in sorted(lists()):
            yield partial(_list, viewer=viewer, path=path)


def lists() -> Iterator[str]:
    """Where the lists of the admin site are."""
    for model in admin.site._registry:
        yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def _page(house: House, label: str, viewer: str, name: str) -> Received:
    """A page with each of its queries."""
    path, found = _address(house, viewer, WATCHED[name]), Received()
    for query in PAGES[name] if path is not None else ():
        found |= _read(house, viewer, label, f"{path}{query}")
    return found


def _followed(house: House, label: str, viewer: str) -> Received:
    """What an open page hears when it asks whether the game has changed since the latest look."""
    table = reverse("table", args=[house.game.ref])
    response = house.clients[viewer].get(table)
    page = BeautifulSoup(response.content, "html.parser").select_one("#table")
    assert page is not None
    headers = {"HX-Request": "true", "If-None-Match": f'"{page["data-etag"]}"'}
    return _read(house, viewer, label, str(page["data-hx-get"]), **headers)


def _answer(house: House, label: str, viewer: str, name: str) -> Received:
    """An answer of the API with each of its queries."""
    path, found = _address(house, viewer, ASKED[name]), Received()
    for query in API[name] if path is not None else ():
        found |= _read(house, viewer, label, f"{path}{query}", **house.programs[viewer].headers)
    return found


def _heard(house: House, label: str, viewer: str) -> Received:
    """The stream of all that has happened to an account since the house began."""
    more = {"Accept": "text/event-stream", "Last-Event-ID": house.heard[viewer]}
    return _read(house, viewer, label, reverse("api_my_events"), **house.programs[viewer].headers, **more)


def _calendar(house: House, label: str, viewer: str) -> Received:
    """The feed of deadlines."""
    return _read(house, viewer, label, _path(notification_preferences.calendar_url(house.people[NAMES[viewer]])))


def _copy(house: House, label: str, viewer: str) -> Received:
    """The copy of one's own data."""
    return {f"{viewer} copy of the data": personal_data.as_text(house.people[NAMES[viewer]], house.now).encode()}


def _link(house: House, label: str, viewer: str) -> Received:
    """The page behind the link of one's own letter."""
    asked = house.asked(NAMES[viewer])
    return {} if asked is None else _read(house, viewer, label, _path(decision_links.act_url(asked)))


def _one(house: House, label: str, viewer: str, path: str) -> Received:
    return _read(house, viewer, label, path)


def _search(house: House, label: str, viewer: str) -> Received:
    """The search of the desk: it leads to the page of a single hit, and lists several."""
    user, found = house.people[HIDDEN], Received()
    for term in (house.game.ref, user.email, user.name, "a"):
        found |= _read(house, viewer, label, f"{reverse('admin_find')}?q={term}")
    return found


def _beside(house: House, label: str, viewer: str, name: str) -> Received:
    """A page of the admin site for each row it can be about."""
    found = Received()
    for path in _admin_pages(house, name):
        found |= _read(house, viewer, label, path)
    return found


def _list(house: House, label: str, viewer: str, path: str) -> Received:
    """A list, three searches in it, and each page behind a row; an administrator also uses each filter and date."""
    found = _read(house, viewer, label, path)
    page = BeautifulSoup(found[f"{viewer} GET {path}"], "html.parser")
    ways = page.select("#result_list tbody a[href]")
    if viewer == "staff":
        ways += page.select("#changelist-filter a[href], nav.toplinks a[href]")
    more = {one for way in ways if (one := urljoin(path, str(way["href"]))).startswith(path)}
    if page.select_one("#searchbar"):
        user = house.people[HIDDEN]
        more |= {f"{path}?q={word}" for word in (house.game.ref, user.email, user.name)}
    for one in sorted(more - {path}):
        found |= _read(house, viewer, label, one)
    return found


def _admin_pages(house: House, name: str) -> Iterator[str]:
    """Where a page beside the lists is, for each row it can be about."""
    if name == "games_game_step":
        for number in range(1, history.count_steps(fresh(house.game))):
            yield reverse(f"admin:{name}", args=[house.game.pk, number])
        return
    rows: dict[str, Any] = {
        "game": [house.game.pk],
        "user": User.objects.order_by("pk").values_list("pk", flat=True),
        "report": Report.objects.order_by("pk").values_list("pk", flat=True),
        "endpoint": Endpoint.objects.order_by("pk").values_list("pk", flat=True),
    }
    yield from (reverse(f"admin:{name}", args=[pk]) for pk in rows[name.split("_")[1]])


def _sent(house: House) -> Received:
    """The mails that others were sent, the calls of webhooks that are not Ben's, the messages to others' devices."""
    found: Received = {}
    for name in NAMES.values():
        for number, letter in enumerate(house.post.sent_to(house.people[name].email)):
            found[f"{name} mail {number}"] = letter
    for owner, url in HOOKS.items():
        for number, body in enumerate(house.post.called(url)):
            found[f"webhook of {owner} {number}"] = body.encode()
    for owner, url in DEVICES.items():
        for number, body in enumerate(house.post.called(url)):
            found[f"device of {owner} {number}"] = body.encode()
    return found


def _read(house: House, viewer: str, label: str, path: str, **headers: str) -> Received:
    """What a GET is answered with: status, headers and body."""
    house.dice.throw(f"{label} {viewer} {path}")
    client = house.clients[viewer]
    response = client.get(path, headers=headers)
    assert response.status_code != 500, path
    body = b"".join(response.streaming_content) if response.streaming else response.content
    head = "\n".join(f"{name}: {value}" for name, value in sorted(response.headers.items()))
    cookies = "\n".join(sorted(morsel.OutputString() for morsel in response.cookies.values()))
    key = f"{viewer} {'API' if 'Authorization' in headers else 'GET'} {path}"
    key += " if changed" if "If-None-Match" in headers else ""
    return {key: body + f"\n\n{response.status_code}\n{head}\n{cookies}".encode()}


def _path(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def _address(house: House, viewer: str, pattern: Any) -> str | None:
    """An address for this viewer; None for one that needs something he has not got."""
    user = house.people[NAMES[viewer]] if viewer in NAMES else None
    hook = Endpoint.objects.filter(recipient__user=user).first() if user else None
    ref = {
        "player": house.people[HIDDEN].ref,
        "api_read_player": house.people[HIDDEN].ref,
        "api_read_person": house.people[HIDDEN].ref,
        **dict.fromkeys(("webhook_page", "api_read_webhook", "api_list_webhook_calls"), hook.ref if hook else None),
        **dict.fromkeys(
            ("club", "api_read_club", "club_webhooks", "api_list_club_webhooks"),
            house.game.club.ref if house.game.club else None,
        ),
    }.get(pattern.name, house.game.ref)
    known: dict[str, Any] = {"ref": ref, "number": house.number, "name": house.game.rules_name,
                             "rules": house.game.rules_name}  # fmt: skip
    if pattern.name == "api_read_learned":
        known["number"] = 1
    wanted = {one: known[one] for one in pattern.pattern.converters}
    return None if None in wanted.values() else reverse(pattern.name, kwargs=wanted)


def differences(one: Received, other: Received) -> list[str]:
    """Where two worlds differ, and how they begin to."""
    found = []
    for key in sorted(one.keys() | other.keys()):
        first, second = one.get(key), other.get(key)
        if first != second:
            found.append(f"{key}: {_first_difference(first, second)}")
    return found


def _first_difference(first: bytes | None, second: bytes | None) -> str:
    if first is None or second is None:
        return "is there in one world alone"
    at = next((n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    begin = max(0, at - 80)
    return f"{first[begin : at + 120]!r} and {second[begin : at + 120]!r}"
