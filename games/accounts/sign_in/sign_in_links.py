"""Signing in by a link: good once, for ten minutes, and only for its own account."""

from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.urls import reverse
from sesame.utils import get_token, get_user

from games.models import User


def link(user: User, next_path: str = "") -> str:
    """The absolute address of the page that signs this person in. Void once he has signed in, by it or otherwise."""
    query = {"sesame": get_token(user)} | ({"next": next_path} if next_path else {})
    return f"{settings.SITE_URL}{reverse('sign_in_link')}?{urlencode(query)}"


def find_user(token: str) -> User | None:
    """Whose link this is, if it is still good. Uses nothing up."""
    user = get_user(token, update_last_login=False)
    return user if isinstance(user, User) else None


@transaction.atomic
def redeem(token: str) -> User | None:
    """Uses a link up and returns whose it was; None for one that is not good (any more).

    The account is locked before its link is judged, so that two clicks at once are one sign-in.
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
    """Gives an account that was made by an invitation or a command the record that its first code will confirm."""
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"primary": True})


def confirm(user: User) -> None:
    """Remembers that this person reads the mails sent to his address."""
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
