"""Plain text as mails, terminals and screen readers want it: lines of bounded width."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

WIDTH = 78  # characters, of a board in words
DEEPER = 4  # characters by which the rest of a line that was folded stands in


def folded(lines: Sequence[str], width: int) -> Iterator[str]:
    """Lines no wider than `width` characters; what does not fit goes on below, indented a little further."""
    for line in lines:
        if len(line) <= width:
            if line := line.rstrip():
                yield line
            continue
        text = line.strip()
        indent = " " * (len(line) - len(line.lstrip()))
        yield from _wrapped(text, width, indent, indent + " " * DEEPER)


def _wrapped(text: str, width: int, indent: str, deeper: str) -> Iterator[str]:
    """As `textwrap.wrap` does, in a tenth of its time where every word fits: a page folds ten long lines of a board."""
    if max(map(len, text.split(" "))) > width - len(deeper):
        yield from wrap(text, width, initial_indent=indent, subsequent_indent=deeper, break_on_hyphens=False)
        return
    while len(indent) + len(text) > width:
        end = text.rindex(" ", 0, width - len(indent) + 1)
        yield indent + text[:end].rstrip(" ")
        text, indent = text[end:].lstrip(" "), deeper
    yield indent + text


def unfolded(lines: Iterable[str]) -> list[str]:
    """Lines that were folded at WIDTH, whole again: for a screen that folds them in its own way."""
    whole: list[str] = []
    last = ""
    for line in lines:
        word = line.split(maxsplit=1)[:1]
        if word and whole and _indent(line) == _indent(whole[-1]) + DEEPER and len(f"{last} {word[0]}") > WIDTH:
            whole[-1] += f" {line.lstrip()}"
        else:
            whole.append(line)
        last = line
    return whole


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
