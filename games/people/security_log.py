"""Logs signing in and out: who signed in and how, and who was refused.

People are logged by the reference of their account, addresses as the beginning of a keyed hash: enough to recognise
repeated attempts, useless to a reader of the log.
"""

import logging

from allauth.account import signals as accounts
from django.contrib.auth import signals
from django.http import HttpRequest

from games.people import known_browsers
from games.people.models import User, normal_address
from notifications.channels.mail import suppressions

logger = logging.getLogger("games.people.security_log")
MARK = 10  # letters


def connect() -> None:
    """Connects the signals, at start-up."""
    for signal, write in (
        (signals.user_logged_in, signed_in),
        (signals.user_logged_out, signed_out),
        (signals.user_login_failed, refused),
        (accounts.authentication_step_completed, shown),
        (accounts.login_code_rejected, wrong_code),
        (accounts.password_changed, password_changed),
        (accounts.password_set, password_changed),
    ):
        signal.connect(write, dispatch_uid=f"games.people.security_log.{write.__name__}")


def signed_in(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Logs a sign-in."""
    logger.info("signed in: account %s, network %s", user.ref, _network(request))


def signed_out(sender: object, request: HttpRequest | None, user: User | None, **_: object) -> None:
    """Logs the end of a session, by its owner or by its age."""
    if isinstance(user, User):
        logger.info("signed out: account %s, network %s", user.ref, _network(request))


def shown(sender: object, request: HttpRequest, user: User, method: str, **_: object) -> None:
    """Logs a successful authentication by password, or by a code or link from an email."""
    logger.info("shown: %s, account %s, network %s", method, user.ref, _network(request))


def refused(sender: object, credentials: dict[str, object], request: HttpRequest | None = None, **_: object) -> None:
    """Logs a wrong password, or a sign-in link that is invalid or expired."""
    if "sesame" in credentials:
        logger.warning("refused: link of a mail, network %s", _network(request))
        return
    address = normal_address(str(credentials.get("email") or credentials.get("username") or ""))
    mark = suppressions.hash_address(address)[:MARK]
    logger.warning("refused: password, address %s, network %s", mark, _network(request))


def wrong_code(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Logs a wrong code of a sign-in email."""
    logger.warning("refused: code of a mail, account %s, network %s", user.ref, _network(request))


def second_factor(user: User, request: HttpRequest, *, is_right: bool) -> None:
    """Logs that a member of staff has passed the second factor."""
    level, word = (logging.INFO, "shown") if is_right else (logging.WARNING, "refused")
    logger.log(level, "%s: second factor, account %s, network %s", word, user.ref, _network(request))


def password_changed(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Logs that a password was changed or set."""
    logger.info("changed: password, account %s, network %s", user.ref, _network(request))


def _network(request: HttpRequest | None) -> str:
    if request is None or "REMOTE_ADDR" not in request.META:
        return "-"
    return known_browsers.network_of(request) or "-"
