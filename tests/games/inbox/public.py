"""What is heard in the public fixtures of reply parsers: `python -m tests.games.inbox.public FOLDER`.

FOLDER holds checkouts of such projects; their mails do not belong in here. A text whose first line is its writer's own
must be heard with that line; of one that begins with a quotation, nothing, or a line that waits for its writer's tap. A
project that says what its trimmer should leave (a folder `trimmed` beside `emails`) is taken at its word.
"""

import sys
from collections import Counter
from pathlib import Path

from django.conf import settings

settings.configure(
    REPLY_ADDRESS="r+{token}@x.org", BOUNCE_ADDRESS="", MAIL_AUTHSERV_ID="", DEFAULT_FROM_EMAIL="c@x.org"
)
from notifications.inbound import quoting  # noqa: E402  # once there are settings
from notifications.inbound.parsing import parse_mail  # noqa: E402

ENDINGS = (".txt", ".eml", ".html", "")
PLACES = ("emails", "fixtures", "Fixtures", "files", "standard_replies", "html_replies")


def measure(folder: Path) -> Counter[str]:
    """Count mails heard right, asked back, lost (taken for a program's) and wrong; print what is not right."""
    counts: Counter[str] = Counter()
    contents = set()
    for path in sorted(folder.rglob("*")):
        if path.parent.name not in PLACES or path.suffix not in ENDINGS or not path.is_file():
            continue
        content = path.read_bytes()
        if content in contents:
            continue
        contents.add(content)
        verdict, words = _judge(path, content)
        counts[verdict] += 1
        if verdict != "right":
            print(f"{verdict:10} {path.relative_to(folder)}: {words[:90]!r}")
    return counts


def _judge(path: Path, content: bytes) -> tuple[str, str]:
    text = content.decode(errors="replace")
    is_mail = path.suffix == ".eml"
    if is_mail:
        mail = parse_mail(content)
        if mail.automatic:
            return "lost", mail.automatic
        line, is_below = mail.line, mail.is_below
        first = line  # what stands there is for the reader of this list to judge
    else:
        shown = quoting.text_of(text) if path.suffix == ".html" else text
        line, is_below = quoting.own_line(shown, is_wrapped=path.suffix != ".html")
        trimmed = path.parent.parent / "trimmed" / path.name
        first = _first(trimmed.read_text() if trimmed.exists() else shown)
    if is_below:
        return "right", line
    if not line:
        return ("right" if quoting.own_line(first).text == "" else "asked back"), first
    return ("right" if first and line.startswith(first[:60]) else "wrong"), line


def _first(text: str) -> str:
    lines = (quoting.INVISIBLE.sub("", line).strip() for line in text.splitlines())
    return next((line for line in lines if line), "")


if __name__ == "__main__":
    print(dict(measure(Path(sys.argv[1]))))
