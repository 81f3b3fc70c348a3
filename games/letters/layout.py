"""Renders templates to the text or HTML part of an email."""

import re
from collections.abc import Mapping

from django.template.loader import render_to_string

BLANK_LINES = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


def render(template: str, context: Mapping[str, object]) -> str:
    """Renders one part of a letter, without consecutive blank lines."""
    return BLANK_LINES.sub("\n\n", render_to_string(template, dict(context))).strip() + "\n"
