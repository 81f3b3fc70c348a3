"""The one line that is read of an answer: the first that its writer wrote himself. Quoted text is never read.

No library: those there are strip quotes to show what is left, by expressions that take seconds for hostile text. Here a
line too little costs a mail that asks back, a line too much costs a wrong move; so whatever looks like a quote ends it.
"""

import re

LONGEST_LINE = 200  # characters; what is longer ends with CUT, so that it is not taken for all that was written
CUT = "[...]"
WRAPPED_AT = 64  # the narrowest at which a mail program breaks a line that goes on
MOST_LINES = 2_000
QUOTE = (">", "|", "»", "＞")
# What stands over quoted text that has no marks: a rule, or the head of the quoted mail in any language.
RULE = re.compile(r"^\s*([-_=*]\s?){3,}")
HEAD = re.compile(
    r"^\s*\*?(?!re\b)[^\W\d_][^\W\d_ ]{1,14}( [^\W\d_]{1,12})?\s?\*?[:：]\*?\s.*(@|\d{4}|[<\[])", re.IGNORECASE
)
INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
ATTRIBUTION_LINES = 4  # "On ... wrote:" may be broken into so many


def first_line(text: str) -> str:
    """The first line of somebody's own, or "" if there is none."""
    lines = [INVISIBLE.sub("", line).strip() for line in text.splitlines()[:MOST_LINES]]
    at = 0
    while at < len(lines):
        if not lines[at] or lines[at].startswith(QUOTE):
            at += 1
        elif RULE.match(lines[at]) or HEAD.match(lines[at]):
            return ""
        elif after := _after_attribution(lines, at):
            at = after
        else:
            return shortened(_whole(lines, at))
    return ""


def _whole(lines: list[str], at: int) -> str:
    """The line with those that a mail program has broken it into: each goes on where the next word had no room."""
    whole = last = lines[at]
    for line in lines[at + 1 :]:
        if not line or line.startswith(QUOTE) or len(last) + 1 + len(line.split()[0]) <= WRAPPED_AT:
            break
        whole, last = f"{whole} {line}", line
        if len(whole) > LONGEST_LINE:
            break
    return whole


def shortened(line: str) -> str:
    """The line, or as much of it as is kept, with a sign that it went on."""
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - len(CUT)] + CUT


def _after_attribution(lines: list[str], at: int) -> int:
    """Where the quote begins that this line introduces, in whatever language: a colon, quoted lines. 0: none."""
    for end in range(at, min(at + ATTRIBUTION_LINES, len(lines))):
        if lines[end].endswith((":", "：")):
            return next((n for n in range(end + 1, len(lines)) if lines[n]), 0) if _is_quoted(lines, end + 1) else 0
        if not lines[end]:
            return 0
    return 0


def _is_quoted(lines: list[str], at: int) -> bool:
    following = next((line for line in lines[at : at + 3] if line), "")
    return following.startswith(QUOTE)
