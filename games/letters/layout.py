"""From a template and its words to the text or HTML part of a mail."""

import re
from collections.abc import Mapping

from django.template.loader import render_to_string

BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


def render(template: str, context: Mapping[str, object]) -> str:
    """One part of a letter, with never two blank lines together."""
    return BLANK_LINES.sub("\n\n", render_to_string(template, dict(context))).strip() + "\n"
