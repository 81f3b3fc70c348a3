"""One call to an address that somebody chose: to public addresses alone, never led elsewhere, over in time."""

import contextlib
import re
import socket
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext_noop
from requests import RequestException
from requests_hardened.ip_filter import InvalidIPAddress
from urllib3.exceptions import HTTPError, SSLError
from urllib3.exceptions import NewConnectionError as NoConnection
from urllib3.exceptions import TimeoutError as TooLate

from notifications.channels.addresses import NOT_PUBLIC, place_of, refusal
from notifications.channels.base import ChannelError
from notifications.channels.guard import Deadline, ForbiddenAddress, post
from notifications.reasons import declare

LARGEST_ANSWER = 64 * 1024  # bytes that are read of an answer
LATE = declare("timeout", gettext_noop("it didn't answer in time"))
UNKNOWN_NAME = declare("unknown_host", gettext_noop("its host name can't be found"))
BROKEN = declare("connection_failed", gettext_noop("the connection failed or broke off"))
FAULTS: tuple[tuple[type[Exception], str], ...] = (  # the first that fits
    (
        SSLError,
        declare("certificate", gettext_noop("its certificate is made out to another name, or it speaks no TLS")),
    ),
    (NoConnection, BROKEN),  # to urllib3 it is one that came too late
    (TooLate, LATE),
    (Exception, BROKEN),
)
WAITS = (408, 425, 429)  # "later", among the answers that otherwise mean "never"
SECONDS = re.compile(r"[0-9]{1,7}(\.[0-9]{1,6})?")


class Response(NamedTuple):
    """What was answered. `said` is how the body begins, empty if it is packed."""

    status: int
    retry_after: str
    said: bytes


def call(url: str, body: bytes, headers: dict[str, str], seconds: float) -> Response:
    """Post to an address and return what it answers, whatever its status.

    Raises ChannelError: for good where nothing is ever sent to the address, else for no answer within `seconds`.
    """
    if why_not := refusal(url):
        raise never(why_not)
    with Deadline(seconds) as deadline:
        try:
            answer = post(place_of(url), body, headers, loopback=settings.WEBHOOK_ALLOW_INSECURE)
            try:
                said = b""
                with contextlib.suppress(HTTPError, OSError):  # the status says it all; reading on is only polite
                    said = answer.read(LARGEST_ANSWER)
            finally:
                answer.close()  # what was not read to its end is not kept
                answer.release_conn()
            is_packed = answer.headers.get("Content-Encoding", "identity") != "identity"
            return Response(answer.status, answer.headers.get("Retry-After", ""), b"" if is_packed else said)
        except (ForbiddenAddress, InvalidIPAddress):
            raise never(NOT_PUBLIC) from None
        except (HTTPError, RequestException, OSError) as error:
            # Without its cause, which holds the address: that is a secret.
            raise ChannelError(LATE if deadline.is_over else fault_of(error)) from None


def fault_of(error: Exception) -> str:
    """What was wrong with a connection: a reason for the owner, who can mend only what he understands."""
    if isinstance(error.__cause__, socket.gaierror):
        return UNKNOWN_NAME
    return next(words for kind, words in FAULTS if isinstance(error, kind))


def never(why: str) -> ChannelError:
    """The error of an address to which nothing is ever sent."""
    return ChannelError(why, permanent=True, disables_endpoint=True, is_address=True)


def wait_asked_for(value: str, now: datetime) -> timedelta | None:
    """Read a Retry-After header: seconds (Discord's may have decimals) or a date (RFC 9110, 10.2.3).

    None if there is none, or nonsense.
    """
    if SECONDS.fullmatch(value):
        return timedelta(seconds=float(value))
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # the year may have any number of digits
        return None
    return max(timedelta(0), (date if date.tzinfo else date.replace(tzinfo=UTC)) - now)
