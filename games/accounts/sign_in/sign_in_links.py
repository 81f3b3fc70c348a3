"""Links that sign in: valid once, for ten minutes, for one account."""

from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django.db import transaction
from sesame.utils import get_token, get_user

from games.models import User
from games.page_urls import page_url


def link(user: User, next_path: str = "") -> str:
    """Returns the absolute address of the page that signs this person in; void after any sign-in."""
    query = {"sesame": get_token(user)} | ({"next": next_path} if next_path else {})
    return f"{page_url('sign_in_link')}?{urlencode(query)}"


def find_user(token: str) -> User | None:
    """Returns the user of a link that is still valid, without using it up."""
    user = get_user(token, update_last_login=False)
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
    user = get_user(token, update_last_login=True)
    if not isinstance(user, User):
        return None
    confirm(user)
    return user


def note_address(user: User) -> None:
    """Creates allauth's record of the address, for an account made by an invitation or a command."""
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True})


def confirm(user: User) -> None:
    """Marks the address of this person as confirmed."""
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
