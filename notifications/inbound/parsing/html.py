"""The words of an HTML mail, up to where it quotes. For mails without a text part."""

import contextlib
import re
from html.parser import HTMLParser

LARGEST = 48 * 1024  # characters that are looked at, once the style sheets are gone
HIDDEN = re.compile(r"<(style|script|head|title)\b|<!--", re.IGNORECASE)
BLOCKS = frozenset(
    ["p", "div", "br", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "hr", "body", "blockquote", "pre"]
)
QUOTES = re.compile(
    r"gmail_quote|gmail_attr|yahoo_quoted|moz-cite|protonmail_quote|zmail_extra|appendonsend|divRplyFwdMsg|"
    r"display:\s*none|"  # what its reader does not see; some programs quote our own mails so
    r"mail-editor-reference|OutlookMessageHeader|reply-intro|ms-outlook-mobile-reference|border-top:\s?solid"
)
STOP = frozenset({"blockquote", "hr"})


class _Over(Exception):
    """Quoted text begins."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in STOP or any(name in ("class", "id", "style") and QUOTES.search(value or "") for name, value in attrs):
            raise _Over
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        self.parts.append(" ".join(data.split()) if data.strip() else " ")


def text_of(html: str) -> str:
    """The text before the first quote. A bottom-posted answer in HTML is not found: its writer is asked again."""
    reader = _Reader()
    with contextlib.suppress(_Over, AssertionError):  # AssertionError: what HTMLParser says of broken declarations
        reader.feed(_shown(html))
    return "".join(reader.parts)


def _shown(html: str) -> str:
    """The HTML without what is never shown. One pass: what is opened and not closed takes all the rest with it."""
    lower, parts, at = html.lower(), [], 0
    while found := HIDDEN.search(html, at):
        parts.append(html[at : found.start()])
        end = f"</{found.group(1).lower()}" if found.group(1) else "-->"
        at = lower.find(end, found.end())
        if at < 0:
            return "".join(parts)[:LARGEST]
        at += len(end)
    return "".join([*parts, html[at:]])[:LARGEST]
