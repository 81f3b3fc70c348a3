"""Webhooks: a user's own, which get his notifications; and those of a table, or of a club or a tournament with all its
tables, set up by who owns or hosts it, which get public events."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Expression, Q, QuerySet, Value
from django.db.models.functions import Concat, Substr
from django.utils.translation import gettext as _

from games.clubs import clubs
from games.clubs.models import Club
from games.errors import Conflict, LimitReached, NotFound, ServiceError, TooMany
from games.people.models import User
from games.people.names import clean_title
from games.tables.models import THREAD, Game
from notifications import composers
from notifications.channels.http_calls import NO_ADDRESS, refusal
from notifications.channels.webhook import webhooks
from notifications.channels.webhook.channel import wider_threads
from notifications.channels.webhook.sending import recognised
from notifications.models import Delivery, Endpoint, Shape
from notifications.reasons import in_words

MOST = 10  # of one person, and of one table, club or tournament
LONGEST_ADDRESS = 500
AUTO = "auto"  # the shape that the address itself asks for


@dataclass(frozen=True)
class NewsKind:
    """Tables, or something that has tables, whose news webhooks tell: each has a `ref` and a `thread`.

    Arguments:
        find: the one of a reference, or None.
        title: its name, as everybody sees it.
        check: raises a ServiceError for who may give it no webhooks; called in a transaction.
        is_over: whether nothing new happens there.
        path: from a game to it, for a filter; "" for the game itself.
    """

    find: Callable[[str], Any]
    title: Callable[[Any], str]
    check: Callable[[Any, User], object]
    is_over: Callable[[Any], bool]
    path: str = ""


NEWS: dict[str, NewsKind] = {}
"""By how their threads begin; rooms above this one add theirs by `tell_news_of`."""


def tell_news_of(name: str, kind: NewsKind) -> None:
    """Lets a kind of things have webhooks, which are told the news of all tables that are part of it at that moment."""

    def find_wider(threads: Sequence[Expression]) -> QuerySet[Game]:
        refs = [Substr(thread, len(THREAD) + 1) for thread in threads]
        games = Game.objects.filter(ref__in=refs, **{f"{kind.path}__isnull": False})
        return games.annotate(narrow=Concat(Value(THREAD), "ref"), wider=Concat(Value(f"{name}:"), f"{kind.path}__ref"))

    NEWS[name] = kind
    if kind.path:
        wider_threads.append(find_wider)


@dataclass(frozen=True)
class WebhookSettings:
    """A webhook as its owner wants it.

    Arguments:
        url: "" for the address that it has.
        shape: a Shape, or AUTO.
        events: what it is told of; None for everything, what is yet to come included.
    """

    url: str = ""
    name: str = ""
    shape: str = AUTO
    events: Collection[str] | None = None


def own(user: User) -> QuerySet[Endpoint]:
    """Returns a person's webhooks, oldest first, those of tables, clubs and tournaments included."""
    return Endpoint.objects.filter(recipient=user.recipient).order_by("thread", "pk")


@transaction.atomic
def of_source(user: User, source: Any) -> QuerySet[Endpoint]:
    """Returns the webhooks that its host or owner has given a table, club or tournament.

    Raises NotFound or Forbidden for everybody else.
    """
    NEWS[_parts(source.thread)[0]].check(source, user)
    return own(user).filter(thread=source.thread)


def find(user: User, ref: str) -> Endpoint:
    """One of a person's. Raises NotFound for "none" and "not yours" alike."""
    row = own(user).select_related("recipient").filter(ref=ref).first()
    if row is None:
        raise NotFound(_("There's no such webhook, or it isn't yours."))
    return row


def ref_of(endpoint: Endpoint, name: str) -> str | None:
    """The reference of the game, club or tournament whose news it tells; None if it tells that of another kind."""
    kind, ref = _parts(endpoint.thread)
    return ref if kind == name else None


def source_of(endpoint: Endpoint) -> tuple[str, str, str] | None:
    """Kind, reference and title of what it tells the news of; None for a person's own."""
    name, ref = _parts(endpoint.thread)
    source = NEWS[name].find(ref) if name else None
    return (name, ref, NEWS[name].title(source)) if source is not None else None


def _parts(thread: str) -> tuple[str, str]:
    name, _colon, ref = thread.partition(":")
    return name, ref


@transaction.atomic
def create(*, user: User, wanted: WebhookSettings, source: Any = None, now: datetime) -> Endpoint:
    """Makes a webhook of a person, or of a table, club or tournament; its secret is shown once and never again.

    Raises ServiceError for an address to which nothing would ever be sent, NotFound or Forbidden for who is neither
    host nor owner, Conflict for what is over, LimitReached.
    """
    thread = source.thread if source is not None else ""
    if source is not None:
        kind = NEWS[_parts(thread)[0]]
        kind.check(source, user)
        if kind.is_over(source):
            raise Conflict(_("This is over: there will be no more news."))
    user.one_at_a_time()
    if own(user).filter(thread=thread).count() >= MOST:
        raise LimitReached(_("You have too many webhooks. Delete one first."))
    url = _valid(wanted.url)
    return Endpoint.objects.create(
        recipient=user.recipient,
        thread=thread,
        name=clean_title(wanted.name),
        url=url,
        shape=_shape(wanted.shape, url),
        muted=_muted(wanted.events),
        created_at=now,
    )


@transaction.atomic
def change(*, endpoint: Endpoint, wanted: WebhookSettings, now: datetime) -> None:
    """Changes name, events, shape and, if one is given, the address. A new address switches it on again.

    Raises ServiceError as `create` does.
    """
    url = _valid(wanted.url) if wanted.url else endpoint.url
    webhooks.move(endpoint, url, _shape(wanted.shape, url), now)
    endpoint.name, endpoint.muted = clean_title(wanted.name), _muted(wanted.events)
    endpoint.save(update_fields=["name", "muted"])


def renew_secret(*, endpoint: Endpoint, now: datetime) -> str:
    """Makes a new secret, to be shown once; for a day the former one signs too."""
    return webhooks.renew_secret(endpoint, now)


def remove(*, endpoint: Endpoint, now: datetime) -> None:
    """Removes it, and with it whatever was still to be sent there."""
    webhooks.remove(Endpoint.objects.filter(pk=endpoint.pk), now)


@transaction.atomic
def switch(*, endpoint: Endpoint, is_on: bool, now: datetime) -> None:
    """Switches it on or off. Doing it twice changes nothing."""
    if is_on and not endpoint.is_enabled:
        webhooks.start(endpoint)
    elif not is_on and endpoint.is_enabled:
        webhooks.stop(endpoint, webhooks.BY_OWNER, now)


@transaction.atomic
def ping(*, endpoint: Endpoint, now: datetime) -> None:
    """Sends a test. Raises Conflict while it is switched off, TooMany just after the last one."""
    if not endpoint.is_enabled:
        raise Conflict(_("This webhook is off. Turn it on first."))
    if not webhooks.ping(endpoint, now):
        raise TooMany(_("A test is on its way. Please wait a moment before sending another."), webhooks.PING_EVERY)


def deliveries(endpoint: Endpoint) -> QuerySet[Delivery]:
    """Returns the deliveries of a webhook, newest first."""
    return webhooks.sent_to(endpoint)


def send_again(*, endpoint: Endpoint, message_id: str, now: datetime) -> None:
    """Sends once more what was sent, under the same id. Raises NotFound, and Conflict where it cannot be."""
    ids = Q(message_id=message_id) | Q(leader__message_id=message_id)
    row = Delivery.objects.filter(ids, endpoint=endpoint).first()
    if row is None:
        raise NotFound(_("Nothing with that id was sent to this webhook."))
    if not endpoint.is_enabled:
        raise Conflict(_("This webhook is off. Turn it on first."))
    if not webhooks.send_again(row, now):
        raise Conflict(
            _("This can't be sent again: it's still on its way, or the webhook had a different address then.")
        )


def events_of(endpoint: Endpoint) -> list[str]:
    """Returns the events it gets."""
    return [event for event in composers.events() if event not in endpoint.muted]


def state_of(endpoint: Endpoint) -> str:
    """How it fares: "off", "failing" or "working"."""
    if not endpoint.is_enabled:
        return "off"
    return "failing" if endpoint.failing_since else "working"


def why_not(url: str) -> str:
    """Why nothing would ever be sent to an address, in words; "" for a good one."""
    why = refusal(url) if len(url) <= LONGEST_ADDRESS and url.isprintable() else NO_ADDRESS
    return _("We can't send anything there: %(why)s.") % {"why": in_words(why)} if why else ""


def _require_host(game: Game, user: User) -> None:
    if game.host_id != user.pk:
        raise NotFound(_("Only the host of a table can do that."))


tell_news_of(
    "game",
    NewsKind(
        find=lambda ref: Game.objects.filter(ref=ref).first(),
        title=lambda game: game.title,
        check=_require_host,
        is_over=lambda game: game.is_over,
    ),
)
tell_news_of(
    "club",
    NewsKind(
        find=lambda ref: Club.objects.filter(ref=ref).first(),
        title=lambda club: club.display_name,
        check=clubs.locked,  # so that nobody hands it over meanwhile
        is_over=lambda club: False,
        path="club",
    ),
)


def _valid(url: str) -> str:
    if words := why_not(url):
        raise ServiceError(words, code="webhook-address", field="url")
    return url


def _shape(wanted: str, url: str) -> str:
    if wanted == AUTO:
        return recognised(url).value
    if wanted not in Shape.values:
        raise ServiceError(
            _("%(value)s is not one of the choices.") % {"value": wanted[:40]}, code="no-such-choice", field="shape"
        )
    return wanted


def _muted(events: Collection[str] | None) -> list[str]:
    names = composers.events()
    if events is None:
        return []
    if unknown := sorted(set(events) - set(names)):
        raise ServiceError(
            _("%(value)s is not one of the choices.") % {"value": unknown[0][:40]},
            code="no-such-choice",
            field="events",
        )
    if not events:
        raise ServiceError(
            _("Choose at least one event, or delete the webhook."), code="nothing-chosen", field="events"
        )
    return [event for event in names if event not in events]


def shapes() -> list[tuple[str, str]]:
    """Returns the shapes to choose from, with their names."""
    return [(AUTO, _("detected from the address")), *((shape.value, str(shape.label)) for shape in Shape)]
