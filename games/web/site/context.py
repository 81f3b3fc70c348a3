"""Context that every template gets."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The site's name, and whether the development mailbox is open."""
    return {"site_name": settings.SITE_NAME, "has_mailbox": settings.MAILBOX_ENABLED}
