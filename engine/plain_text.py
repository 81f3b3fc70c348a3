"""Plain text as mails, terminals and screen readers want it: lines of bounded width."""

from collections.abc import Iterator, Sequence
from textwrap import wrap


def folded(lines: Sequence[str], width: int) -> Iterator[str]:
    """Lines no wider than `width` characters; what does not fit goes on below, indented a little further."""
    for line in lines:
        if len(line) <= width:
            if line := line.rstrip():
                yield line
            continue
        text = line.lstrip()
        indent = " " * (len(line) - len(text))
        yield from wrap(text, width, initial_indent=indent, subsequent_indent=f"{indent}    ", break_on_hyphens=False)
