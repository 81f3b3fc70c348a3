"""Links that sign in: valid once, for ten minutes, for one account.

The link of the latest letter is valid for longer where `limits` lets no further letter go out."""

from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.account.models import EmailAddress
from django.db import transaction
from django.http import HttpRequest
from sesame.utils import get_token, get_user

from games import cursors
from games.page_urls import page_url
from games.people import limits
from games.people.models import User, normal_address
from notifications.clock import present

SIGN_UP = "sign-up"  # what its tokens are sealed for


def link(user: User, next_path: str = "") -> str:
    """Returns the absolute address of the page that signs this person in; void after any sign-in."""
    query = {"sesame": get_token(user)} | ({"next": next_path} if next_path else {})
    return f"{page_url('sign_in_link')}?{urlencode(query)}"


def token_in(link: str) -> str:
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


def find_user(token: str) -> User | None:
    """Returns the user of a link that is still valid, without using it up."""
    user = get_user(token, max_age=_max_age(token), update_last_login=False)
    return user if isinstance(user, User) else None


@transaction.atomic
def redeem(token: str) -> User | None:
    """Uses a link up and returns its user; None if it is invalid or expired.

    The account is locked before the link is checked, so that two clicks at once are one sign-in.
    """
    holder = find_user(token)
    if holder is None:
        return None
    User.objects.select_for_update().get(pk=holder.pk)
    user = get_user(token, max_age=_max_age(token), update_last_login=True)
    if not isinstance(user, User):
        return None
    confirm(user)
    limits.forget_used_letter(user)
    return user


def _max_age(token: str) -> timedelta | None:
    return limits.LONGEST if limits.keeps(token, present.now()) else None


def on_code(sender: object, request: HttpRequest, user: User, method: str, **_kwargs: object) -> None:
    """The code of a letter was right: its address is the person's."""
    if method == "code":
        note_address(user)
        limits.forget_used_letter(user)


def note_address(user: User) -> None:
    """Creates allauth's record of the address, for an account made by an invitation or a command."""
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True})


def confirm(user: User) -> None:
    """Marks the address of this person as confirmed."""
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
