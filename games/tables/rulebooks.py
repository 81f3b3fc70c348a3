"""Rules of games in words, and guides: docs/rules/<name>.md in English, <name>.<language>.md in other languages.

A game gets its page by its file alone, here or in the folder rules/ of the package that offers it. HTML in the files is
shown as text, not passed on.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from engine.packages import folders
from engine.registry import newest
from games.tables import boards

FOLDER = Path(settings.BASE_DIR) / "docs" / "rules"
NAMES = ("Anna", "Ben", "Carla", "David", "Emma")  # on the pictures of a setup
SETUP_SEED = "00" * 32
HOW_TO_PLAY = "how-to-play"  # the folder beside the rules of a game with what one reads before the first game
PICTURE = re.compile(r"(?P<sheet>[a-z]+)/(?P<piece>[\w-]+)")
GUIDES = Path(settings.BASE_DIR) / "docs" / "guides"
ENGLISH = "en"
RULING = re.compile(r"\b[ACS][1-9][0-9]?\b")  # as rules, code and tests name it
CITED = re.compile(r"\s?\((?:[ACS][1-9][0-9]?(?:,\s|\s(?:to|bis|a)\s)?)+(?P<ours>(?:<em>)?[\w ]*(?:</em>)?)\)")
CITED_BESIDE = re.compile(r",\s[ACS][1-9][0-9]?(?=\))")
NOTES = "[//]: # (notes)"  # a comment of Markdown above a heading whose section is folded: small print, for arguments
FOLDED = re.compile(r'(<details class="notes".*?</details>)', re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A heading, and the name of its place in the page's address."""

    anchor: str
    title: str


@dataclass(frozen=True)
class Passage:
    """A paragraph, a point of a list or a line of a table, in words: the title of its section, and where it is."""

    anchor: str
    section: str
    text: str

    @property
    def words(self) -> str:
        """The text without the numbers of rulings."""
        return CITED_BESIDE.sub("", CITED.sub("", self.text))


@dataclass(frozen=True)
class Rulebook:
    """The rules of one game in one language. `html` is without its title."""

    name: str
    language: str
    title: str
    sections: list[Section]
    passages: list[Passage]
    html: SafeString

    def rulings(self) -> dict[str, list[Passage]]:
        """The passages that name a ruling, by ruling in its order: "A35". Those before the first section come last."""
        passages: dict[str, list[Passage]] = {}
        for passage in sorted(self.passages, key=lambda passage: not passage.section):
            for ruling in dict.fromkeys(RULING.findall(passage.text)):
                passages.setdefault(ruling, []).append(passage)
        return {
            ruling: passages[ruling] for ruling in sorted(passages, key=lambda ruling: (ruling[0], int(ruling[1:])))
        }

    def find(self, words: str) -> list[Passage]:
        """The passages that have all these words, or beginnings of words, however they are written."""
        wanted = _plain(words).split()
        return [
            passage
            for passage in self.passages
            if wanted and all(f" {word}" in _plain(passage.text) for word in wanted)
        ]


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


@lru_cache(maxsize=32)
def how_to_play(name: str, language: str) -> Rulebook | None:
    """The illustrated page for whoever has never played, in English where it has no other; None for a game without.

    An image in the text is a piece of a sheet of our drawings, `stones/ruby-9`, and its title says how large it is:
    "52x56". A paragraph that begins with images shows them beside its words.
    """
    for code in dict.fromkeys((language, ENGLISH)):
        path = _path(f"{HOW_TO_PLAY}/{name}", code)
        if path.exists():
            return _read(path, name, code)
    return None


@lru_cache(maxsize=32)
def setup(name: str, seats: int, language: str) -> SafeString:
    """The board of a game that has just begun, as everybody sees it. Raises KeyError if there is no such game."""
    rules = {rules.name: rules for rules in newest()}[name]
    if seats not in rules.seat_counts:
        raise KeyError(seats)
    state, _events = rules.new(seats, {}, SETUP_SEED)
    return boards.svg(name, rules.picture(rules.view(state, None), language, NAMES[:seats]), is_plain=True)


@lru_cache(maxsize=8)
def guide(name: str, language: str) -> Rulebook:
    """A guide for players, in the same form; in English where it is not written in that language."""
    own = GUIDES / f"{name}.{language}.md"
    is_own = language != ENGLISH and own.exists()
    return _read(own if is_own else GUIDES / f"{name}.md", name, language if is_own else ENGLISH)


def _read(path: Path, name: str, language: str) -> Rulebook:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    source = path.read_text(encoding="utf-8")
    title, rest = _take_title(markdown.parse(source))
    sections = list(_anchored(rest))
    passages = list(_passages(rest))
    markdown.add_render_rule("image", lambda _self, *args: _picture(*args))
    shown = list(_folding(_scrolling(_illustrated(rest)), source.splitlines()))
    html = _without_rulings(markdown.renderer.render(shown, markdown.options, {}))
    return Rulebook(name, language, title, sections, passages, mark_safe(html))  # noqa: S308 made by the renderer, HTML escaped


def _folding(tokens: Iterable[Token], lines: Sequence[str]) -> Iterable[Token]:
    """Folds the sections that are marked as notes."""
    is_open = False
    for token in tokens:
        is_section = token.tag == "h2" and token.type == "heading_open"
        if is_section and is_open:
            yield Token("html_block", "", 0, content="</details>\n")
            is_open = False
        if is_section and token.map and NOTES in lines[max(0, token.map[0] - 2) : token.map[0]]:
            yield Token("html_block", "", 0, content='<details class="notes">\n<summary>')
            is_open = True
        yield token
        if is_open and token.tag == "h2" and token.type == "heading_close":
            yield Token("html_block", "", 0, content="</summary>\n")
    if is_open:
        yield Token("html_block", "", 0, content="</details>\n")


def _without_rulings(html: str) -> str:
    """Takes the numbers of rulings out of the running text; what is ours leads to the notes, which keep theirs."""
    notes = re.search(r'<details class="notes">\s*<summary><h2 id="([\w-]+)"', html)

    def shorten(cited: re.Match[str]) -> str:
        ours = cited["ours"]
        return f' <a class="ours" href="#{notes[1]}">{ours}</a>' if ours and notes else ours and f" ({ours})"

    parts = FOLDED.split(html)
    return "".join(part if FOLDED.fullmatch(part) else CITED_BESIDE.sub("", CITED.sub(shorten, part)) for part in parts)


def _picture(tokens: Sequence[Token], index: int, _options: object, _env: object) -> str:
    token = tokens[index]
    drawn = PICTURE.fullmatch(str(token.attrs["src"]))
    if drawn is None:
        return escape(token.content)
    width, _by, height = str(token.attrs.get("title", "48x48")).partition("x")
    sheet, piece = drawn.groups()
    address = f"{static(f'games/art/{sheet}.svg')}#{piece}-view"
    return format_html(
        '<img src="{}" width="{}" height="{}" alt="{}" loading="lazy">', address, width, height, token.content
    )


def _illustrated(tokens: list[Token]) -> list[Token]:
    """Tells the style sheet which paragraphs have images; the words beside them get a box of their own."""
    for before, token in pairwise(tokens):
        children = token.children or []
        images = [child for child in children if child.type == "image"]
        if images and before.type == "td_open":
            before.attrSet("class", "drawn")
        if images and before.type == "paragraph_open":
            before.attrSet("class", "figure")
            words = [child for child in children if child.type != "image" and child.content != " "]
            opened, closed = (Token("html_inline", "", 0, content=tag) for tag in ("<span>", "</span>"))
            token.children = [*images, opened, *words, closed]
    return tokens


def _path(name: str, language: str) -> Path:
    file = f"{name}.md" if language == ENGLISH else f"{name}.{language}.md"
    return next((path for folder in folders("rules") if (path := folder / file).exists()), FOLDER / file)


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


def _passages(tokens: list[Token]) -> Iterable[Passage]:
    """Names the place of each passage; a line of a table is one."""
    section, number, cells = "", 0, []
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            section = token.content
        elif token.type == "inline" and before.type in ("td_open", "th_open"):
            cells.append(token)
        elif token.type == "inline":
            number += 1
            yield _named(f"passage-{number}", section, [token])
        elif token.type == "tr_close" and cells:
            number += 1
            yield _named(f"passage-{number}", section, cells)
            cells = []


def _named(anchor: str, section: str, blocks: list[Token]) -> Passage:
    children = [child for block in blocks for child in [*(block.children or []), Token("text", "", 0, content=" ")]]
    text = "".join(" " if child.type == "softbreak" else child.content for child in children)
    place = Token("html_inline", "", 0, content=f'<span id="{anchor}"></span>')
    blocks[0].children = [place, *(blocks[0].children or [])]
    return Passage(anchor, section, " ".join(text.split()))


def _plain(text: str) -> str:
    """Small letters without accents, each word after a space: what a search compares."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = (letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter))
    return " " + " ".join("".join(kept).split())


def _scrolling(tokens: list[Token]) -> Iterable[Token]:
    """On a phone a wide table scrolls in a box of its own, by keyboard too; one with drawings is a gallery of cards."""
    is_gallery = False
    for number, token in enumerate(tokens):
        if token.type == "table_open":
            ended = next(place for place in range(number, len(tokens)) if tokens[place].type == "table_close")
            is_gallery = any(cell.attrs.get("class") == "drawn" for cell in tokens[number:ended])
            box = Token("box_open", "div", 1, block=True)
            box.attrs = {"class": "gallery"} if is_gallery else {"class": "scroll", "tabindex": "0"}
            yield box
        yield token
        if token.type == "table_close":
            yield Token("box_close", "div", -1, block=True)
