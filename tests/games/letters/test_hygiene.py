"""Names and titles are what people typed: they must not break a letter, forge one, or run in one."""

import datetime as dt
import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.core import mail as django_mail
from django.db import connection

from games.lobby import invitations
from games.models import Decision, Game, Seat, User
from games.people.names import UNSEEN
from games.web.mail import render_sample
from games.web.samples import KINDS, sample
from notifications.delivery.sending import deliver
from tests.games.conftest import new_table
from tests.games.letters.conftest import mail

NASTY = [
    "Eva\r\nBcc: everybody@example.org",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202egnihton\u202c",
    "אנה אנה",
    "🐉🪔\u200d🧞",
    "x" * 10_000,
    "{{ settings.SECRET_KEY }} {% debug %}",
    "%(table)s %s",
    "a\x00b\x1bc\u2028d",
    "   ",
]


def storable(name: str) -> str:
    """The name as this database can hold it: PostgreSQL takes no NUL, and minds the length of a column."""
    return name.replace("\x00", "")[:40] if connection.vendor == "postgresql" else name


def rename(game: Game, name: str) -> None:
    """Stores a name past every form and service, as another version of them might have."""
    Game.objects.filter(pk=game.pk).update(title=storable(name))
    Seat.objects.filter(game=game, number=0).update(name=storable(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", NASTY)
def test_no_name_breaks_or_forges_a_letter(turn: Decision, ben: User, name: str) -> None:
    rename(turn.game, name)
    letter = mail("due", ben)
    assert len(letter.subject) <= 150  # the channel cuts at 200
    subject = letter.subject.translate(UNSEEN)  # as the channel does
    assert subject.isprintable() or "\u200d" in subject
    assert "\nBcc:" not in letter.text
    assert "<script" not in letter.html
    assert [image.split(" ", 1)[0] for image in letter.html.split("<img ")[1:]] == [
        f'src="cid:{letter.pictures[0].cid}"'
    ]
    for sign in "\r\x00\x1b\u202e\u2028":
        assert sign not in letter.text and sign not in letter.html
    assert len(letter.html.encode()) < 100_000
    assert "/act/" in letter.text and "/act/" in letter.html


@pytest.mark.parametrize("name", NASTY)
def test_a_letter_with_any_name_in_it_is_sent(anna: User, now: dt.datetime, name: str) -> None:
    game = new_table(anna, now)
    invitation = invitations.invite(game_id=game.pk, host=anna, address="eva@example.net", now=now)
    rename(game, name)
    User.objects.filter(pk=anna.pk).update(name=storable(name))
    assert "saved you a seat" in mail("invited", invitation.recipient).subject
    while deliver(now, 1):
        pass
    assert [sent.to for sent in django_mail.outbox] == [["eva@example.net"]]
    assert django_mail.outbox[0].message()["Bcc"] is None


def test_there_are_no_two_blank_lines_together(turn: Decision, ben: User) -> None:
    assert "\n\n\n" not in mail("due", ben).text


CLIENTS = {  # families of mail programs by their platforms, as caniemail.com names them
    "gmail": ("desktop-webmail", "ios", "android"),
    "outlook": ("outlook-com", "macos", "ios", "android", "windows"),
    "apple-mail": ("macos", "ios"),
    "yahoo": ("desktop-webmail", "ios", "android"),
}
FEATURES = {"width": "width property", "height": "height property"}
MAY_LACK = {"overflow-wrap", "word-break", "height property"}  # each knows one of the two; pictures have an attribute
WORD_LACKS = {"border-radius", "min-height property", "max-width"}  # corners; a table of its own holds the width
TEXT_ALONE = {"bdi"}  # its text is shown where the tag is not known
ELEMENTS = {"ul": "<ul>, <ol> and <dl>", "ol": "<ul>, <ol> and <dl>", "h1": "<h1> to <h6> elements"}


@pytest.mark.slow
def test_mail_programs_show_every_tag_and_style_of_every_letter(npm_packages: Path, db: None) -> None:
    read = json.loads((npm_packages / "caniemail" / "data" / "caniemail.json").read_text(encoding="utf-8"))
    features = {feature["title"]: feature["stats"] for feature in read["data"]}
    pages = [BeautifulSoup(render_sample(sample(kind, "en")), "html.parser") for kind in KINDS]
    for page in pages:
        assert not page.select("script, link, form, button, svg, video, object")
        assert len(page.select("table[role=presentation]")) == len(page.find_all("table")) >= 2
        assert {image.get("alt") is not None for image in page.find_all("img")} <= {True}
    tags = {tag.name for page in pages for tag in page.select("body *")} - TEXT_ALONE
    styles = {
        line.partition(":")[0].strip()
        for page in pages
        for tag in page.select("[style]:not(.preview)")
        for line in str(tag["style"]).split(";")
    }
    used = {FEATURES.get(name, name) for name in styles} - MAY_LACK
    used |= {ELEMENTS.get(tag, f"<{tag}> element") for tag in tags}
    lacking = [
        f"{feature}: {family} {platform}"
        for feature in sorted(used & set(features))
        for family, platforms in CLIENTS.items()
        for platform in platforms
        if (found := list(features[feature].get(family, {}).get(platform, {}).values())) and found[-1][0] == "n"
    ]
    assert {line for line in lacking if line.partition(": ")[0] not in WORD_LACKS or "windows" not in line} == set()
    assert all("<!--[if mso]><table" in str(page) for page in pages), "Word knows no widest width"
