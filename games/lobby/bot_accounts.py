"""Bot accounts: programs that people own and hosts seat. Each is a user with an owner, who alone looks after it.

Nobody signs in as a bot and no mail goes to it: it acts by the API alone, with a token of its own, and is told by
webhooks, by the stream of events, and whenever it asks. What it may do there is said in `games.api.access`.
"""

import secrets
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from engine.registry import newest
from games.errors import Conflict, Illegal, LimitReached, NotFound, check_rate
from games.lobby import lifecycle
from games.lobby.lifecycle import LONGEST_BOT_NAME
from games.lobby.models import BotTerms
from games.people import names, tokens
from games.people.characters import CHARACTERS
from games.people.models import CHARACTER, HOUSE, NOWHERE, ApiToken, Erasure, User
from games.play import absences
from games.tables import pace
from games.tables.models import Game
from games.tables.seats import Seat
from notifications.models import Recipient

MOST = 5  # bots of one owner
MOST_GAMES = 200  # at once, that one may be said to take
MOST_A_DAY = 10  # that he makes, those he has closed again included
SCOPES = (ApiToken.Scope.READ, ApiToken.Scope.PLAY, ApiToken.Scope.ACCOUNT)


def own(owner: User) -> QuerySet[User]:
    """Returns a person's bots, oldest first, without those he has closed."""
    return User.objects.filter(owner=owner, erased_at=None, erasure=None).order_by("pk")


def listed() -> QuerySet[User]:
    """Returns the bots that every host may seat and that have a token, by name, each with its owner and its terms."""
    able = User.objects.filter(is_for_all=True, owner__is_active=True, is_active=True, paused_at=None, erasure=None)
    able = able.filter(Exists(ApiToken.objects.filter(user=OuterRef("pk"), revoked_at=None)))
    return able.select_related("owner", "terms").order_by("name")


def find(owner: User, ref: str) -> User:
    """One of a person's. Raises NotFound for "none" and "not yours" alike."""
    bot = own(owner).select_related("owner", "recipient").filter(ref=ref).first()
    if bot is None:
        raise NotFound(_("There's no such bot, or it isn't yours."))
    return bot


def state_of(bot: User) -> str:
    """How it fares: "closed" by a moderator, "paused" by its owner, "silent" without a token, or "ready"."""
    if not bot.is_active:
        return "closed"
    if bot.paused_at is not None:
        return "paused"
    return "ready" if token_of(bot) else "silent"


def token_of(bot: User) -> ApiToken | None:
    """The one token that acts for it now, or None."""
    return bot.api_tokens.filter(revoked_at=None).order_by("-pk").first()


@transaction.atomic
def create(*, owner: User, name: str, is_for_all: bool, now: datetime) -> User:
    """A new bot account, which does nothing before it has a token.

    Arguments:
        name: unlike that of every other bot, for hosts seat it by its name.
        is_for_all: whether every host may seat it, or its owner alone.
    Raises Illegal for a name that cannot be, Conflict for one that is taken, LimitReached, TooMany.
    """
    owner.one_at_a_time()
    if own(owner).count() >= MOST:
        raise LimitReached(_("You have too many bots. Close one you no longer use."))
    message = _("You've created too many bots today. Please try again tomorrow.")
    bots = owner.bots.all()
    check_rate(bots, most=MOST_A_DAY, within=timedelta(days=1), now=now, message=message, time="date_joined")
    name = _checked(name)
    bot = User(email=f"{secrets.token_hex(12)}@{NOWHERE}", name=name, owner=owner, date_joined=now)
    bot.is_for_all = is_for_all
    bot.set_unusable_password()
    bot.recipient = Recipient.objects.create(name=name, language=owner.recipient.language, created_at=now)
    _save(bot)
    return bot


@transaction.atomic
def change(*, bot: User, name: str, is_for_all: bool) -> None:
    """Gives it another name, and says who may seat it from now on. Seats already taken keep the name they had.

    Raises Illegal and Conflict as `create` does.
    """
    bot.name, bot.is_for_all = _checked(name), is_for_all
    _save(bot)
    Recipient.objects.filter(pk=bot.recipient_id).update(name=bot.name)


@transaction.atomic
def set_terms(*, bot: User, **changes: Any) -> None:
    """Says which games it takes from now on, by the names of the columns of `BotTerms`; what is left out stays.

    It plays on where it sits. Raises Illegal for what there is not.
    """
    bot.one_at_a_time()
    choices: dict[str, Collection[object]] = {
        "takes_rules": {rules.name for rules in newest()},
        "takes_paces": {name for name, _label in pace.paces()},
        "takes_seat_counts": {count for rules in newest() for count in rules.seat_counts},
    }
    for field, allowed in choices.items():
        if unknown := [value for value in changes.get(field, ()) if value not in allowed]:
            message = _("%(value)s is not one of the choices.") % {"value": unknown[0]}
            raise Illegal(message, code="no-such-choice", field=field)
    BotTerms.objects.update_or_create(
        bot=bot, defaults={name: sorted(set(value)) if name in choices else value for name, value in changes.items()}
    )


@transaction.atomic
def switch(*, bot: User, is_on: bool, now: datetime) -> None:
    """Lets it rest, or go on. While it rests its token does nothing, nobody seats it and no table waits for it.

    When it goes on it comes back to its tables itself, as a person does. Doing it twice changes nothing.
    """
    if is_on == (bot.paused_at is None):
        return
    bot.paused_at = None if is_on else now
    bot.save(update_fields=["paused_at"])
    if is_on:
        return
    for game in Game.objects.filter(seats__user=bot, status=Game.Status.OPEN).order_by("pk"):
        with suppress(Conflict):  # its game has just begun, and then it is away there
            lifecycle.leave(game_id=game.pk, user=bot)
    running = Seat.objects.filter(user=bot, game__status=Game.Status.RUNNING, status=Seat.Status.ACTIVE)
    for seat in running.order_by("game"):
        absences.leave(absences.locked_seat(seat.pk), now)


@transaction.atomic
def renew_token(*, bot: User, now: datetime, scopes: Collection[str] = ()) -> str:
    """A new token, to be shown once; the one before it is void. The owner is told by mail.

    Arguments:
        scopes: of SCOPES; without any, all that a bot needs.
    Raises Illegal for a scope there is not, and Forbidden for that of moderators.
    """
    revoke_token(bot=bot, now=now)
    _row, token = tokens.create_token(user=bot, name=bot.name, scopes=scopes, now=now)
    return token


def revoke_token(*, bot: User, now: datetime) -> None:
    """Makes its token void at once. Harmless when it has none."""
    bot.api_tokens.filter(revoked_at=None).update(revoked_at=now)


@transaction.atomic
def close(*, bot: User, now: datetime) -> None:
    """Closes it for good: it does nothing any more, and a worker vacates its seats and erases it soon after."""
    revoke_token(bot=bot, now=now)
    User.objects.filter(pk=bot.pk).update(is_active=False, closed_until=None)
    Erasure.objects.get_or_create(user=bot, defaults={"asked_at": now, "due_at": now})


# The house: an account nobody signs in to, which hosts the bots' season and the weekly tournament, and owns an account
# for each character. Its bots play by the rules' own program, wherever they sit.


@transaction.atomic
def house() -> User:
    """Returns the service's own account, made if there is none. No mail goes to it."""
    return User.objects.filter(email=HOUSE).first() or _of_house(HOUSE, settings.SITE_NAME[:LONGEST_BOT_NAME], None)


@transaction.atomic
def characters() -> dict[str, User]:
    """Returns the accounts of the characters by the code of their bot, made if there are none."""
    owner = house()
    known = {bot.email: bot for bot in User.objects.filter(owner=owner)}
    addresses = {code: f"{CHARACTER}{code}@{NOWHERE}" for code in CHARACTERS}
    return {
        code: known.get(address) or _of_house(address, CHARACTERS[code].name, owner)
        for code, address in addresses.items()
    }


def _of_house(address: str, name: str, owner: User | None) -> User:
    account = User(email=address, name=name, owner=owner, has_profile=False)
    account.set_unusable_password()
    account.recipient = Recipient.objects.create(name=name)
    account.save()
    return account


def _checked(name: str) -> str:
    name = names.visible(name)
    if not name or len(name) > LONGEST_BOT_NAME:
        raise Illegal(
            _("A bot's name must be 1 to %(most)d characters long.") % {"most": LONGEST_BOT_NAME},
            code="out-of-range",
            field="name",
        )
    if any(name.casefold() in rules.bots for rules in newest()):
        raise Illegal(_("That's the name of a built-in bot. Please choose another."), code="taken", field="name")
    return names.checked(name)


def _save(bot: User) -> None:
    others = User.objects.filter(owner__isnull=False).exclude(pk=bot.pk).values_list("name", flat=True)
    if names.skeleton(bot.name) in map(names.skeleton, others.iterator()):
        raise Conflict(_("There's already a bot with this name. Please choose another."))
    try:
        with transaction.atomic():
            bot.save()
    except IntegrityError as error:
        if not User.objects.filter(Q(name__iexact=bot.name), owner__isnull=False).exclude(pk=bot.pk).exists():
            raise
        raise Conflict(_("There's already a bot with this name. Please choose another.")) from error
