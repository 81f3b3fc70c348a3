"""The base of every channel: whom it reaches, how it sends, and what its failures mean.

Code outside a channel's folder asks a channel what it is like, never which one it is.
"""

import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from django.db.models import QuerySet, Value
from django.db.models.expressions import Combinable

from notifications import channels
from notifications.messages import Form, Message
from notifications.models import Delivery, DeliveryState, Notice, Recipient

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    from notifications.conversations import Conversations
    from notifications.delivery.sending import AttemptResult


class ChannelError(Exception):
    """The other side did not take the message.

    The text is stored: a reason (`notifications.reasons`), or other words without secret and address.
    """

    def __init__(
        self,
        message: str,
        *,
        permanent: bool = False,
        retry_after: timedelta | None = None,
        code: str = "",
        disables_endpoint: bool = False,
        is_general: bool = False,
        is_address: bool = False,
        excerpt: str = "",
    ) -> None:
        """`permanent`: trying again is useless. `retry_after`: not sooner. `code`: the other side's own.

        `is_general`: no message would have been taken, whatever was in it and whomever it was for.
        `is_address`: no message to this address would have been taken.
        `excerpt`: the beginning of what the other side said, for the eyes of the address's owner, or of our host's.
        """
        super().__init__(message)
        self.permanent = permanent
        self.retry_after = retry_after
        self.code = code
        self.disables_endpoint = disables_endpoint
        self.is_general = is_general
        self.is_address = is_address
        self.excerpt = excerpt


class NoMailbox(ChannelError):
    """There is no such mailbox or host: no message to this address will ever be taken."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message, code=code, permanent=True, is_address=True)


class Answer(NamedTuple):
    """The other side's answer: its code, the beginning of what it said, and the name that it gives the message."""

    code: str = ""
    excerpt: str = ""
    provider_id: str = ""


class Obstacle(NamedTuple):
    """Why nothing can be sent to where a delivery goes, whatever is in it.

    Arguments:
        state: what becomes of the delivery.
        reason: see `notifications.reasons`.
        spares_security: whether sign-in codes and the like are sent all the same.
        spares_needed: whether what others wait for is sent all the same.
    """

    state: DeliveryState
    reason: str
    spares_security: bool = False
    spares_needed: bool = False


class Channel(ABC):
    """A way to reach people; `registry` has one object of each."""

    kind: ClassVar[str]
    """What `Delivery.channel` holds. Stored: it never changes."""
    label: ClassVar["StrPromise"]
    """What people call it; lazily translated."""
    form: ClassVar[Form]
    """What it carries."""
    retry_delays: ClassVar[Sequence[timedelta]]
    """How long to wait after each try that failed; after one more try a delivery is given up."""
    heeds_preferences: ClassVar[bool] = False
    """Whether muted topics, quiet hours, pauses and digests hold or stop what it carries."""
    interrupts: ClassVar[bool] = False
    """Whether it makes a noise: then quiet hours hold what is needed as well."""
    chooses_topics: ClassVar[bool] = False
    """Whether each of its addresses has chosen its topics: then what is muted everywhere is muted for email alone."""
    says_instead: ClassVar[str] = ""
    """Why another channel stays silent for who wants to be told by this one alone: a reason."""
    has_breaker: ClassVar[bool] = False
    """Whether all it carries goes through one server of ours: then it rests after failures in a row."""
    resting: ClassVar[str] = ""
    """Why nothing goes out while it rests: a msgid."""
    senders: ClassVar[int] = 1
    """How many threads of a worker send on it at a time."""
    is_serial: ClassVar[bool] = False
    """Whether each target gets one delivery after the other."""
    is_batched_by_recipient: ClassVar[bool] = False
    """Whether what waits for one person goes out in one message."""

    settings_template: ClassVar[str] = ""
    """Its section on the page of a person's settings; the channel's own template, or one that the product supplies."""

    def start(self) -> None:  # noqa: B027  most channels need nothing
        """Prepare what the channel needs in each process; called once, when the application has been loaded."""

    def settings_context(self, recipient: Recipient) -> Mapping[str, object]:
        """Return what `settings_template` shows of a person, as `section` there."""
        return {}

    def per_minute(self) -> int:
        """How many messages may go out in a minute; 0 for no limit."""
        return 0

    def most_senders(self) -> int:
        """How many claimers may send on it at a time; 0 for no limit."""
        return 0

    def without_busy(
        self, deliveries: QuerySet[Delivery], now: datetime | Value, at_once: int, *, failing: bool
    ) -> QuerySet[Delivery]:
        """Leave out deliveries that must wait so that no address keeps all senders; asked of serial channels.

        Arguments:
            now: an instant, or its place in a query that is compiled.
            at_once: what `most_senders` said.
            failing: whether deliveries are tried that go to somebody whose address took nothing last time.
        """
        return deliveries

    def is_troubled(self) -> Combinable | None:
        """Return a condition on deliveries: that this one goes to somebody whose address fails. It is claimed alone."""
        return None

    def is_recovering(self, delivery: Delivery) -> bool:
        """Return whether a success would be news of the address: only then `record_result` hears of one."""
        return False

    @abstractmethod
    def address(self, notices: Sequence[Notice], conversations: "Conversations") -> Mapping[int, list[Delivery]]:
        """Return the deliveries by which new notices go out on this channel, by the notices' primary keys; unsaved."""

    def carries(self, notice: Notice) -> bool:
        """Return whether a new notice goes out in this channel's form, and to no one endpoint alone."""
        return self.form in notice.pending["forms"] and notice.pending["endpoint"] is None

    def find_closed(self, deliveries: Collection[Delivery]) -> Mapping[str, str]:
        """Return addresses that are closed to us, each with the reason; one statement for all deliveries."""
        return {}

    def obstacle(self, delivery: Delivery, closed: Mapping[str, str], now: datetime) -> Obstacle | None:
        """Return why nothing can be sent to where a delivery goes, or None.

        Arguments:
            closed: as `find_closed` gives it.
            now: when it would be sent.
        """
        return None

    def reaches(self, notice: Notice, deliveries: Collection[Delivery] | None) -> bool:
        """Return whether a notice reaches its recipient here, as far as anybody knows, so that others may be silent.

        Arguments:
            deliveries: those of the notice, where they are known; None to look them up.
        """
        return False

    @abstractmethod
    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """Return one message for deliveries that go out together; None if there are no words. Raises UnknownKind."""

    @abstractmethod
    def send(self, delivery: Delivery, message: Message | None) -> Answer:
        """Hand a message over under the delivery's `message_id`; return what the other side answered.

        Arguments:
            message: None for what is in the delivery's `body` from an earlier try.

        Raises ChannelError when it was not taken, or nobody knows whether it was, TypeError for a message of another
        channel.
        """

    @abstractmethod
    def record_result(self, delivery: Delivery, result: "AttemptResult", ended_at: datetime) -> None:
        """Learn from a try what it says of the address; called in the transaction that records the try."""

    def is_kept_back(self, delivery: Delivery, now: datetime, since: datetime) -> bool:
        """Return whether it is our fault, and not the address's, that nobody has taken a delivery.

        Arguments:
            since: from then on it was to be taken.
        """
        return False

    def forgive(self, delivery: Delivery) -> bool:
        """Forget what a delivery's failure says of its address; return False if the failure was not ours."""
        return False

    def destination_of(self, delivery: Delivery) -> str:
        """Return what staff may see of where a delivery goes: nothing by which somebody could write there."""
        return ""

    def name_of(self, delivery: Delivery) -> str:
        """Return what people call the way a delivery takes, in the active language."""
        return str(self.label)


# The channels, by the kind that `Delivery.channel` holds. The application loads them when it starts.

CHANNELS: dict[str, Channel] = {}


def load_channels() -> None:
    """Enter the channel of each folder beside this module, the `CHANNEL` of its module `channel`, and start it."""
    for folder in _folders():
        channel: Channel = import_module(f"{folder}.channel").CHANNEL
        CHANNELS[channel.kind] = channel
        channel.start()


def load_modules(name: str) -> list[ModuleType]:
    """Import the module of this name of each channel that has one, and return them."""
    modules = (f"{folder}.{name}" for folder in _folders())
    return [import_module(module) for module in modules if find_spec(module)]


def _folders() -> Iterator[str]:
    """The packages in which the channels are, sorted by name."""
    return (f"{channels.__name__}.{module.name}" for module in pkgutil.iter_modules(channels.__path__) if module.ispkg)


def channel_kinds() -> list[str]:
    """Return the kinds of all channels."""
    return list(CHANNELS)


def serial_kinds() -> tuple[str, ...]:
    """Return the kinds of the channels on which each target gets one delivery after the other."""
    return tuple(kind for kind, channel in CHANNELS.items() if channel.is_serial)


def kinds_batched_by_recipient() -> tuple[str, ...]:
    """Return the kinds of the channels on which what waits for one person goes out in one message."""
    return tuple(kind for kind, channel in CHANNELS.items() if channel.is_batched_by_recipient)
