"""Keys for the REST API: random, shown once, kept as a digest only."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from games.errors import NotFound, TooMany
from games.models import ApiToken, User
from games.services import safety
from games.services.tables import clean_title

PREFIX = "crv_"  # so that a key that was published by mistake can be recognised
RANDOM_BYTES = 32
MOST_TOKENS = 20
NOTED_EVERY = timedelta(minutes=1)  # a busy program does not make a write of every read


@transaction.atomic
def create_token(*, user: User, name: str, now: datetime) -> tuple[ApiToken, str]:
    """A new key for this person, who is told by mail: its row, and the key itself, which cannot be shown again.

    Raises TooMany when the person has enough of them.
    """
    if user.api_tokens.filter(revoked_at__isnull=True).count() >= MOST_TOKENS:
        raise TooMany(_("You have too many API tokens. Revoke one that you no longer use."))
    token = PREFIX + secrets.token_urlsafe(RANDOM_BYTES)
    name = clean_title(name) or _("API token")
    row = ApiToken.objects.create(user=user, name=name, digest=digest(token), created_at=now)
    safety.token_made(user=user, name=name, now=now)
    return row, token


def digest(token: str) -> str:
    """What is stored of a key. It has 256 random bits, so a plain SHA-256 cannot be searched."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def find_user(token: str, now: datetime) -> User | None:
    """The person whose key this is; None for one that is unknown, revoked, or of a closed account."""
    rows = ApiToken.objects.filter(digest=digest(token), revoked_at__isnull=True, user__is_active=True)
    row = rows.select_related("user__recipient").first()
    if row is None:
        return None
    _note_use(row, now)
    return row.user


def _note_use(row: ApiToken, now: datetime) -> None:
    if row.last_used_at is None or now - row.last_used_at >= NOTED_EVERY:
        is_old = Q(last_used_at__isnull=True) | Q(last_used_at__lte=now - NOTED_EVERY)
        ApiToken.objects.filter(is_old, pk=row.pk).update(last_used_at=now)


def revoke(*, user: User, pk: int, now: datetime) -> None:
    """Makes one of the person's keys void at once. Harmless when it is already; raises NotFound if it is not his."""
    rows = ApiToken.objects.filter(user=user, pk=pk)
    if not rows.filter(revoked_at__isnull=True).update(revoked_at=now) and not rows.exists():
        raise NotFound(_("There is no such token."))
