"""How a mail is put into lines: as Django does, byte for byte, and without asking it where nothing is unusual."""

from email.errors import MessageError
from email.policy import compat32
from operator import attrgetter

import pytest
import time_machine
from hypothesis import example, given
from hypothesis import strategies as st

from notifications.channels.lines import END, LONGEST, Letter

ID = {"Message-ID": "<AbC_123-x@localhost>"}
WHEN = {"Date": "Mon, 23 Nov 2026 16:00:00 -0000"}
LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=90)
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=90) | LINES
TEXTS = st.text(st.sampled_from("ab ñ🐪.\r\n\x0b\x85\u2028-=") | st.characters(codec="utf-8"), min_size=1)
NAMES = st.sampled_from(["In-Reply-To", "Reply-To", "reply-to", "From", "Cc", "X-Table", "List-Unsubscribe", "date"])


def letter(subject="Your turn", text="Text", html="<p>HTML</p>", to="Anna <anna@example.org>", **headers):
    mail = Letter(subject, text, "Caravanserai <mail@example.org>", [to], headers={**ID, **headers})
    if html:
        mail.attach_alternative(html, "text/html")
    return mail


def by_django(mail):
    made = mail.message()
    made.policy = compat32
    return made.as_bytes(linesep=END)


def outcome(ask, mail):
    try:
        return ask(mail)
    except (ValueError, MessageError) as error:  # what no header can hold
        return str(error)


@given(VALUES, TEXTS, st.just("") | TEXTS, VALUES, st.dictionaries(NAMES, VALUES))
@example("two words " * 6 + "ten x more", "a", "b", "Anna", {})
@example("Your turn, a long way from here: " + "x y " * 20, "a", "b", "Anna", {})
@example(" Two  words ", "a", "b", "Anna", {})
@example("", "a\n", "\n", "Anna", {"X-Table": ""})
@example("s", "a\rb\r\nc\n\rd", "b\r", "Anna", {"X-Table": " 1 ", "Reply-To": " ", "In-Reply-To": "1 "})
@example("s", "x" * (LONGEST + 1), "b", "Anna", {})
@example("s", "a", "ñ" * (LONGEST // 2 + 1), "Anna", {})
@example("s", "From here\n.\n--=_0_", "b", "Anna", {})
def test_the_lines_of_a_mail_are_those_that_django_makes(subject, text, html, to, more):
    mail = letter(subject, text, html, to, **WHEN, **more)
    assert outcome(attrgetter("lines"), mail) == outcome(by_django, mail)


@pytest.mark.parametrize("html", ["", "<p>Dein Zug, Begoña 🐪</p>"])
@pytest.mark.parametrize("subject", ["Your turn", "Begoña ha jugado", "x" * 150])
def test_a_usual_mail_is_written_without_asking_django(monkeypatch, html, subject):
    mail = letter(subject, "Begoña\n" * 300, html)
    with time_machine.travel("2026-11-23T16:00:00Z", tick=False):
        expected = by_django(mail)
        monkeypatch.delattr(Letter, "message")
        monkeypatch.setattr("django.core.mail.message.EmailMessage.message", None)
        assert mail.lines == expected


def test_a_mail_without_a_text_is_asked_of_django():
    mail = letter(text="", **WHEN)
    assert mail.lines == by_django(mail)
    assert b"text/plain" not in mail.lines


@pytest.mark.parametrize("name", ["Subject", "X-Table", "To"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_header_that_would_be_two_is_refused(name, end):
    value = f"1{end}Bcc: david@example.org"
    mail = letter(subject=value) if name == "Subject" else letter(to=value) if name == "To" else letter(**{name: value})
    with pytest.raises(ValueError, match="newlines"):
        _ = mail.lines


@pytest.mark.parametrize("ask", [attrgetter("lines"), by_django])
def test_half_a_character_cannot_be_sent(ask):
    with pytest.raises(UnicodeEncodeError):
        ask(letter(text="\ud83d"))
