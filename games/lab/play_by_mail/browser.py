"""A browser without JavaScript: one person's session, and pages with the forms that are on them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from urllib.parse import urljoin

import requests
from bs4 import BeautifulSoup, Tag
from bs4.filter import SoupStrainer

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
    tag: Tag = field(repr=False)


@dataclass(frozen=True)
class Page:
    """What a request was answered with."""

    url: str
    status: int
    body: str = field(repr=False)

    @cached_property
    def soup(self) -> BeautifulSoup:
        """The page, parsed."""
        return BeautifulSoup(self.body, "html.parser")

    @cached_property
    def words(self) -> str:
        """What there is to read in the main part, on one line."""
        return " ".join((self.soup.find("main") or self.soup).get_text(" ").split())

    @cached_property
    def forms(self) -> list[PageForm]:
        """All forms that post."""
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
        """Submit a form. Raises PageFault for 5xx or no answer."""
        return self._ask("POST", url, data)

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
