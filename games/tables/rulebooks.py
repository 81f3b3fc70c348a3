"""Rules of games in words, and guides: docs/rules/<name>.md in English, <name>.<language>.md in other languages.

A game gets its page by its file alone, here or in the folder rules/ of the package that offers it. HTML in the files is
shown as text, not passed on.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from engine.packages import folders
from engine.registry import newest

FOLDER = Path(settings.BASE_DIR) / "docs" / "rules"
GUIDES = Path(settings.BASE_DIR) / "docs" / "guides"
ENGLISH = "en"


@dataclass(frozen=True)
class Section:
    """A heading, and the name of its place in the page's address."""

    anchor: str
    title: str


@dataclass(frozen=True)
class Rulebook:
    """The rules of one game in one language. `html` is without its title."""

    name: str
    language: str
    title: str
    sections: list[Section]
    html: SafeString


def languages_of(name: str) -> list[str]:
    """The languages the rules of a game are written in; none for a game that does not exist or has no rules yet."""
    if name not in {rules.name for rules in newest()}:
        return []
    return [language for language, _label in settings.LANGUAGES if _path(name, language).exists()]


def best_language(name: str, language: str) -> str:
    """The language to show a reader of `language`: his own, else English, else any; "" if there is none."""
    written = languages_of(name)
    wanted = (language, language.partition("-")[0], ENGLISH)
    return next((code for code in wanted if code in written), written[0] if written else "")


@lru_cache(maxsize=32)
def rulebook(name: str, language: str) -> Rulebook:
    """The rules ready to be shown. Raises FileNotFoundError if they are not written in that language."""
    return _read(_path(name, language), name, language)


@lru_cache(maxsize=8)
def guide(name: str, language: str) -> Rulebook:
    """A guide for players, in the same form; in English where it is not written in that language."""
    own = GUIDES / f"{name}.{language}.md"
    is_own = language != ENGLISH and own.exists()
    return _read(own if is_own else GUIDES / f"{name}.md", name, language if is_own else ENGLISH)


def _read(path: Path, name: str, language: str) -> Rulebook:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    title, rest = _take_title(tokens)
    sections = list(_anchored(rest))
    html = markdown.renderer.render(list(_scrolling(rest)), markdown.options, {})
    return Rulebook(name, language, title, sections, mark_safe(html))  # noqa: S308 made by the renderer, HTML escaped


def _path(name: str, language: str) -> Path:
    file = f"{name}.md" if language == ENGLISH else f"{name}.{language}.md"
    return next((found for folder in folders("rules") if (found := folder / file).exists()), FOLDER / file)


def _take_title(tokens: list[Token]) -> tuple[str, list[Token]]:
    """The words of the first heading, which the page shows as its own, and what comes after it."""
    if len(tokens) > 2 and tokens[0].tag == "h1":
        return tokens[1].content, tokens[3:]
    return "", tokens


def _anchored(tokens: list[Token]) -> Iterable[Section]:
    """Names the places of the sections, which a table of contents leads to."""
    headings = [pair for pair in pairwise(tokens) if pair[0].type == "heading_open" and pair[0].tag == "h2"]
    for number, (heading, words) in enumerate(headings, start=1):
        heading.attrSet("id", f"section-{number}")
        yield Section(f"section-{number}", words.content)


def _scrolling(tokens: list[Token]) -> Iterable[Token]:
    """On a phone a wide table scrolls in a box of its own, by keyboard too."""
    for token in tokens:
        if token.type == "table_open":
            box = Token("box_open", "div", 1, block=True)
            box.attrs = {"class": "scroll", "tabindex": "0"}
            yield box
        yield token
        if token.type == "table_close":
            yield Token("box_close", "div", -1, block=True)
