"""The one line that is read of an answer, text or HTML: the first that its writer wrote. Quotes are never read."""

import contextlib
import re
from html.parser import HTMLParser
from typing import NamedTuple

LONGEST_LINE = 200  # characters; what is longer ends with CUT, so that it is not taken for all that was written
CUT = "[...]"
WRAPPED_AT = 64  # the narrowest at which a mail program breaks a line that goes on
BROKEN_AT = 40  # the same for quoted lines, which may be broken on a telephone
MOST_LINES = 2_000
LONGEST_READ = 1_000  # characters of a line in which anything is looked for
# Before each quoted line; some programs write the initials of its writer there.
MARK = re.compile(r"(?:[A-Za-z]{0,4}\s?[>＞]|[|»│┃]|&gt;)+")
# What stands over quoted text that has no marks: a rule, or the head of the quoted mail in any language.
RULE = re.compile(r"([-_=*~#—–─━═]\s?){3,}|>{2,}.*[^>]>{2,}$|\[(Original|Quoted)", re.IGNORECASE)
FIELD = re.compile(
    r"[*_]{0,2}(?!re\b)[^\W\d_][^\W\d_ -]{0,19}([ -][^\W\d_]{1,14})?\s?[*_]{0,2}[:：][*_]{0,2}(\s|$)", re.I
)
EVIDENCE = re.compile(r"@|\d{4}|[<\[]")
INVISIBLE = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufe0f\ufffc]")
COLON = (":", "：", "︰", "﹕")
ATTRIBUTION_LINES = 6  # "On ... wrote:" may be broken into so many
# An address, a year, a time of day, or a date in numbers: what stands in "On ... wrote:" in any language.
DATED = re.compile(r"\S@\S|\b(19|20)\d\d\b|(?:19|20)\d\d[年년/.-]|\b\d{1,2}[:h.]\d\d\b|\b\d{1,2}[./]\s?\d{1,2}[./]")
LONE = re.compile(r"[(<\[].*[>)\]],?$|(mailto:)?\S+@\S+$")  # an address that has a line of its own
# How it begins, and how it ends where no colon stands.
BEGINS = re.compile(
    r"(on|am|at|el|le|il|em|op|den|dne|dnia|w dniu|na|pe|p[åa]|la|a|vào|pada|trên|em|no dia|às|в|на|mnt|,)\s[^.!?]*\d"
    r"|\d{1,4}\s?[-./年년]\s?\d{1,2}|\w{2,12}[.,]{1,2}\s\d{1,2}[. ]",
    re.IGNORECASE,
)
WROTE = re.compile(
    r"\b(wrote|writes|said|escribi[óo]|schrieb|geschrieben|a écrit|ha scritto|escreveu|schreef|geschreven|skrev"
    r"|napisał(a|\(a\))?|kirjoitti|написа\w+|пише\w*|пиш\w+|yazdı|έγραψε|napsal\(?a?\)?|írta|a scris|je napisa\w+"
    r"|đã viết|menulis)\s*[-–—:：]*$"
    r"|(写道|寫道|書きました|のメッセージ|のメール|님이 작성|작성|כתב/?ה?|כתבה|كتب|เขียนว่า)\s*[:：]?$",
    re.IGNORECASE,
)


class OwnLine(NamedTuple):
    """The line, or "" if there is none; and whether it stands below quoted text, which may have lost its marks."""

    text: str
    is_below: bool = False


def own_line(text: str, *, is_wrapped: bool = True) -> OwnLine:
    """The first line of somebody's own.

    Arguments:
        is_wrapped: a mail program may have broken its lines.
    """
    lines = [INVISIBLE.sub("", line).strip()[:LONGEST_READ] for line in text.splitlines()[:MOST_LINES]]
    at, is_below = 0, False
    while at < len(lines):
        if not lines[at]:
            at += 1
        elif RULE.match(lines[at]) or _is_head(lines, at):
            break
        elif MARK.match(lines[at]):
            at, is_below = at + 1, True
        elif end := _attribution_end(lines, at):
            if not _is_quoted(lines, end):
                break  # nothing marks what is quoted, so nobody knows where it ends
            at = end
        elif is_below and _is_broken_quote(lines, at):
            break
        else:
            return OwnLine(shortened(_whole(lines, at) if is_wrapped else lines[at]), is_below)
    return OwnLine("")


def _is_broken_quote(lines: list[str], at: int) -> bool:
    """Whether this may be the end of the quoted line above, broken by a mail program and without a mark."""
    return bool(lines[at - 1]) and len(lines[at - 1]) + 1 + len(lines[at].split()[0]) > BROKEN_AT


def _whole(lines: list[str], at: int) -> str:
    """The line with those that a mail program has broken it into: each goes on where the next word had no room."""
    whole = lines[at]
    for after in range(at + 1, len(lines)):
        if len(whole) > LONGEST_LINE or not _goes_on(lines, after - 1) or _is_over(lines, after):
            break
        whole = f"{whole} {lines[after]}"
    return whole


def _goes_on(lines: list[str], at: int) -> bool:
    """Whether the next line may be the end of this one: its first word had no room here."""
    words = lines[at + 1].split(maxsplit=1) if at + 1 < len(lines) else []
    return bool(words) and len(lines[at]) > WRAPPED_AT // 2 and len(lines[at]) + 1 + len(words[0]) > WRAPPED_AT


def _is_over(lines: list[str], at: int) -> bool:
    """Whether a quotation, or what introduces one, begins here."""
    line = lines[at]
    return bool(MARK.match(line) or RULE.match(line)) or _is_head(lines, at) or bool(_attribution_end(lines, at))


def shortened(line: str) -> str:
    """The line, or as much of it as is kept, with a sign that it went on."""
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - len(CUT)] + CUT


def _is_head(lines: list[str], at: int) -> bool:
    """Whether fields such as "From: ..." begin here: one that names an address or a year, or several."""
    field = FIELD.match(lines[at])
    if not field:
        return False
    if EVIDENCE.search(lines[at], field.end()):
        return True
    further = [line for line in lines[at + 1 : at + 4] if line]
    return len(further) >= 2 and all(FIELD.match(line) for line in further[:2])


def _attribution_end(lines: list[str], at: int) -> int:
    """The line after "On ... wrote:", if that begins here, broken as it may be, in whatever language; 0: it does not.

    Whatever ends with a colon right above a quoted line introduces it. Elsewhere it must name a date or an address.
    """
    whole = ""
    for end in range(at, min(at + ATTRIBUTION_LINES, len(lines))):
        line = lines[end]
        if not line or MARK.match(line):
            return 0
        whole = f"{whole} {line}"
        if line.endswith(COLON) or WROTE.search(line):
            is_right_above = end == at and end + 1 < len(lines) and bool(MARK.match(lines[end + 1]))
            return end + 1 if is_right_above or DATED.search(whole) else 0
        if end + 1 == len(lines) or not (_goes_on(lines, end) or _is_broken(lines, at, end)):
            return 0
        if BEGINS.match(lines[end + 1]) and not BEGINS.match(lines[at]) and _attribution_end(lines, end + 1):
            return 0  # it is the next line that begins it
    return 0


def _is_broken(lines: list[str], at: int, end: int) -> bool:
    """Whether an attribution goes on in the next line though that had room: programs break it around an address."""
    is_around = bool(LONE.match(lines[end]) or LONE.match(lines[end + 1]))
    return bool(BEGINS.match(lines[at])) and (is_around or bool(DATED.search(lines[at])))


def _is_quoted(lines: list[str], at: int) -> bool:
    following = next((line for line in lines[at : at + 3] if line), "")
    return bool(MARK.match(following))


# The words of an HTML mail as lines, up to where it quotes. For mails without a text part.

LARGEST_HTML = 48 * 1024  # characters that are looked at, once the style sheets are gone
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
    while match := UNSHOWN.search(html, at):
        parts.append(html[at : match.start()])
        end = f"</{match.group(1).lower()}" if match.group(1) else "-->"
        inner = lower.find(end, match.end())
        at = lower.find(">", inner) + 1 if inner >= 0 else 0
        if not at:
            return "".join(parts)[:LARGEST_HTML]
    return "".join([*parts, html[at:]])[:LARGEST_HTML]
