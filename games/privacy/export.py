"""The export of a person's data, as one JSON object.

Of games it has the person's own moves and comments, but nothing that others hide.
"""

import json
from datetime import datetime, timedelta

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils.translation import gettext as _

from games.errors import check_rate
from games.people import alerts
from games.people.models import User
from games.privacy.personal_data import PERSONAL_DATA
from notifications.privacy import personal_data

MOST_A_DAY = 3
FORMAT = 1  # raised when a part changes its meaning


@transaction.atomic
def give(*, user: User, now: datetime) -> str:
    """Exports a person's data as JSON text, and notifies him by email. Raises TooMany after three exports in a day."""
    person = User.objects.select_for_update(of=("self",)).select_related("recipient").get(pk=user.pk)
    taken = person.recipient.notices.filter(kind=alerts.COPY_TAKEN)
    message = _("You've downloaded several copies today. Please try again tomorrow.")
    check_rate(taken, most=MOST_A_DAY, within=timedelta(days=1), now=now, message=message)
    alerts.copy_taken(user=person, now=now)
    return as_text(person, now)


def as_text(user: User, now: datetime) -> str:
    """Returns the data as JSON, each part under its name."""
    return json.dumps(_parts(user, now), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _parts(user: User, now: datetime) -> dict[str, object]:
    about = {"format": FORMAT, "site": settings.SITE_URL, "made_at": now}
    parts = {holding.name: holding.rows(user) for holding in PERSONAL_DATA if holding.shown}
    return about | parts | {holding.name: holding.rows(user.recipient) for holding in personal_data.PERSONAL_DATA}


def file_name(now: datetime) -> str:
    """Returns the file name of the export."""
    return f"{settings.SITE_HOST.rsplit(':', 1)[0]}-{now:%Y-%m-%d}.json"
