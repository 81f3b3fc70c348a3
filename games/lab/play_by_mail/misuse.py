"""Forbidden requests that players try now and then: broken links, untouched forms, unoffered values, second clicks."""

import hashlib
from collections.abc import Iterable
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING

from games.lab.play_by_mail.answer_form import AnswerForm, find_answer_form
from games.lab.play_by_mail.received_email import Link

if TYPE_CHECKING:
    from games.lab.play_by_mail.mail_player import MailPlayer

TAMPERED, TRUNCATED, FOREIGN, UNTOUCHED, ILLEGAL, TWICE, STALE, SPENT = KINDS = (
    "tampered link",
    "truncated link",
    "link of another question",
    "untouched form",
    "something that was not offered",
    "second click",
    "another answer after the first",
    "spent link",
)


def draw(dice: Random, share: float) -> str:
    """Draws the kind of misuse to try this time, or "" for none."""
    return dice.choice(KINDS) if dice.random() < share else ""


def is_kept(commitment: str, hashes: Iterable[str]) -> bool:
    """Whether one of these is the seed the commitment was made of."""
    return any(hashlib.sha256(bytes.fromhex(value)).hexdigest() == commitment for value in hashes)


def try_before(trick: str, person: "MailPlayer", link: Link) -> None:
    """Tries links that do not exist; each must be a 404."""
    url = {
        TAMPERED: lambda: tampered(link.url),
        TRUNCATED: lambda: link.url.rstrip("/")[:-3] + "/",
        FOREIGN: lambda: person.spent[-1].url.replace(person.spent[-1].about, link.about) if person.spent else "",
    }.get(trick, lambda: "")()
    if url:
        page = person.browser.get(url)
        _expect(person, trick, page.status == HTTPStatus.NOT_FOUND, page.status)


def try_with_form(trick: str, person: "MailPlayer", form: AnswerForm) -> None:
    """Tries invalid forms; each must be refused with a message and the question still shown."""
    if trick == UNTOUCHED:
        data = form.untouched()
    elif trick == ILLEGAL and form.radios:
        data = form.fill(person.dice, careful=True)
        data |= {field.name: "no-such-thing" for field in form.radios if field.name in data}
        if "no-such-thing" not in data.values():
            return
    else:
        return
    page = person.browser.post(form.form.url, data)
    is_refused = page.status == HTTPStatus.UNPROCESSABLE_ENTITY and find_answer_form(page) is not None
    # The deadline may have been faster: then the question is gone, and that is said instead.
    _expect(person, trick, is_refused or page.status == HTTPStatus.CONFLICT, page.status)


def try_after(trick: str, person: "MailPlayer", link: Link, url: str, data: dict[str, str]) -> None:
    """Answers again: the same click must change nothing, another answer must be refused."""
    if trick == TWICE:
        page = person.browser.post(url, data)
        _expect(person, trick, page.status == HTTPStatus.OK, page.status)
    elif trick in (STALE, SPENT):
        page = person.browser.get(link.url)
        _expect(person, trick, page.status == HTTPStatus.OK, page.status)
        if trick == STALE and find_answer_form(page) is None:  # a sealed answer may still be replaced
            page = person.browser.post(url, data | {"key": "another"})
            _expect(person, trick, page.status == HTTPStatus.CONFLICT, page.status)


def tampered(url: str) -> str:
    """The address with one character of its token changed."""
    head, token = url.rstrip("/").rsplit("/", 1)
    return f"{head}/{'b' if token[0] == 'a' else 'a'}{token[1:]}/"


def _expect(person: "MailPlayer", trick: str, holds: bool, status: int) -> None:
    person.record.misuse[trick] += 1
    person.record.expect(holds, f"{trick}: answered {status}")
