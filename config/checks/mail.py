"""System checks of email, and of notifications on devices."""

import contextlib
from collections.abc import Iterator
from email.utils import getaddresses
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection

from config.checks.hosts import is_here


@checks.register
def check_sender(**_: object) -> Iterator[checks.CheckMessage]:
    """E002: mail servers refuse an email without a sender."""
    if not _is_mail_address(settings.DEFAULT_FROM_EMAIL):
        yield checks.Error(
            f"DEFAULT_FROM_EMAIL holds no mail address: {settings.DEFAULT_FROM_EMAIL!r}.",
            hint='Such as "Caravanserai <games@example.org>"',
            id="config.E002",
        )


def _is_mail_address(text: str) -> bool:
    """Whether it is one mail address, with a display name or without."""
    from notifications.channels.mail.letter import ascii_address  # models are needed, which are loaded by now

    with contextlib.suppress(ValueError):
        [(_name, address)] = getaddresses([text])
        return bool(ascii_address(address))
    return False


@checks.register
def check_push(**_: object) -> Iterator[checks.CheckMessage]:
    """E018, E019: a key or a contact with which push services refuse every notification."""
    from notifications.channels.push import keys  # settings are needed, which are loaded by now

    try:
        keys.public_key()
    except ValueError:
        yield checks.Error(
            "VAPID_PRIVATE_KEY is no key of the curve P-256 as base64url.",
            hint="caravanserai make_vapid_key makes one; without one it is made from SECRET_KEY.",
            id="config.E018",
        )
    scheme, _colon, rest = settings.VAPID_CONTACT.partition(":")
    is_mail = scheme == "mailto" and _is_mail_address(rest)
    if settings.PUSH_ENABLED and not (is_mail or (scheme == "https" and urlsplit(settings.VAPID_CONTACT).hostname)):
        yield checks.Error(
            f"VAPID_CONTACT must be mailto: and an address, or an https:// page, not {settings.VAPID_CONTACT!r}.",
            id="config.E019",
        )


@checks.register
def check_mail_server(**_: object) -> Iterator[checks.CheckMessage]:
    """W004: emails, with sign-in links in them, handed over unencrypted."""
    parts = urlsplit(settings.EMAIL_URL)
    if settings.IS_PRODUCTION and parts.scheme == "smtp" and not is_here(parts.hostname):
        yield checks.Warning(
            "EMAIL_URL hands mails to another machine unencrypted, sign-in links in them.",
            hint="Set smtp+tls://... or smtp+ssl://...",
            id="config.W004",
        )


@checks.register
def check_mail_provider(**_: object) -> Iterator[checks.CheckMessage]:
    """E015: a mail provider that django-anymail does not know, or that needs more than it was given."""
    if not settings.MAIL_PROVIDER:
        return
    try:
        get_connection()
    except (ImportError, ImproperlyConfigured) as error:
        yield checks.Error(
            f"MAIL_PROVIDER is {settings.MAIL_PROVIDER!r}, and no mail can be sent with it: {error}",
            hint="It needs MAIL_PROVIDER_SETTINGS; https://anymail.dev/en/stable/esps/ has names and packages.",
            id="config.E015",
        )


@checks.register
def check_mailbox(**_: object) -> Iterator[checks.CheckMessage]:
    """W002: a mailbox page that others can reach; its sign-in links sign in as anybody."""
    is_open = settings.EMAIL_URL.startswith("mailbox:") and not settings.IS_PRODUCTION
    if is_open and not is_here(urlsplit(settings.SITE_URL).hostname):
        yield checks.Warning(
            "The mailbox page shows everybody's mails, sign-in links too, to all who can reach SITE_URL.",
            hint="Set EMAIL_URL, or PRODUCTION=on.",
            id="config.W002",
        )


LONGEST_REPLY_TOKEN, LONGEST_BOUNCE_TOKEN = 39, 47  # letters


@checks.register
def check_answers(**_: object) -> Iterator[checks.CheckMessage]:
    """E008, W003: what answers by mail need."""
    for name, longest in (("REPLY_ADDRESS", LONGEST_REPLY_TOKEN), ("BOUNCE_ADDRESS", LONGEST_BOUNCE_TOKEN)):
        address = getattr(settings, name)
        beside = 64 - longest  # RFC 5321, 4.5.3.1.1
        local = address.replace("{token}", "").split("@")[0]
        is_one = _is_mail_address(address.replace("{token}", "t")) and address.count("{token}") == 1
        if address and (not is_one or len(local) > beside):
            yield checks.Error(
                f"{name} must be an address with {{token}} in it, and at most {beside} letters more before its @.",
                hint=f"Such as {name.split('_')[0].lower()}+{{token}}@play.example.org",
                id="config.E008",
            )
    if settings.REPLY_ADDRESS and settings.IS_PRODUCTION and not settings.MAIL_AUTHSERV_ID:
        yield checks.Warning(
            "Without MAIL_AUTHSERV_ID no answer by mail is believed: each must be confirmed by a link.",
            hint="Set it to the name our mail server writes into Authentication-Results.",
            id="config.W003",
        )
