"""The copy of everything that is kept of a person, as one JSON object. What others hide is not in it: of his games it
has his own moves and words, and the pages of the games show him the rest."""

import json
from datetime import datetime, timedelta

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.translation import gettext as _

from games.accounts.privacy.personal_data import PERSONAL_DATA
from games.accounts.sign_in import alerts
from games.errors import TooMany
from games.models import User
from notifications.privacy import personal_data

MOST_A_DAY = 3
FORMAT = 1  # raised when a part changes its meaning


@transaction.atomic
def give(*, user: User, now: datetime) -> str:
    """The copy as JSON text; its owner is told by mail that it was taken. Raises TooMany after three in a day."""
    person = User.objects.select_for_update(of=("self",)).select_related("recipient").get(pk=user.pk)
    taken = person.recipient.notices.filter(kind=alerts.COPY_TAKEN, created_at__gt=now - timedelta(days=1))
    if taken.count() >= MOST_A_DAY:
        raise TooMany(_("You have taken a copy several times today. Please try again tomorrow."))
    alerts.copy_taken(user=person, now=now)
    return as_text(person, now)


def as_text(user: User, now: datetime) -> str:
    """Every part by its name, as JSON."""
    return json.dumps(_parts(user, now), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _parts(user: User, now: datetime) -> dict[str, object]:
    about = {"format": FORMAT, "site": settings.SITE_URL, "made_at": now}
    parts = {holding.name: holding.rows(user) for holding in PERSONAL_DATA}
    return about | parts | {holding.name: holding.rows(user.recipient) for holding in personal_data.PERSONAL_DATA}


def file_name(now: datetime) -> str:
    """Returns the file name of the copy."""
    return f"{settings.SITE_HOST.rsplit(':', 1)[0]}-{now:%Y-%m-%d}.json"
