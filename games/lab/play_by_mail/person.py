"""A person who knows nothing but emails: what an email says, the pages behind its links, their forms, and mistakes.

What happens is kept in the record of the run."""

import dataclasses
import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cached_property, partial
from http import HTTPStatus
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import requests
from bs4 import BeautifulSoup, Tag
from bs4.filter import SoupStrainer

from games.web.answers.question_form import WAY

if TYPE_CHECKING:
    pass


LINK = re.compile(r"https?://[^\s<>\"'()]+")
ACT, BACK, INVITATION = "act", "back", "invitation"
DOOR = re.compile(rf"/({ACT}|{BACK}|{INVITATION})/([^/?#]+)/")  # the doors a link may lead to, and what it is about
HASH_LINE = re.compile(r"^\s*([0-9a-f]{64})\s*$", re.MULTILINE)
CODE_LINE = re.compile(r"^\s*([A-Z0-9][A-Z0-9-]{3,11})\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """A link that opens a door of the service: which one, what it is about, and the address without its query."""

    door: str
    about: str
    url: str


@dataclass(frozen=True)
class ReceivedEmail:
    """One mail that arrived for one person."""

    recipient: str
    message: EmailMessage = dataclasses.field(repr=False)

    @classmethod
    def read(cls, recipient: str, content: bytes) -> "ReceivedEmail":
        """The email in these bytes (RFC 5322). Malformed emails are read as far as possible."""
        return cls(recipient.lower(), message_from_bytes(content, policy=policy.default))

    @cached_property
    def message_id(self) -> str:
        """The Message-ID, with its angle brackets."""
        return str(self.message.get("Message-ID", "")).strip()

    @cached_property
    def subject(self) -> str:
        """The subject line, decoded."""
        return str(self.message.get("Subject", "")).strip()

    @cached_property
    def text(self) -> str:
        """The plain text."""
        return self._part("plain")

    @cached_property
    def html(self) -> str:
        """The HTML source."""
        return self._part("html")

    @cached_property
    def doors(self) -> list[Link]:
        """The links of the text that open a door, each once, in reading order."""
        return _doors(LINK.findall(self.text))

    @cached_property
    def html_doors(self) -> list[Link]:
        """The links of the HTML part that open a door."""
        anchors = BeautifulSoup(self.html, "html.parser", parse_only=SoupStrainer("a")).select("a[href]")
        return _doors([str(anchor["href"]) for anchor in anchors])

    @cached_property
    def hashes(self) -> set[str]:
        """Returns the words that look like a SHA-256 or a seed and stand on a line of their own."""
        return set(HASH_LINE.findall(self.text))

    @cached_property
    def code(self) -> str:
        """The sign-in code that stands on a line of its own, or ""."""
        found = CODE_LINE.search(self.text)
        return found.group(1) if found else ""

    def links_to(self, door: str) -> list[Link]:
        """The text's links to one door."""
        return [link for link in self.doors if link.door == door]

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        return str(part.get_content()) if part is not None else ""


def _doors(urls: list[str]) -> list[Link]:
    found = {}
    for url in urls:
        plain = url.split("?", 1)[0].split("#", 1)[0].rstrip(".,;")
        match = DOOR.search(plain)
        if match:
            found[plain] = Link(match.group(1), match.group(2), plain)
    return list(found.values())


# A record of one run: what people did, what they let pass, what they were sent, and what was wrong.


class RunFailed(Exception):
    """The run cannot go on; the message says why."""


@dataclass
class RunRecord:
    """The record shared by all players of a run. Decisions are named by the reference in their links."""

    answered: Counter[str] = dataclasses.field(default_factory=Counter)  # how often an answer was acknowledged
    missed: set[str] = dataclasses.field(default_factory=set)  # let pass on purpose
    late: set[str] = dataclasses.field(default_factory=set)  # closed, or put off, before the answer arrived
    unasked: int = 0  # what people did though nothing asked them
    returns: int = 0  # absent people who came back
    refusals: int = 0  # answers the rules refused, said so, and took another one for
    misuse: Counter[str] = dataclasses.field(default_factory=Counter)
    faults: list[str] = dataclasses.field(default_factory=list)
    emails: list[ReceivedEmail] = dataclasses.field(default_factory=list)
    repeated: list[str] = dataclasses.field(default_factory=list)  # Message-IDs that came again
    _seen: set[tuple[str, str]] = dataclasses.field(default_factory=set)

    def keep(self, email: ReceivedEmail) -> bool:
        """Note an email; False if one with its Message-ID has come to this person before."""
        key = (email.recipient, email.message_id)
        if key in self._seen:
            self.repeated.append(email.message_id)
            return False
        self._seen.add(key)
        self.emails.append(email)
        return True

    def expect(self, holds: bool, fault: str) -> None:
        """Note a fault unless `holds`."""
        if not holds:
            self.faults.append(fault)

    @property
    def answers(self) -> int:
        """How many answers were acknowledged."""
        return self.answered.total()


# A browser without JavaScript: one person's session, and pages with the forms that are on them.

TIMEOUT = 30.0  # seconds for one page
RETRY_PAUSE = 0.25
EXCERPT = 300  # characters of a page in an error


class PageFault(Exception):
    """A page answered what no page may answer here."""


@dataclass
class PageForm:
    """A form as it stands on the page: where it goes, and what its fields hold untouched."""

    url: str
    data: dict[str, str]
    names: frozenset[str]  # of all its fields, those that hold nothing as well
    tag: Tag = dataclasses.field(repr=False)


@dataclass(frozen=True)
class Page:
    """The response to a request."""

    url: str
    status: int
    body: str = dataclasses.field(repr=False)

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The page, parsed."""
        return BeautifulSoup(self.body, "html.parser")

    @cached_property
    def words(self) -> str:
        """Returns the text of the main part, on one line."""
        return " ".join((self.soup.find("main") or self.soup).get_text(" ").split())

    @cached_property
    def forms(self) -> list[PageForm]:
        """Returns the forms that post."""
        only_forms = BeautifulSoup(self.body, "html.parser", parse_only=SoupStrainer("form"))  # boards are large
        return [read_form(tag, self.url) for tag in only_forms.select('form[method="post" i]')]

    def form_with(self, name: str) -> PageForm | None:
        """The first form that has a field of this name."""
        return next((form for form in self.forms if name in form.names), None)

    def form_to(self, ending: str) -> PageForm | None:
        """The first form whose address ends like this."""
        return next((form for form in self.forms if form.url.endswith(ending)), None)


class Browser:
    """One person's browser.

    Arguments:
        patience: seconds it goes on trying while the service is not there, or says that it is not well. With 0 either
            is an error at once.
    """

    def __init__(self, *, language: str = "en", patience: float = 0.0) -> None:
        self.patience = patience
        self.requests = 0
        self._session = requests.Session()
        self._session.trust_env = False  # no proxy between a person of ours and the service
        self._session.headers["Accept-Language"] = language
        self._session.headers["Connection"] = "close"  # a kept one may be closed just as the next request goes out

    def get(self, url: str) -> Page:
        """Open a page. Raises PageFault for 5xx or no answer."""
        return self._ask("GET", url, None)

    def post(self, url: str, data: Mapping[str, str]) -> Page:
        """Submit a form, and say who one is if the page asks. Raises PageFault for 5xx or no answer."""
        page = self._ask("POST", url, data)
        asks_who = next((form for form in page.forms if {"challenge", "person"} <= form.names), None)
        return page if asks_who is None else self._ask("POST", asks_who.url, asks_who.data | {"person": "me"})

    def submit(self, form: PageForm, **changes: str) -> Page:
        """Submit a form with some of its fields filled in."""
        return self.post(form.url, form.data | changes)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def _ask(self, method: str, url: str, data: Mapping[str, str] | None) -> Page:
        end = time.monotonic() + self.patience
        while True:
            try:
                return self._once(method, url, data)
            except (requests.RequestException, PageFault) as error:
                if time.monotonic() >= end:
                    raise PageFault(f"{method} {_without_token(url)}: {error}") from error
            time.sleep(RETRY_PAUSE)

    def _once(self, method: str, url: str, data: Mapping[str, str] | None) -> Page:
        self.requests += 1
        # Browsers name the page a form is on; Django's CSRF check asks for it over https.
        headers = {"Referer": url} if data is not None else {}
        answer = self._session.request(method, url, data=data, headers=headers, timeout=TIMEOUT)
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise PageFault(f"answered {answer.status_code}: {' '.join(answer.text.split())[:EXCERPT]}")
        return Page(answer.url, answer.status_code, answer.text)


def read_form(tag: Tag, page_url: str) -> PageForm:
    """The form as a browser would send it untouched; buttons are not pressed."""
    data: dict[str, str] = {}
    names = set()
    for item in tag.find_all(["input", "select", "textarea"]):
        name = str(item.get("name", ""))
        if not name or item.get("type") in ("submit", "button", "image"):
            continue
        names.add(name)
        value = _untouched(item)
        if value is not None:
            data[name] = value
    return PageForm(urljoin(page_url, str(tag.get("action") or page_url)), data, frozenset(names), tag)


def _untouched(item: Tag) -> str | None:
    if item.name == "textarea":
        return item.get_text()
    if item.name == "select":
        chosen = item.find("option", selected=True) or item.find("option")
        return str(chosen.get("value", chosen.get_text())) if isinstance(chosen, Tag) else None
    if item.get("type") in ("radio", "checkbox"):
        return str(item.get("value", "on")) if item.has_attr("checked") else None
    return str(item.get("value", ""))


def _without_token(url: str) -> str:
    """The address without what would let somebody else act."""
    return "/".join(part[:6] + "…" if len(part) > 20 else part for part in url.split("/"))


# Reads the form of a question and fills it in, whatever game it belongs to.


@dataclass(frozen=True)
class Choosing:
    """One of these values must be chosen."""

    name: str
    values: list[str]


@dataclass(frozen=True)
class Numbers:
    """These number fields (name: most that may be given) make `least` to `total` together, or as much as `same_as`."""

    limits: Mapping[str, int]
    least: int
    total: int
    same_as: str = ""


EAGER = 0.8  # how often people take the first way, which does something: games of the undecided last for ever


@dataclass(frozen=True)
class AnswerForm:
    """The form of a question: the ways to answer ([""] if there is nothing to choose between), and all their fields."""

    form: PageForm
    ways: list[str]
    radios: list[Choosing]
    numbers: list[Numbers]

    def untouched(self) -> dict[str, str]:
        """Returns the fields a scanner would post that presses the button and nothing else."""
        return dict(self.form.data)

    def fill(self, dice: Random, *, careful: bool) -> dict[str, str]:
        """A random answer.

        Arguments:
            careful: choose nothing twice among the fields of one way, as most rules want it. The rules are not on the
                form: whoever is not careful may be refused and has to try again.
        Raises Unfillable for a form that cannot be filled in.
        """
        way = self.ways[0] if dice.random() < EAGER else dice.choice(self.ways)
        chosen = self._choose([field for field in self.radios if _belongs(field.name, way)], dice, careful=careful)
        data = self.untouched() | chosen | ({WAY: way} if way else {})
        taken = frozenset(chosen.values()) if careful else frozenset[str]()
        for field in self.numbers:
            if all(_belongs(name, way) for name in field.limits):
                data |= _fill_numbers(field, data, taken, dice)
        if self.form.tag.select_one("button[name=meant]"):
            data["meant"] = "ask"  # the page asks what is meant by a sheet that places nothing
        return data

    def _choose(self, fields: list[Choosing], dice: Random, *, careful: bool) -> dict[str, str]:
        values = draw_distinct([field.values for field in fields], dice) if careful else None
        if values is None:
            values = [dice.choice(field.values) for field in fields]
        return {field.name: value for field, value in zip(fields, values, strict=True)}


def find_answer_form(page: Page) -> AnswerForm | None:
    """The form of the question on this page, or None if nothing is asked. Raises Unfillable for one without fields."""
    forms = _question_forms(page)
    return read_answer_form(forms[0]) if forms else None


def _question_forms(page: Page) -> list[PageForm]:
    """The forms in which answers are chosen; what is confirmed has one of its own, with nothing to choose."""
    return [form for form in page.forms if "answer" in (form.tag.get("class") or "") and "decision" in form.names]


def find_extra_form(page: Page) -> AnswerForm | None:
    """The form of what may be done unasked: it stands behind that of the question."""
    forms = _question_forms(page)
    return read_answer_form(forms[-1]) if len(forms) > 1 else None


def read_answer_form(form: PageForm) -> AnswerForm:
    """The ways and fields of a form. Raises Unfillable for one without any."""
    ways, radios, numbers = [], [], []
    for item in form.tag.select(f'button[name="{WAY}"], [data-way]'):
        way = str(item.get("data-way") or item["value"])
        if way not in ways and not item.find_parent(class_="lamp"):
            ways.append(way)
    for fieldset in form.tag.find_all("fieldset"):
        if not fieldset.find("fieldset"):
            radios.extend(_choices(fieldset))
            numbers.extend(_numbers(fieldset))
    if not (ways or radios or numbers):
        raise Unfillable("the form of the question has no fields")
    return AnswerForm(form, ways or [""], radios, numbers)


def _choices(fieldset: Tag) -> list[Choosing]:
    found: dict[str, list[str]] = {}
    for item in fieldset.select('input[type="radio"], button[name]'):
        found.setdefault(str(item["name"]), []).append(str(item["value"]))
    return [Choosing(name, values) for name, values in found.items()]


def _numbers(fieldset: Tag) -> list[Numbers]:
    items = fieldset.select('input[type="number"]')
    if not items:
        return []
    if not fieldset.get("data-total") or fieldset.select_one("legend .hint") is None:
        raise Unfillable("number fields that do not say what they must make together")
    least, total = int(str(fieldset["data-least"])), int(str(fieldset["data-total"]))
    limits = {str(item["name"]): int(str(item.get("max", str(total)))) for item in items}
    return [Numbers(limits, least, total, str(fieldset.get("data-same-as", "")))]


def _belongs(name: str, way: str) -> bool:
    return not way or name.startswith(f"{way}-")


def _fill_numbers(field: Numbers, data: Mapping[str, str], taken: frozenset[str], dice: Random) -> dict[str, str]:
    """Amounts for one group of number fields; `data` is what has been filled in before."""
    if field.same_as:
        others = {name: int(value) for name, value in data.items() if value and name.startswith(f"{field.same_as}-")}
        total = sum(others.values())
        taken |= {name.rsplit("-", 1)[-1] for name, amount in others.items() if amount}
    else:
        total = dice.randint(field.least, field.total)
    limits = {name: limit for name, limit in field.limits.items() if name.rsplit("-", 1)[-1] not in taken}
    if sum(limits.values()) < total:
        limits = dict(field.limits)
    amounts = split(min(total, sum(limits.values())), list(limits.values()), dice)
    return {name: str(amount) for name, amount in zip(limits, amounts, strict=True) if amount}


class Unfillable(ValueError):
    """A form asks for something that nobody can give."""


def split(total: int, limits: Sequence[int], dice: Random) -> list[int]:
    """Amounts for fields with these limits that make exactly `total`, drawn piece by piece.

    Raises Unfillable if the limits do not allow so many.
    """
    if sum(limits) < total:
        raise Unfillable(f"{total} in all, but the limits {list(limits)} allow fewer")
    amounts = [0] * len(limits)
    for _piece in range(total):
        room = [index for index, limit in enumerate(limits) if amounts[index] < limit]
        amounts[dice.choice(room)] += 1
    return amounts


def draw_distinct(choices: Sequence[Sequence[str]], dice: Random) -> list[str] | None:
    """One value from each list, no value twice, drawn at random; None if that cannot be."""
    drawn: list[str] = []
    return drawn if _extend(drawn, choices, dice) else None


def _extend(drawn: list[str], choices: Sequence[Sequence[str]], dice: Random) -> bool:
    if len(drawn) == len(choices):
        return True
    here = choices[len(drawn)]
    for value in dice.sample(list(here), len(here)):
        if value not in drawn:
            drawn.append(value)
            if _extend(drawn, choices, dice):
                return True
            drawn.pop()
    return False


# A seeded person who plays by mail: reads what arrives, follows links, fills in forms, sometimes lets things pass.

CARELESS = 0.3  # how often the first try pays no heed to what the rules want
MOST_REFUSALS = 8  # then the form cannot be filled in
LONGER_AWAY = 0.15  # of those who miss one question, how many miss the next three as well
AWAY_FOR = 3  # questions
ANSWERS_WHEN_EXCUSED = 0.5
UNASKED = 0.1  # how often people do what they may do unasked, when a page offers it

Later = Callable[[float, Callable[[], None]], None]  # (seconds, what to do then)


class MailPlayer:
    """Somebody at the table.

    Arguments:
        seed: everything this person decides is drawn from it.
        miss: how often a question is let pass on purpose, 0 to 1.
        naughty: how often something is tried that must not work, 0 to 1.
        later: how the person puts something off.
    """

    def __init__(
        self, name: str, address: str, *, seed: str, miss: float, naughty: float, record: RunRecord, later: Later
    ) -> None:
        self.name = name
        self.address = address
        self.browser = Browser()
        self.dice = Random(f"{seed}:{name}")  # noqa: S311  plain dice: what people do must be repeatable
        self.record = record
        self.is_over = False  # the game, as far as this person was told
        self.emails = 0
        self.commitment = ""
        self.spent: list[Link] = []
        self._miss, self._naughty, self._later = miss, naughty, later
        self._away_for = 0
        self._rolled: set[str] = set()

    def read(self, email: ReceivedEmail) -> None:
        """Do what an email of a game that runs asks for. Raises PageFault or RunFailed."""
        self.emails += 1
        self._compare_parts(email)
        self._read_promise(email)
        for link in email.links_to(BACK):
            self._later(self.dice.uniform(0.5, 4.0), partial(self._come_back, link))
        for link in email.links_to(ACT):
            self._read_question(link)

    def _compare_parts(self, email: ReceivedEmail) -> None:
        same = {link.url for link in email.doors} == {link.url for link in email.html_doors}
        self.record.expect(same, f"{email.subject!r}: the links of text and HTML differ")

    def _read_promise(self, email: ReceivedEmail) -> None:
        """The first hash is the table's commitment; the email that shows what it was made of ends the game.

        The email with the commitment may have been joined to another, which says it shorter: then the pair must do.
        """
        if any(is_kept(value, email.hashes) for value in email.hashes):
            self.is_over = True
            is_promised = not self.commitment or self.commitment in email.hashes
            self.record.expect(is_promised, "the seed is not what was promised")
        elif not self.commitment and email.hashes:
            self.commitment = min(email.hashes)

    def _read_question(self, link: Link) -> None:
        if link.about in self.record.answered:  # what was closed too early may be asked again
            return
        if not self._lets_pass(link.about):
            self._answer(link)

    def _lets_pass(self, about: str) -> bool:
        """Whether this question gets no answer. Asked about it once more, one may think again."""
        if about in self._rolled:
            passes = self.dice.random() >= ANSWERS_WHEN_EXCUSED
        elif self._away_for:
            self._away_for -= 1
            passes = True
        else:
            passes = self.dice.random() < self._miss / (1 + LONGER_AWAY * AWAY_FOR)
            self._away_for = AWAY_FOR if passes and self.dice.random() < LONGER_AWAY else 0
        self._rolled.add(about)
        (self.record.missed.add if passes else self.record.missed.discard)(about)
        return passes

    def _answer(self, link: Link) -> None:
        trick = draw(self.dice, self._naughty)
        try_before(trick, self, link)
        page = self.browser.get(link.url)
        form = find_answer_form(page)
        if page.status != HTTPStatus.OK or form is None:
            self._note_late(link, page)
            return
        try_with_form(trick, self, form)
        if self._acts_unasked(page):  # that goes first; the question is asked again, unless its time was up meanwhile
            self.record.late.add(link.about)
            self._rolled.discard(link.about)
            return
        data = self._post(link, form)
        if data is not None:
            self.spent.append(link)
            try_after(trick, self, link, form.form.url, data)

    def _acts_unasked(self, page: Page) -> bool:
        """Do what may be done unasked, if the page offers it and one feels like it; whether it was done."""
        form = find_extra_form(page)
        if form is None or self.dice.random() >= UNASKED:
            return False
        for _attempt in range(MOST_REFUSALS):
            answer = self.browser.post(form.form.url, form.fill(self.dice, careful=True))
            if answer.status != HTTPStatus.UNPROCESSABLE_ENTITY:
                self.record.unasked += answer.status == HTTPStatus.OK
                return answer.status == HTTPStatus.OK
            form = find_extra_form(answer) or form
        return False

    def _post(self, link: Link, form: AnswerForm) -> dict[str, str] | None:
        """Answer until the answer is taken; returns what was taken, or None if it came too late."""
        for attempt in range(MOST_REFUSALS):
            data = form.fill(self.dice, careful=attempt > 0 or self.dice.random() >= CARELESS)
            page = self.browser.post(form.form.url, data)
            if page.status == HTTPStatus.OK:
                self.record.answered[link.about] += 1
                self.record.late.discard(link.about)
                return data
            if page.status != HTTPStatus.UNPROCESSABLE_ENTITY:
                self._note_late(link, page)
                return None
            self.record.refusals += 1
            form = find_answer_form(page) or form
        raise RunFailed(f"{self.name} was refused {MOST_REFUSALS} times at one question, at last: {page.words[:300]}")

    def _note_late(self, link: Link, page: Page) -> None:
        """Answered already, by the deadline: nothing else may close a question before its player does."""
        if page.status not in (HTTPStatus.OK, HTTPStatus.CONFLICT):
            raise RunFailed(f"{self.name} followed a link and got {page.status}: {page.words[:300]}")
        self.record.late.add(link.about)

    def _come_back(self, link: Link) -> None:
        page = self.browser.get(link.url)
        if page.status == HTTPStatus.CONFLICT or self.is_over:
            return
        form = page.form_to(link.url.split("://", 1)[1].split("/", 1)[1])
        if form is None:  # back already
            return
        answer = self.browser.submit(form)
        self.record.expect(
            answer.status in (HTTPStatus.OK, HTTPStatus.CONFLICT), f"coming back was answered {answer.status}"
        )
        self.record.returns += answer.status == HTTPStatus.OK


# Forbidden requests that players try now and then: broken links, untouched forms, unoffered values, second clicks.

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
