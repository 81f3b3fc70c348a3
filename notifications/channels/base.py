"""What every channel is: something that hands one message over, or says why it could not."""

from datetime import timedelta
from typing import Any, NamedTuple, Protocol

from notifications.composers import MailMessage, WebhookMessage
from notifications.models import Delivery


class ChannelError(Exception):
    """The other side did not take the message. The text is stored: it must hold no secret and no address."""

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
        `excerpt`: the beginning of what the other side said, for the eyes of the address's owner.
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
    """What the other side answered: a code or an id, and the beginning of what it said."""

    said: str
    excerpt: str = ""


class Channel(Protocol):
    """A way to hand messages over."""

    def pack(self, delivery: Delivery, message: MailMessage | WebhookMessage | None) -> Any:
        """Return what `send` hands over, made ready as far as it can be without the other side; it may never be sent.

        Arguments:
            message: None for what is in the delivery's `body` from an earlier try.

        Raises ChannelError for what nobody would take, TypeError for a message of another channel.
        """

    def send(self, delivery: Delivery, packed: Any) -> str | Answer:
        """Hand what was packed over under the delivery's `message_id`; return what the other side answered.

        Raises ChannelError when it was not taken, or nobody knows whether it was.
        """
