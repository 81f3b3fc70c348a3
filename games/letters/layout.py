"""From a template and its words to the text or HTML part of a mail."""

import re
from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

# Nothing that turns the direction of a whole line around or is no character at all gets into a letter.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


def render(template: str, context: Mapping[str, Any]) -> str:
    """One part of a letter: no control characters, never two blank lines together."""
    words = UNPRINTABLE.sub("", render_to_string(template, dict(context)))
    return BLANK_LINES.sub("\n\n", words).strip() + "\n"
