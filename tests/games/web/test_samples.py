"""Every kind of mail, in every language, from a sample game that leaves nothing behind."""

import re
from html import unescape
from itertools import combinations

import pytest
from bs4 import BeautifulSoup
from django.urls import reverse

from games.models import Game, Move, User
from games.web.samples import ACCOUNT, KINDS, MODERATION, SAID, SIGN_IN, sample, samples
from notifications.channels.mail.letter import PictureMessage, letter
from notifications.composers import kinds, topic_of
from notifications.models import Delivery, Notice, Recipient
from tests.notifications.wellformed import read_strictly

PAGE = reverse("samples")
BY_WEBHOOK = {"ping"}
LARGEST = 100_000  # bytes, as they go over the line
URL = re.compile(r"https?://[^\s\"'<>)]+")
HASH = re.compile(r"[0-9a-f]{64}")
WORD = re.compile(r"[^\W\d_]{3,}")
OF_ACCOUNT = {*ACCOUNT, *SIGN_IN, *MODERATION, "bot_absent"} - {"cancelled", "desk_waits"}


def test_every_kind_of_mail_has_a_sample():
    assert set(KINDS) - {"together", "cancelled", *SIGN_IN} == set(kinds()) - BY_WEBHOOK


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_whole_in_every_language(kind, settings):
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    languages = [language for language, _name in settings.LANGUAGES]
    if kind == "heard":  # what was understood is kept in words
        made = {language: sample(kind, language) for language in languages}
    else:
        made = samples(kind, languages)
    for language, mail in made.items():
        look_at(kind, language, mail)
    for one, other in combinations(made.values(), 2):
        shared = lines_of(one.text) & lines_of(other.text) - set(SAID)
        assert [line for line in shared if len(WORD.findall(line)) > 3] == []  # names are no sentences
        assert one.subject != other.subject
    assert not (User.objects.exists() or Game.objects.exists() or Move.objects.exists() or Notice.objects.exists())


def look_at(kind, language, mail):
    """Text and HTML say the same and lead to the same places; the head says what kind of mail it is."""
    page = BeautifulSoup(mail.html, "html.parser")
    assert page.html["lang"] == language and page.h1.text.strip()
    hrefs, in_text = {link["href"] for link in page.find_all("a")}, set(URL.findall(mail.text))
    assert {link["href"] for link in page.select("a.button")} <= in_text
    assert {url for url in in_text if urlpath(url)} <= hrefs
    assert all(href.startswith("http") for href in hrefs)
    assert not page.find_all(src=re.compile("^http")) and "url(" not in mail.html  # nothing is loaded from elsewhere
    sentences = [
        " ".join(unescape(found.text).split()) for found in page.select("p.deadline strong, blockquote, .news li")
    ]
    assert all(words in " ".join(mail.text.split()) for words in sentences)
    head = head_of(kind, mail)
    assert head["Auto-Submitted"] == ("auto-replied" if kind == "heard" else "auto-generated")
    assert head["X-Auto-Response-Suppress"] == "All"
    if kind not in OF_ACCOUNT:
        assert head["List-Id"].endswith(".games.localhost>") and head["List-Unsubscribe"].startswith("<http")
        topic = topic_of({"together": "due", "cancelled": "closed", "heard": "due"}.get(kind, kind))
        assert (head["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click") is not topic.is_needed
    elif kind not in SIGN_IN:
        assert head["List-Id"] == "<account.localhost>" and head["List-Unsubscribe"] is None


def head_of(kind, mail):
    """The mail as it goes out, of a size that every mail program shows whole."""
    if kind in SIGN_IN:
        plain = PictureMessage(mail.subject, mail.text, to=["ben@example.org"], headers=mail.headers)
        plain.attach_alternative(mail.html, "text/html")
        read_strictly(plain.message().as_bytes(linesep="\r\n"), mail.subject)
        return {"List-Id": None} | dict(mail.headers)
    recipient = Recipient(address="ben@example.org", name="Ben")
    notice = Notice(kind=kind, recipient=recipient, thread="" if kind in OF_ACCOUNT else "game:1")
    sent = letter(Delivery(notice=notice, message_id="<1@localhost>"), mail).message()
    read_strictly(sent.as_bytes(linesep="\r\n"), mail.subject)
    assert len(sent.as_bytes()) <= LARGEST and sent["Message-ID"] == "<1@localhost>"
    return sent


def urlpath(url):
    return url.rstrip("/").count("/") > 2


def lines_of(text):
    return {HASH.sub("", URL.sub("", line)).strip() for line in text.splitlines()}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("rules", ["aladdins-dragons", "cave-of-wonders"])
def test_the_letter_about_orders_tells_of_one_that_has_answered(rules):
    assert "Your order has answered" in sample("orders", "en", rules).text


@pytest.mark.slow
@pytest.mark.django_db
def test_the_page_shows_one_and_refuses_what_there_is_not(client, settings):
    response = client.get(PAGE, {"kind": "due", "language": "es"})
    assert response.status_code == 200 and "Te toca" in response.content.decode()
    assert (
        client.get(PAGE, {"kind": "due", "only": "html"}).headers["Content-Security-Policy"].startswith("default-src")
    )
    for wrong in ({"kind": "x"}, {"language": "xx"}, {"rules": "chess"}):
        assert client.get(PAGE, wrong).status_code == 404
    settings.MAILBOX_ENABLED = False
    assert client.get(PAGE).status_code == 404
