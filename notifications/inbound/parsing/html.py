"""The words of an HTML mail as lines, up to where it quotes. For mails without a text part."""

import contextlib
import re
from html.parser import HTMLParser

LARGEST = 48 * 1024  # characters that are looked at, once the style sheets are gone
MOST_OPEN = 500  # elements within each other
UNSHOWN = re.compile(r"<(style|script|head|title)\b|<!--", re.IGNORECASE)
BLOCKS = frozenset([
    "address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "h1",
    "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "pre", "section", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
])  # fmt: skip
VOID = frozenset([
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
])  # fmt: skip
STOP = frozenset({"blockquote", "hr"})
# How programs mark what they quote, and the head of it.
QUOTES = re.compile(
    r"quot|gmail_attr|moz-?cite|zmail_extra|appendonsend|divRplyFwdMsg|OutlookMessageHeader|reply-intro|forwarded|"
    r"mail-editor-reference|ms-outlook-mobile-reference|airmail_original|bloop_original|zwchr|original-?message|reply-?section",
    re.IGNORECASE,
)
LINES_BESIDE = re.compile(
    r"border-(top|left)(-style)?\s*:[^;]*\b(solid|double|dashed|dotted)|border-left\s*:[^;]*[1-9]", re.I
)
# What its reader does not see, or its writer has taken back, does not act.
HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|mso-hide\s*:\s*all|font-size\s*:\s*0(?![.\d]*[1-9])|"
    r"opacity\s*:\s*0(?![.\d]*[1-9])|text-decoration[a-z-]*\s*:[^;]*line-through",
    re.IGNORECASE,
)
STRUCK = frozenset(["s", "del", "strike"])
SPACE = re.compile(r"[ \t\r\n\f]+")
NOT_TEXT = frozenset(["select", "textarea", "button", "template", "noscript", "object", "audio", "video", "svg"])


class _Over(Exception):
    """Quoted text begins."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._line = ""
        self._open: list[str] = []
        self._struck = 0  # of its elements; they go on where what they stand in ends
        self._hidden_at = 0  # how many elements are open outside of the hidden one; 0 if none is

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in STOP or _is_quote(values):
            self.end_line()
            self.lines.append(">")
            raise _Over
        if tag in BLOCKS:
            self.end_line()
        if tag == "br" and not self._hidden_at:
            self.lines.append(self._line)
            self._line = ""
        if tag in VOID:
            return
        self._open.append(tag)
        self._struck += tag in STRUCK
        if len(self._open) > MOST_OPEN:
            raise _Over
        is_hidden = tag in NOT_TEXT or "hidden" in values or HIDDEN.search(values.get("style", ""))
        if is_hidden and not self._hidden_at:
            self._hidden_at = len(self._open)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.end_line()
        self._struck -= tag in STRUCK and self._struck > 0
        if tag in self._open:  # with it ends what was left open in it
            while self._open.pop() != tag:
                pass
        if len(self._open) < self._hidden_at:
            self._hidden_at = 0

    def handle_data(self, data: str) -> None:
        if self._hidden_at or self._struck:
            return
        if "pre" in self._open:
            *lines, self._line = (self._line + data).split("\n")
            self.lines += lines
        else:
            self._line += SPACE.sub(" ", data)

    def end_line(self) -> None:
        """End the line, if anything stands in it: a space that is meant is an empty line."""
        if self._line.strip(" "):
            self.lines.append(self._line)
        self._line = ""


def text_of(html: str) -> str:
    """The lines before the first quote, and a mark for it. What stands below it is not read."""
    reader = _Reader()
    with contextlib.suppress(_Over, AssertionError):  # AssertionError: what HTMLParser says of broken declarations
        reader.feed(_shown(html))
        reader.end_line()
    return "\n".join(" ".join(line.split()) for line in reader.lines)


def _is_quote(attributes: dict[str, str]) -> bool:
    names = (attributes.get(name, "") for name in ("class", "id", "name", "data-marker"))
    return any(QUOTES.search(name) for name in names) or bool(LINES_BESIDE.search(attributes.get("style", "")))


def _shown(html: str) -> str:
    """The HTML without what is never shown. One pass: what is opened and not closed takes all the rest with it."""
    lower, parts, at = html.lower(), [], 0
    while found := UNSHOWN.search(html, at):
        parts.append(html[at : found.start()])
        end = f"</{found.group(1).lower()}" if found.group(1) else "-->"
        inner = lower.find(end, found.end())
        at = lower.find(">", inner) + 1 if inner >= 0 else 0
        if not at:
            return "".join(parts)[:LARGEST]
    return "".join([*parts, html[at:]])[:LARGEST]
