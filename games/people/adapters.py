"""Connects allauth, which implements signing in, to our accounts and emails."""

import logging

from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.errors import ServiceError, TooMany
from games.letters.frame import frame
from games.people import alerts, limits, sign_in_links
from games.people.models import User, normal_address
from games.play.queries import current_language
from notifications.channels.mail.letter import INLINER, PictureMessage
from notifications.channels.mail.suppressions import is_suppressed
from notifications.clock import present
from notifications.models import Recipient

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
            link = sign_in_links.link(user, _next_path(self.request))
            context = context | {"link": link}
            limits.note_link(letter, sign_in_links.token_in(link))
        elif kind == "unknown_account":
            context = context | {"signup_url": sign_in_links.sign_up_link(email, present.now())}
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
        made = PictureMessage(mail.subject, mail.body, mail.from_email, mail.to, headers=mail.extra_headers)
        for content, kind in mail.alternatives:
            made.attach_alternative(INLINER.inline(str(content)), kind)
        return made

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """Stores a new account with the recipient it was invited as, or with a new one in the language of the page."""
        address = normal_address(form.cleaned_data["email"])
        known = Recipient.objects.filter(address=address, user__isnull=True).first()
        user.recipient = known or Recipient.objects.create(address=address)
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
