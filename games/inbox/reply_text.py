"""What a line comes to: its result, or why it was refused."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from notifications.models import Inbound


@dataclass(frozen=True)
class LineResult:
    """What became of a line, and what its writer is told."""

    state: Inbound.State
    words: str


class LineRefused(Exception):
    """The line does nothing; the text is for its writer."""


def ask_to_confirm(meant: Iterable[str] = ()) -> LineResult:
    """Return the result of a line that waits until its writer confirms that it is his.

    Arguments:
        meant: what the line would do, unless it says so itself.
    """
    told = [f"- {one}" for one in meant]
    words = _("We can't be sure this answer is from you. If it is, please confirm it:")
    return LineResult(Inbound.State.HELD, "\n".join([*([_("This is what it means:"), *told] if told else []), words]))
