"""Samples of the emails for signing in: sent at once, and by another way than notices."""

from django.conf import settings

from games.letters.samples.game import SampleGame
from games.page_urls import page_url
from games.people import sign_in
from games.people.sign_in import WITH_LINK, AccountAdapter
from notifications.messages import MailMessage

SIGN_IN: dict[str, dict[str, str]] = {  # allauth asks for them by these names; what it gives, of an address its page
    "login_code": {"code": "MB3K7Q"},
    "email_confirmation": {"code": "MB3K7Q"},
    "account_already_exists": {},
    "unknown_account": {"signup_url": "account_signup"},
    "password_reset_key": {"password_reset_url": "account_reset_password"},
}


def sign_in_email(kind: str, made: SampleGame) -> MailMessage:
    """Returns the email of a kind of SIGN_IN to Ben, in the active language."""
    given = {name: page_url(value) if name.endswith("_url") else value for name, value in SIGN_IN[kind].items()}
    link = {"link": sign_in.sign_in_link(made.ben)} if kind in WITH_LINK else {}
    context: dict[str, object] = {**given, **link, "site_name": settings.SITE_NAME, "site_url": settings.SITE_URL}
    mail = AccountAdapter(None).render_mail(f"account/email/{kind}", made.ben.email, context)
    html = str(mail.alternatives[0][0])
    return MailMessage(str(mail.subject), str(mail.body), html, headers=dict(mail.extra_headers))
