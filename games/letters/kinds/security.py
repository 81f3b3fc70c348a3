"""Security notices about an account, with a link to lock it."""

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext as _

from games import links
from games.letters import phrases
from games.letters.base import EmailOnly
from games.letters.kinds.account import account_mail
from games.people import alerts
from notifications.channels.mail.letter import one_line
from notifications.messages import MailMessage
from notifications.models import Notice

LONGEST_NAME = 60


class Security(EmailOnly):
    """One letter for the kinds of `games.people.alerts`: what has happened, when, and the way to stop it."""

    is_security = True

    def is_current(self, notice: Notice) -> str:
        """Never stale."""
        return ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """Composes the email; there is no webhook."""
        subject, happened = _told(notice)
        context = {
            "happened": happened,
            "at": phrases.moment(notice.created_at),
            "not_me_url": links.not_me_url(notice),
        }
        return account_mail("security", context, subject % {"site": settings.SITE_NAME})


def _told(notice: Notice) -> tuple[str, str]:
    """The subject and the first sentences."""
    match notice.kind:
        case alerts.SIGNED_IN:
            return _("New sign-in to your account at %(site)s"), _sign_in(notice.data)
        case alerts.TOKEN_MADE:
            return _token(notice.data)
        case alerts.COPY_TAKEN:
            return _("A copy of your data at %(site)s"), _("Somebody has taken a copy of everything we keep of you.")
        case alerts.ERASURE_ASKED:
            return _("Your account at %(site)s will be deleted"), _erasure(notice.data)
        case alerts.SECOND_FACTOR:
            return _("The second factor of your account at %(site)s"), _(alerts.SECOND_FACTORS[notice.data["what"]])
    return _("The password of your account at %(site)s"), _(alerts.PASSWORDS[notice.data["what"]])


def _token(data: Mapping[str, str]) -> tuple[str, str]:
    name = phrases.unlinked(one_line(str(data.get("name", "")), LONGEST_NAME))
    if "bot" in data:
        sentence = _("Your bot %(name)s has a new API token. Programs that have it can play in its name.")
        return _("A new API token of your bot at %(site)s"), sentence % {"name": name}
    sentence = _("There is a new API token, “%(name)s”. Programs that have it can play in your name.")
    return _("A new API token of your account at %(site)s"), sentence % {"name": name}


def _erasure(data: Mapping[str, str]) -> str:
    when = phrases.moment(datetime.fromisoformat(data["due_at"]))
    said = _("As you wish, your account and what we keep of you will be deleted on %(when)s.") % {"when": when}
    return said + " " + _("Your games go on without you. Until then you can take it back in your settings.")


def _sign_in(data: Mapping[str, str]) -> str:
    browser, system, network = (data.get(name, "") for name in ("browser", "system", "network"))
    facts = {"browser": browser or _("an unknown browser"), "system": system or _("an unknown system")}
    said = _("Somebody has signed in to your account with %(browser)s on %(system)s.") % facts
    where = _("The network address begins with %(network)s") % {"network": network} if network else ""
    return f"{said} {where}".strip()
