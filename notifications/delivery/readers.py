"""What those who are written to wish: read for several mails at once, and anew at each claim, so that changes count."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from notifications import delivery_policy
from notifications.channels.mail import suppressions
from notifications.models import Conversation, Notice


@dataclass(frozen=True)
class Readers:
    """What is known of the recipients of some mails.

    Arguments:
        sides: their sides of the threads, by recipient and thread; those who chose nothing there have none.
        unwanted: why an address is not written to; an address that is has none.
    """

    sides: Mapping[tuple[int, str], Conversation]
    unwanted: Mapping[str, str]

    @classmethod
    def of(cls, notices: Iterable[Notice]) -> "Readers":
        """Ask the database about the recipients of these notices, in two statements."""
        told = list(notices)
        return cls(
            delivery_policy.load_conversations(told),
            suppressions.find_reasons(notice.recipient.address for notice in told),
        )
