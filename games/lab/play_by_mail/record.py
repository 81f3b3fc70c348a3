"""A record of one run: what people did, what they let pass, what they were sent, and what was wrong."""

from collections import Counter
from dataclasses import dataclass, field

from games.lab.play_by_mail.received_email import ReceivedEmail


class RunFailed(Exception):
    """The run cannot go on; the message says why."""


@dataclass
class RunRecord:
    """The record shared by all players of a run. Decisions are named by the reference in their links."""

    answered: Counter[str] = field(default_factory=Counter)  # how often an answer was acknowledged
    missed: set[str] = field(default_factory=set)  # let pass on purpose
    late: set[str] = field(default_factory=set)  # closed, or put off, before the answer arrived
    unasked: int = 0  # what people did though nothing asked them
    returns: int = 0  # absent people who came back
    refusals: int = 0  # answers the rules refused, said so, and took another one for
    misuse: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    emails: list[ReceivedEmail] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)  # Message-IDs that came again
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def keep(self, email: ReceivedEmail) -> bool:
        """Note an email; False if one with its Message-ID has come to this person before."""
        key = (email.recipient, email.message_id)
        if key in self._seen:
            self.repeated.append(email.message_id)
            return False
        self._seen.add(key)
        self.emails.append(email)
        return True

    def expect(self, holds: bool, fault: str) -> None:
        """Note a fault unless `holds`."""
        if not holds:
            self.faults.append(fault)

    @property
    def answers(self) -> int:
        """How many answers were acknowledged."""
        return self.answered.total()
