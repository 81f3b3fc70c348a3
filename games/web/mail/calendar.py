"""A person's deadlines as a calendar (RFC 5545), at a secret address that calendar programs poll."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Calendar, Event

from games import links, page_urls
from games.people.models import User
from games.play.models import Decision
from games.tables import lists
from games.web.reader import with_private_address

REFRESH = timedelta(hours=1)
LENGTH = timedelta(minutes=30)  # of an entry, which ends with the deadline


@require_safe
@conditional_page
def calendar(request: HttpRequest, ref: str, token: str) -> HttpResponse:
    """The calendar, or a page that says there is none at this address."""
    user = links.find_calendar(ref, token)
    if user is None:
        return with_private_address(render(request, "404.html", status=404))
    with translation.override(user.recipient.language):
        body = _calendar(user).to_ical()
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'inline; filename="deadlines.ics"'
    return with_private_address(response)


def _calendar(user: User) -> Calendar:
    made = Calendar()
    made.add("prodid", f"-//{settings.SITE_NAME}//deadlines//")
    made.add("version", "2.0")
    made.add("name", settings.SITE_NAME)
    made.add("x-wr-calname", settings.SITE_NAME)
    made.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for row in lists.deadlines(user):
        made.add_component(_event(row))
    return made


def _event(row: Decision) -> Event:
    """One deadline. It names the table and leads to its page; no link that acts leaves by a calendar.

    Each time it is moved it has a higher SEQUENCE: programs keep what they know of a UID until they see one.
    """
    assert row.due_at is not None, row
    event = Event()
    event.add("uid", f"decision-{row.ref}@{settings.MAIL_DOMAIN}")
    moved = [extension.created_at for extension in row.extensions.all()]
    changed_at = max([row.opened_at, *moved])
    event.add("dtstamp", changed_at)  # in a calendar without METHOD the same as LAST-MODIFIED (RFC 5545, 3.8.7.2)
    event.add("last-modified", changed_at)
    event.add("sequence", len(moved))
    event.add("dtstart", row.due_at - LENGTH)
    event.add("dtend", row.due_at)
    event.add("summary", _("Your move in %(table)s is due") % {"table": row.game.spoken_title})
    event.add("url", page_urls.game_url(row.game))
    event.add("transp", "TRANSPARENT")
    return event
