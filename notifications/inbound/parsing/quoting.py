"""The one line that is read of an answer: the first that its writer wrote himself. Quoted text is never read.

No library: those there are strip quotes to show what is left, by expressions that take seconds for hostile text. Here a
line too little costs a mail that asks back, a line too much costs a wrong move; so whatever looks like a quote ends it.
"""

import re
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
