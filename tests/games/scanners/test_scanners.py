"""Programs that examine mails open, post and press whatever they find: nothing changes, and the links still work."""

import json
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from django.test import Client

from games.lab.play_by_mail.person import read_form
from games.models import Decision, Move
from games.web.samples import KINDS
from tests.games.conftest import some_answer
from tests.games.scanners.mails import changes, everything, forget_guests, links
from tests.games.web.filling import answer_form, filled, soup_of

CORPUS = json.loads((Path(__file__).parent / "corpus.json").read_text())
PAGES = {  # behind the links of all mails; what is new here is to be looked at by whoever adds it
    "account_reset_password", "account_signup", "act", "agree_to_hour", "admin:games_report_moderate", "agreement",
    "appeal", "back", "bot", "by_mail_in", "club_invitation", "confirm_address", "confirm_reply", "friend_request",
    "games.admin.desk.desk", "history", "home", "host_offer", "invitation", "learn", "mail_settings", "mailed_puzzle",
    "mails", "my_games", "never_write", "not_me", "puzzle_mail", "rules_in", "settings", "sign_in_link", "table",
    "tournament", "webhook_page",
}  # fmt: skip
BY_TOKEN = (
    "act", "agree_to_hour", "agreement", "back", "club_invitation", "confirm_address", "confirm_reply",
    "friend_request", "host_offer", "invitation", "mails", "never_write", "not_me", "sign_in_link",
)  # fmt: skip
FEW = 8  # of the corpus for pages that do nothing without a sign-in
pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_programs_that_examine_mails_change_nothing_and_people_still_can():
    """One test, because a mail of every kind takes a while to come about."""
    found = links()
    assert {link.kind for link in found} == {*KINDS, "sign_in", "held", "away", "moves", "password"}
    assert {link.page for link in found} == PAGES
    by_page = {page: [link for link in found if link.page == page] for page in sorted(PAGES)}
    scanner, before = Client(), everything()
    for page, theirs in by_page.items():
        corpus = CORPUS if page in BY_TOKEN else CORPUS[:FEW]
        for number, one in enumerate(corpus):
            meet(scanner, theirs[number % len(theirs)], one)  # each page meets all of it, each mail a part
        assert changes(before, everything()) == [], page
    for page, theirs in by_page.items():
        posted = sum(press_everything(scanner, link.path) for link in (theirs[0], theirs[-1]))
        assert posted > 0 or page not in BY_TOKEN, page
        forget_guests()
        assert changes(before, everything()) == [], page
    asked = next(link for link in by_page["act"] if link.kind == "due")
    try_ways(scanner, asked)
    assert changes(before, everything()) == []
    stop_with_one_click(scanner, found, before)
    answer_as_a_person(scanner, asked)


def meet(scanner, link, one):
    """A program of the corpus finds a link."""
    for request in one["requests"]:
        path = link.path
        path += f"{'&' if '?' in path else '?'}{request['query']}" if "query" in request else ""
        body, type_ = request.get("body", ""), request.get("type", "application/octet-stream")
        response = scanner.generic(request["method"], path, body, content_type=type_, headers=one["headers"])
        assert response.status_code < 500, (path, request)


def press_everything(scanner, path):
    """Each form of a page as it stands, then with each of its buttons, then each button alone; how many were sent."""
    page = scanner.get(path, follow=True)
    base = page.redirect_chain[-1][0] if page.redirect_chain else path
    return sum(press(scanner, form, f"http://testserver{base}") for form in soup_of(page).select("form"))


def press(scanner, form, base):
    read = read_form(form, base)
    buttons = form.select("button, input[type=submit]")
    sent = [read.data, *({**read.data, **of(button)} for button in buttons), *map(of, buttons)]
    path = urlsplit(urljoin(base, read.url))
    for data in sent:
        method = scanner.post if form.get("method", "get").lower() == "post" else scanner.get
        response = method(f"{path.path}?{path.query}" if path.query else path.path, data)
        assert response.status_code < 500, (base, data)
    return len(sent)


def of(button):
    return {button["name"]: button.get("value", "")} if button.get("name") else {}


def try_ways(scanner, link):
    """A link may name the whole answer in its query: who posts to it, body or none, has still marked nothing."""
    row = Decision.objects.select_related("game", "seat").get(ref=link.path.split("/")[2])
    chosen = some_answer(row.game, row)
    path = f"{link.path.partition('?')[0]}?{urlencode({'do': chosen.pop('type'), **chosen})}"
    assert scanner.get(path).status_code == 200
    assert scanner.post(path).status_code in (200, 422)
    assert scanner.post(path, {"submit": "submit"}).status_code in (200, 422)


def stop_with_one_click(scanner, found, before):
    """RFC 8058: this POST may act, for its sender's user has pressed a button; it changes what it names alone."""
    stops = [link for link in found if link.is_one_click]
    assert {link.page for link in stops} == {"mails", "never_write"}
    for link in stops:
        assert scanner.post(link.path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    allowed = {"notifications.Suppression", "notifications.Conversation", "notifications.Recipient"}
    assert set(changes(before, everything())) <= allowed


def answer_as_a_person(scanner, link):
    """Three taps from the mail: the link of a way, which puts it first; its mark; the button."""
    row = Decision.objects.select_related("game", "seat").get(ref=link.path.split("/")[2])
    form = answer_form(scanner.get(link.path))
    assert scanner.post(link.path.partition("?")[0], filled(form, some_answer(row.game, row))).status_code == 303
    assert Move.objects.filter(game=row.game, source=Move.Source.LINK, seat=row.seat.number).count() == 1


def test_the_corpus_is_large_and_names_each_program_once():
    assert len({one["name"] for one in CORPUS}) == len(CORPUS) >= 40
    assert {request["method"] for one in CORPUS for request in one["requests"]} >= {"GET", "HEAD", "OPTIONS", "POST"}
