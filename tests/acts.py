"""The table of acts in docs/moderation.md, made of `games.moderation.acts`: `python -m tests.acts` writes it."""

import os
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs" / "moderation.md"
HEADING = "## The acts\n"
NAMES = {"user": "person", "delivery": "message"}


def page() -> str:
    """The page as it should be: its own words, and the table behind those of its section."""
    before, heading, rest = DOCS.read_text().partition(HEADING)
    section, behind, after = rest.partition("\n## ")
    words = section.partition("\n| ")[0].rstrip()
    return f"{before}{heading}{words}\n\n{table()}{behind}{after}"


def table() -> str:
    """A row for each act."""
    from games.api.moderation import BODIES
    from games.moderation.acts import ACTS

    lines = ["| On a | Act | `act`, and its fields | |", "|---|---|---|---|"]
    for act in ACTS:
        fields = [f"`{name}`" for name in BODIES[act.name]().fields if name not in ("act", "ref", "reason")]
        on = NAMES.get(act.target.name, act.target.name)
        lines.append(f"| {on} | {act.label} | {', '.join([f'`{act.name}`', *fields])} | {act.words} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    DOCS.write_text(page())
