"""Signing in by email or password: links, the adapter of allauth, which does the rest, password rules, and the log.

A link signs in once, for ten minutes, for one account; the latest email's link is valid for longer where `limits` lets
no further email go out."""

import logging
import re
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.account import signals as accounts
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib.auth import signals
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from sesame.utils import get_token, get_user

from engine.registry import RULES
from games import cursors
from games.errors import ServiceError, TooMany
from games.links import page_url
from games.people import alerts, limits, sessions
from games.people.letters import frame
from games.people.models import User, normal_address
from games.people.speech import current_language
from notifications.channels.mail import suppressions
from notifications.channels.mail.letter import INLINER, PictureMessage
from notifications.channels.mail.suppressions import is_suppressed
from notifications.clock import present
from notifications.models import Recipient

SIGN_UP = "sign-up"  # what its tokens are sealed for


def sign_in_link(user: User, next_path: str = "") -> str:
    """Returns the absolute address of the page that signs this person in; void after any sign-in."""
    query = {"sesame": get_token(user)} | ({"next": next_path} if next_path else {})
    return f"{page_url('sign_in_link')}?{urlencode(query)}"


def token_in_link(link: str) -> str:
    """Returns the token of a sign-in link."""
    return parse_qs(urlsplit(link).query)["sesame"][0]


def sign_up_link(address: str, now: datetime) -> str:
    """Returns the absolute address of the page where whoever reads the mail of this address makes an account for it.

    The address needs no further letter then; of these there is one a day.
    """
    return page_url("begin_sign_up", cursors.seal([normal_address(address), now.isoformat()], SIGN_UP))


def address_of_sign_up(token: str, now: datetime) -> str | None:
    """Returns the address that such a link was sent to; None if it is not ours, or older than a day."""
    try:
        address, sent_at = cursors.unseal(token, SIGN_UP)
    except cursors.NotACursor:
        return None
    return str(address) if now - datetime.fromisoformat(sent_at) < limits.DAY else None


def find_user_by_link(token: str) -> User | None:
    """Returns the user of a link that is still valid, without using it up."""
    user = get_user(token, max_age=_max_age(token), update_last_login=False)
    return user if isinstance(user, User) else None


@transaction.atomic
def redeem_link(token: str) -> User | None:
    """Uses a link up and returns its user; None if it is invalid or expired.

    The account is locked before the link is checked, so that two clicks at once are one sign-in.
    """
    holder = find_user_by_link(token)
    if holder is None:
        return None
    User.objects.select_for_update().get(pk=holder.pk)
    user = get_user(token, max_age=_max_age(token), update_last_login=True)
    if not isinstance(user, User):
        return None
    confirm_address(user)
    limits.forget_used_letter(user)
    return user


def _max_age(token: str) -> timedelta | None:
    return limits.LONGEST if limits.keeps(token, present.now()) else None


def on_sign_in_code(sender: object, request: HttpRequest, user: User, method: str, **_kwargs: object) -> None:
    """The code of a letter was right: its address is the person's."""
    if method == "code":
        record_address(user)
        limits.forget_used_letter(user)


def record_address(user: User) -> None:
    """Creates allauth's record of the address, for an account made by an invitation or a command."""
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True})


def confirm_address(user: User) -> None:
    """Marks the address of this person as confirmed."""
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})


# The adapter by which allauth uses our accounts and emails.

logger = logging.getLogger(__name__)
HEADERS = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
WITH_LINK = ("login_code", "email_confirmation_signup", "email_confirmation", "account_already_exists")


class MailIsDown(ServiceError):
    """The mail server did not accept a sign-in email. It is not retried later: its code expires in minutes."""

    code = "mail-is-down"
    status = 503


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Sends our own emails, with a link beside the code; a new account keeps the recipient it was invited as."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "too_many_login_attempts": gettext_lazy("Too many attempts. Please wait a few minutes."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """Returns the network address of a request, an IPv4 address as itself where it comes by an IPv6 socket."""
        address = str(super().get_client_ip(request))
        return address.removeprefix("::ffff:") if "." in address else address

    def pre_authenticate(self, request: HttpRequest, **credentials: object) -> None:
        """Counts a try of a password by our own limits: allauth's would let strangers lock an owner out."""
        try:
            limits.take_password(request, str(credentials.get("email", "")), present.now())
        except TooMany as error:
            raise self.validation_error("too_many_login_attempts") from error

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """Sends one sign-in email at once. Raises MailIsDown, and TooMany as `limits` has it: all doors come here.

        An address that unsubscribed from everything gets emails about its own account only. Emails that only report
        what happened are sent as notices.
        """
        user = User.objects.filter(email=normal_address(email), is_active=True).first()
        kind = template_prefix.rsplit("/", 1)[-1]
        if kind in alerts.PASSWORDS:
            self._tell_of_password(user, kind)
            return
        letter = limits.take_letter(self.request, email, present.now())
        is_unwanted = is_suppressed(email) if user is None else user.address is None  # of a bot, a guest
        if is_unwanted or not letter.is_sent:
            return
        if user is not None and kind in WITH_LINK:
            link = sign_in_link(user, _next_path(self.request))
            context = context | {"link": link}
            limits.note_link(letter, token_in_link(link))
        elif kind == "unknown_account":
            context = context | {"signup_url": sign_up_link(email, present.now())}
        context = context | {"site_name": settings.SITE_NAME, "site_url": settings.SITE_URL}
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # SMTPException is one
            logger.warning("The mail %s could not be sent: %s", kind, type(error).__name__)
            letter.delete()
            raise MailIsDown(_("We can't send email at the moment. Please try again in a few minutes.")) from error

    def _tell_of_password(self, user: User | None, what: str) -> None:
        if user is not None:
            alerts.password_changed(user=user, what=what, now=present.now())
        if self.request is not None:
            self.request.browser_of = user  # the one in which it was changed stays known

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, object], headers: dict[str, str] | None = None
    ) -> PictureMessage:
        """Renders the email as text and HTML, marked as automatic (RFC 3834)."""
        heading = " ".join(render_to_string(f"{template_prefix}_subject.txt", context).split())
        context = context | frame(heading, "") | {"heading": heading}
        mail: EmailMultiAlternatives = super().render_mail(
            template_prefix, email, context, {**HEADERS, **(headers or {})}
        )
        message = PictureMessage(mail.subject, mail.body, mail.from_email, mail.to, headers=mail.extra_headers)
        for content, kind in mail.alternatives:
            message.attach_alternative(INLINER.inline(str(content)), kind)
        return message

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """Stores a new account with the recipient it was invited as, or with a new one in the language of the page."""
        address = normal_address(form.cleaned_data["email"])
        recipient = Recipient.objects.filter(address=address, user__isnull=True).first()
        user.recipient = recipient or Recipient.objects.create(address=address)
        user.recipient.language = current_language()
        user.recipient.name = form.cleaned_data.get("name", "")
        user.recipient.zone = form.cleaned_data.get("zone") or user.recipient.zone
        user.recipient.save(update_fields=["language", "name", "zone"])
        user.name = form.cleaned_data.get("name", "")
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Returns the address of the settings page."""
        return reverse("settings")


def _next_path(request: HttpRequest | None) -> str:
    path = (request.POST.get("next") or request.GET.get("next") or "") if request else ""
    return path if path.startswith("/") and not path.startswith("//") else ""


# Passwords that are guessed soon, even by somebody who knows the site and the person, are refused.

FEWEST_GUESSES = 10_000_000
LONGEST_JUDGED = 40  # letters; the time it takes grows with their square
WORD = re.compile(r"\w{3,}")


class HardToGuess:
    """Estimates how many guesses a password takes (zxcvbn).

    Guesses include common passwords, words, names, keyboard rows, dates, and the names of site, games and person.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Raises ValidationError for a password that is guessed soon."""
        from zxcvbn import zxcvbn  # here, because its lists take half a second that only few need

        judged = zxcvbn(password[:LONGEST_JUDGED], user_inputs=[*words_of_this_place(), *_words_of(user)])
        if judged["guesses"] < FEWEST_GUESSES:
            raise ValidationError(
                _(
                    "This password is too easy to guess: it is common, or made of common words, your name, or the "
                    "names of this site and its games. Try several words that have nothing to do with each other."
                ),
                code="password_too_easy",
            )

    def get_help_text(self) -> str:
        """Returns the hint beside the form field."""
        return _("Several unrelated words are hard to guess and easy to remember.")


def words_of_this_place() -> list[str]:
    """The site's name and host, and the names of the games, whole and in pieces."""
    names = [settings.SITE_NAME, settings.SITE_HOST, *(name for name, _version in RULES)]
    return [word for name in names for word in _pieces(name)]


def _words_of(user: User | None) -> list[str]:
    return [word for name in (user.email, user.name) for word in _pieces(name)] if user else []


def _pieces(name: str) -> list[str]:
    lowered = name.lower()
    return [lowered, re.sub(r"\W", "", lowered), *WORD.findall(lowered)]


# The security log names people by the reference of their account, addresses by the beginning of a keyed hash: enough to
# recognise repeated attempts, useless to a reader of the log.

security_logger = logging.getLogger("games.people.security_log")
ADDRESS_MARK_LENGTH = 10  # letters


def connect_security_log() -> None:
    """Connects the signals, at start-up."""
    for signal, write in (
        (signals.user_logged_in, log_sign_in),
        (signals.user_logged_out, log_sign_out),
        (signals.user_login_failed, log_refusal),
        (accounts.authentication_step_completed, log_authentication),
        (accounts.login_code_rejected, log_wrong_code),
        (accounts.password_changed, log_password_change),
        (accounts.password_set, log_password_change),
    ):
        signal.connect(write, dispatch_uid=f"games.people.sign_in.{write.__name__}")


def log_sign_in(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Logs a sign-in."""
    security_logger.info("signed in: account %s, network %s", user.ref, _network(request))


def log_sign_out(sender: object, request: HttpRequest | None, user: User | None, **_: object) -> None:
    """Logs the end of a session, by its owner or by its age."""
    if isinstance(user, User):
        security_logger.info("signed out: account %s, network %s", user.ref, _network(request))


def log_authentication(sender: object, request: HttpRequest, user: User, method: str, **_: object) -> None:
    """Logs a successful authentication by password, or by a code or link from an email."""
    security_logger.info("shown: %s, account %s, network %s", method, user.ref, _network(request))


def log_refusal(
    sender: object, credentials: dict[str, object], request: HttpRequest | None = None, **_: object
) -> None:
    """Logs a wrong password, or a sign-in link that is invalid or expired."""
    if "sesame" in credentials:
        security_logger.warning("refused: link of a mail, network %s", _network(request))
        return
    address = normal_address(str(credentials.get("email") or credentials.get("username") or ""))
    mark = suppressions.hash_address(address)[:ADDRESS_MARK_LENGTH]
    security_logger.warning("refused: password, address %s, network %s", mark, _network(request))


def log_wrong_code(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Logs a wrong code of a sign-in email."""
    security_logger.warning("refused: code of a mail, account %s, network %s", user.ref, _network(request))


def log_second_factor(user: User, request: HttpRequest, *, is_right: bool) -> None:
    """Logs that a member of staff has passed the second factor."""
    level, word = (logging.INFO, "shown") if is_right else (logging.WARNING, "refused")
    security_logger.log(level, "%s: second factor, account %s, network %s", word, user.ref, _network(request))


def log_password_change(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Logs that a password was changed or set."""
    security_logger.info("changed: password, account %s, network %s", user.ref, _network(request))


def _network(request: HttpRequest | None) -> str:
    if request is None or "REMOTE_ADDR" not in request.META:
        return "-"
    return sessions.network_of(request) or "-"
