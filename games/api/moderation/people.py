"""The REST API of moderators for people and their webhooks: find, warn, silence, suspend, readmit."""

from operator import attrgetter

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base.parsing import checked_query
from games.api.base.resource import Resource, person
from games.api.base.schema import LISTING, READING, problems
from games.api.moderation.acting import ModerationEndpoint, view_of
from games.api.moderation.games import ENTRIES, Moderating
from games.api.moderation.shapes import (
    DateBody,
    FindQuery,
    FoundShape,
    MessageBody,
    ModeratorNoteBody,
    PersonFactsShape,
    UntilBody,
)
from games.api.tables.host_tools import ReasonBody
from games.errors import NotFound
from games.moderation import deliveries as moderation_deliveries
from games.moderation import duplicate_accounts, notes, people
from games.moderation.entries import MODERATE_USER, readable_entries
from games.people import webhooks
from games.people.models import User, normal_address
from games.tables.models import Game
from notifications.clock import present
from notifications.models import Endpoint

MOST_FOUND = 50
FEWEST_LETTERS = 3  # of a name


class ModeratingPeople(Moderating):
    """Base class of the views for moderators of people."""

    right = MODERATE_USER


class PeopleResource(ModeratingPeople):
    """Finding accounts."""

    @extend_schema(
        operation_id="find_people",
        parameters=[FindQuery],
        responses={200: FoundShape(many=True), **problems(*LISTING, 422)},
    )
    def get(self, request: Request) -> Response:
        """Accounts with this address or reference, or whose name begins with these letters, at least three of them."""
        wanted = checked_query(FindQuery, request)["q"]
        found = list(User.objects.filter(Q(email=normal_address(wanted)) | Q(ref=wanted)).order_by("pk"))
        if len(wanted) >= FEWEST_LETTERS:
            named = User.objects.filter(name__begins=wanted).exclude(pk__in=[one.pk for one in found])
            found += named[: MOST_FOUND - len(found)]
        return Response(FoundShape(sorted(found, key=attrgetter("pk")), many=True).data)


class PersonResource(ModeratingPeople):
    """An account."""

    @extend_schema(operation_id="read_person", responses={200: PersonFactsShape, **problems(*READING)})
    def get(self, request: Request, ref: str) -> Response:
        """What moderators should know of an account: what was done to it, and which others look alike."""
        return _shown(request, _person(request, ref))


ON_PEOPLE: tuple[ModerationEndpoint[User], ...] = (
    ModerationEndpoint("note", "Leaves a note that moderators alone read.", ModeratorNoteBody,
        lambda user, by, facts, now: notes.add(about=user, by=by, text=facts["text"], now=now), "note_person"),
    ModerationEndpoint("warn", "Tells somebody by mail what he must not do again.", ReasonBody,
        lambda user, by, facts, now: people.warn(user=user, by=by, now=now, **facts)),
    ModerationEndpoint("mute", "Until then he says nothing at any table; he plays on.", DateBody,
        lambda user, by, facts, now: people.mute(user=user, by=by, now=now, **facts)),
    ModerationEndpoint("unmute", "He may speak at tables again.", ReasonBody,
        lambda user, by, facts, now: people.unmute(user=user, by=by, now=now, **facts)),
    ModerationEndpoint(
        "suspend", "Closes an account, for a time or until it is opened; no table waits for it.", UntilBody,
        lambda user, by, facts, now: people.suspend(user=user, by=by, now=now, **facts)),
    ModerationEndpoint("lift", "Opens a closed account again.", ReasonBody,
        lambda user, by, facts, now: people.lift(user=user, by=by, now=now, **facts)),
)  # fmt: skip

ON_WEBHOOKS: tuple[ModerationEndpoint[Endpoint], ...] = (
    ModerationEndpoint("again", "Sends a message once more, under the same id.", MessageBody,
        lambda row, by, facts, now: moderation_deliveries.send_again(
            webhook=row, message_id=facts["message"], reason=facts["reason"], by=by, now=now)),
    ModerationEndpoint("off", "Switches a webhook off.", ReasonBody,
        lambda row, by, facts, now: moderation_deliveries.switch_off(webhook=row, by=by, now=now, **facts)),
    ModerationEndpoint("on", "Switches a webhook on.", ReasonBody,
        lambda row, by, facts, now: moderation_deliveries.switch_on(webhook=row, by=by, now=now, **facts)),
)  # fmt: skip


def act_on_person(act: ModerationEndpoint[User]) -> type[Resource]:
    """Makes the view of an action on a person."""
    return view_of(act, ModeratingPeople, "moderate", _person, _shown, PersonFactsShape)


def act_on_webhook(act: ModerationEndpoint[Endpoint]) -> type[Resource]:
    """Makes the view of an action on a webhook."""
    return view_of(act, ModeratingPeople, "moderate_webhook", _webhook)


def _webhook(request: Request, ref: str) -> Endpoint:
    row = Endpoint.objects.select_related("recipient").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such webhook."))
    return row


def _person(request: Request, ref: str) -> User:
    user = User.people.filter(ref=ref).first()
    if user is None:
        raise NotFound(_("There's no such account."))
    return user


def _shown(request: Request, user: User) -> Response:
    facts = {
        name: getattr(user, name) for name in ("ref", "name", "address", "is_active", "closed_until", "silent_until")
    }
    rows = webhooks.own(user)
    facts |= {
        "owner": user.owner.ref if user.owner else None,
        "bots": list(user.bots.filter(erased_at=None).order_by("pk").values_list("ref", flat=True)),
        "playing": user.seats.filter(game__status=Game.Status.RUNNING).count(),
        "entries": readable_entries(user.moderation.select_related("actor", "game"), person(request)).order_by("-pk")[
            :ENTRIES
        ],
        "notes": notes.readable(user.moderator_notes.all(), person(request)),
        "hints": duplicate_accounts.find_hints(user, present.now()),
        "webhooks": [{"ref": r.ref, "name": r.name, "host": r.host, "state": webhooks.state_of(r)} for r in rows],
    }
    return Response(PersonFactsShape(facts).data)
