"""A table before its game: opening, joining, filling with bots, starting, closing."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.core.rng import commitment, game_seed
from engine.records.checking import seating
from engine.registry import AnyRules, newest
from games.clubs import clubs
from games.errors import BotDeclines, Conflict, LimitReached, NotFound, ServiceError
from games.lobby.models import BotTerms
from games.people import blocks, names, speech
from games.people.inviting import record_invitation
from games.people.models import User
from games.play import absences, game_moves, locking, notify, replay, stewards
from games.tables import pace
from games.tables.models import ALIVE, PRACTICE, Game
from games.tables.seats import Invitation, Seat, check_club_seat, check_owners
from games.tables.settings import TablePlan, agreed_values, rules_named
from notifications.database.compiled_query import compiled_exists

LONGEST_BOT_NAME = 30  # of a bot account: on the board "Bot" and perhaps an ordinal stand beside it


@transaction.atomic
def open_table(*, host: User, plan: TablePlan, now: datetime) -> Game:
    """Opens a table with the host on its first seat and publishes the commitment to its seed.

    Raises ServiceError for a plan that cannot be, LimitReached when the host has too many open tables, SameOwner when
    one of the bots is the host's and the table does not allow that, NotFound for a club of others.
    """
    host.one_at_a_time()
    if host.hosted_games.filter(status=Game.Status.OPEN).count() >= settings.OPEN_TABLES_PER_HOST:
        raise LimitReached(_("You have too many tables waiting for players. Start or close one first."))
    game = _create(host, plan, now)
    if not game.is_lesson:
        absences.check_has_not_left(host)
    _sit_down(game, user=host, now=now)
    for bot in plan.bots:
        _seat_bot(game, bot, host, now)
    return game


@transaction.atomic
def start_seated(
    *, host: User, players: Sequence[User], plan: TablePlan, now: datetime, is_between_bots: bool = False
) -> Game:
    """Opens a table for people who have agreed to play, of whom the host need not be one, and starts its game at once.

    Arguments:
        is_between_bots: the players are bot accounts, and it is a game of a match.
    Raises ServiceError for a plan that cannot be, Conflict for another number of people than it has seats, SameOwner.
    """
    game = _create(host, plan, now)
    game.is_between_bots = is_between_bots
    game.save(update_fields=["is_between_bots"])
    for player in players:
        _sit_down(game, user=player, now=now)
    return _begin(game, now)


def _create(host: User, plan: TablePlan, now: datetime) -> Game:
    """Stores the table of a plan, with nobody at it."""
    rules = rules_named(plan.rules_name)
    lesson = rules.lesson if plan.is_lesson and plan.is_guided else None
    seed = secrets.token_bytes(32) if lesson is None else bytes.fromhex(lesson.seed)
    if plan.club and plan.is_listed:
        raise ServiceError(
            _("A club's table is for its members alone: it can't be public as well."),
            code="club-and-listed",
            field="is_listed",
        )
    game = Game(
        club=clubs.find_club(host, plan.club) if plan.club else None,
        title=names.clean_title(plan.title) or _("%(name)s's table") % {"name": host.name},
        host=host,
        rules_name=rules.name,
        rules_version=rules.version,
        **agreed_values(plan, rules),
        is_lesson=plan.is_lesson,
        is_guided=plan.is_guided,
        paused_at=now if plan.is_lesson else None,  # whoever learns has all the time there is
        paused_by=Game.PausedBy.LESSON if plan.is_lesson else "",
        server_seed=seed.hex(),
        commitment=commitment(seed),
        created_at=now,
        expires_at=now + timedelta(days=settings.TABLE_EXPIRES_DAYS),
    )
    game.save()
    return game


@transaction.atomic
def join(
    *,
    game_id: int,
    user: User,
    entropy: str = "",
    steward_hours: int | None = None,
    seen: int | None = None,
    is_invited: bool = False,
    now: datetime,
) -> Seat:
    """Sits a person down at an open table, who agrees with it to its settings. Joining twice gives the same seat.

    Arguments:
        steward_hours: after how many waking hours the person's steward shall act; None for as is usual at the pace.
        seen: the version of the settings that the person has seen; None for those that hold now.
        is_invited: by the host, who wants this person whatever the table asks of others.
    Raises ServiceError for hours that cannot be, Conflict when it is full or the settings have changed since the
    person saw them, SameOwner when a bot of this person plays there and the table does not allow that.
    """
    game = lock_open(game_id)
    seat = game.seats.filter(user=user).first()
    is_new = seat is None
    if seat is None:
        if seen is not None and seen != game.settings_version:
            raise Conflict(_("The host has changed the table's settings in the meantime. Please look at them again."))
        if user.is_bot:
            check_terms(user, game.rules, game.pace, game.seat_count)
        blocks.check_host(game.host, user)
        absences.check_company(game, user, now, is_invited=is_invited)
        seat = _sit_down(game, user=user, entropy=entropy, now=now)
    if steward_hours is not None:
        seat = stewards.change(game_id=game_id, seat=seat.number, hours=steward_hours, now=now)
    if is_new:  # else the host would learn which address is whose
        Invitation.objects.filter(game=game, address=user.email).update(status=Invitation.Status.JOINED)
    return seat


@transaction.atomic
def add_bot(*, game_id: int, host: User, bot: str, now: datetime) -> Seat | None:
    """Fills a seat with a bot. Only the host may. Returns None if it was invited and decides itself.

    Arguments:
        bot: the name of one of the rules, or of a bot account that the host may seat.
    Raises Conflict when the table is full or that account sits there, SameOwner when its owner or another bot of that
    owner does and the table does not allow that, BotDeclines for a game that it does not take, ServiceError when there
    is none of that name.
    """
    return _seat_bot(lock_open(game_id, host), bot, host, now)


@transaction.atomic
def leave(*, game_id: int, user: User) -> None:
    """A guest gets up from an open table."""
    game = lock_open(game_id)
    if game.host_id == user.pk:
        raise Conflict(_("The host can't leave. Close the table instead."))
    game.seats.filter(user=user).delete()
    _renumber(game)


@transaction.atomic
def remove_seat(*, game_id: int, host: User, number: int) -> None:
    """The host sends away a bot or a guest before the game."""
    game = lock_open(game_id, host)
    seat = game.seats.filter(number=number).exclude(user=host).first()
    if seat is None:
        raise NotFound(_("That seat is already free."))
    if seat.user is not None:  # the mail that let him in does so no more; of another the host would learn whose it was
        came_by = game.invitations.filter(address=seat.user.email, status=Invitation.Status.JOINED)
        came_by.update(status=Invitation.Status.WITHDRAWN)
    seat.delete()
    _renumber(game)


@transaction.atomic
def start(*, game_id: int, host: User, now: datetime) -> Game:
    """Draws the seats, deals the game and asks the first decisions. Only the host may.

    Raises Conflict while a seat is free, or somebody has not agreed to changed settings.
    """
    return _begin(lock_open(game_id, host), now)


def _begin(game: Game, now: datetime) -> Game:
    """Starts the game of a locked table. Raises what `start` does."""
    seats = list(game.seats.select_related("user__recipient").order_by("number"))
    if len(seats) < game.seat_count:
        raise Conflict(_("Some seats are still free. Invite people, or fill the seats with bots."))
    if undecided := [seat.spoken_name for seat in seats if not seat.has_agreed]:
        raise Conflict(
            _("Not everyone has agreed to the changed settings yet: %(names)s.") % {"names": ", ".join(undecided)}
        )
    seats = _draw_seats(game, seats)
    seed = game_seed(bytes.fromhex(game.server_seed), [seat.entropy for seat in seats])
    state, events = game.rules.new(game.seat_count, game.options, seed)
    game.status = Game.Status.RUNNING
    game.started_at = now
    game.chain = replay.genesis_hash(game)
    game.invitations.filter(status=Invitation.Status.SENT).update(status=Invitation.Status.WITHDRAWN)
    notify.started(game, seats, now)
    game_moves.begin(locking.Table(game, game.rules, state, {seat.number: seat for seat in seats}), events, now)
    return game


@transaction.atomic
def close(*, game_id: int, host: User, now: datetime) -> None:
    """The host closes a table that has not begun; everybody who sat or was invited is told."""
    _close(lock_open(game_id, host), now)


def expire_one(now: datetime) -> bool:
    """Closes one table that never started. Returns whether there was one."""
    if not _is_any_expired(now):
        return False
    with transaction.atomic():
        game = _expired(now).select_for_update().first()
        if game is None:
            return False
        _close(game, now)
        return True


def _expired(now: datetime) -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.OPEN, expires_at__lte=now).order_by("expires_at")


_is_any_expired = compiled_exists(_expired)


def lock_open(game_id: int, host: User | None = None) -> Game:
    """The game, locked, if it has not begun; and if `host` is given, is his. Raises Conflict or NotFound."""
    game = Game.objects.select_for_update().get(pk=game_id)
    if host is not None and game.host_id != host.pk:
        raise NotFound(_("Only the host of a table can do that."))
    if game.status != Game.Status.OPEN:
        raise Conflict(_("This game has already started.") if game.started_at else _("This table is closed."))
    return game


def _close(game: Game, now: datetime) -> None:
    game.status = Game.Status.CLOSED
    game.finished_at = now
    game.save(update_fields=["status", "finished_at"])
    game_moves.show_names(game)
    recipients = {seat.user.recipient for seat in game.seats.select_related("user__recipient") if seat.user}
    waiting = game.invitations.filter(status=Invitation.Status.SENT).select_related("recipient")
    recipients |= {invitation.recipient for invitation in waiting}
    waiting.update(status=Invitation.Status.WITHDRAWN)
    notify.closed(game, recipients, now)


# Bot accounts: which a host may seat, and which games they take


def find_bot(name: str, host: User) -> User:
    """The bot account of that name, which this host may seat. Raises ServiceError."""
    is_allowed = Q(is_for_all=True) | Q(owner=host)
    able = User.objects.filter(is_allowed, owner__is_active=True, is_active=True, paused_at=None, erasure=None)
    account = able.filter(name__iexact=names.clean_title(name)).select_related("terms").first()
    if account is None:
        raise ServiceError(_("There's no bot with that name."), code="no-such-bot", field="bot")
    return account


def find_entrant(name: str, host: User, rules: AnyRules, speed: str, seat_count: int) -> User:
    """The same for a whole series of games. Raises BotDeclines, too, for one that decides about each itself."""
    account = find_bot(name, host)
    check_terms(account, rules, speed, seat_count)
    if terms_of(account).answers_invitations and account.owner_id != host.pk:
        raise BotDeclines(
            _("%(name)s decides about each game itself, so only its owner can enter it.") % {"name": account.name}
        )
    return account


def check_has_token(bot: User) -> None:
    """Raises BotDeclines for a bot account that no program can play for."""
    if not bot.api_tokens.filter(revoked_at=None).exists():
        raise BotDeclines(_("%(name)s has no token, so it can't play.") % {"name": bot.name})


def terms_of(bot: User) -> BotTerms:
    """Returns what a bot account takes; where nothing was said, everything."""
    return getattr(bot, "terms", None) or BotTerms(bot=bot)


def check_terms(bot: User, rules: AnyRules, speed: str, seat_count: int, *, is_new: bool = True) -> None:
    """Raises BotDeclines, which says what the bot takes, for a game that it does not take.

    Arguments:
        speed: the name of the pace.
        is_new: it does not sit there yet, so that its number of games grows.
    """
    terms, language = terms_of(bot), speech.current_language()
    titles = {each.name: each.say(each.title, language, []) for each in newest()}
    if terms.takes_rules and rules.name not in terms.takes_rules:
        raise BotDeclines(_listed(_("%(name)s plays only: %(choices)s."), bot, terms.takes_rules, titles))
    if terms.takes_paces and speed not in terms.takes_paces:
        message = _("%(name)s plays only at these paces: %(choices)s.")
        raise BotDeclines(_listed(message, bot, terms.takes_paces, dict(pace.paces())))
    if terms.takes_seat_counts and seat_count not in terms.takes_seat_counts:
        message = _("%(name)s plays only at tables with this many seats: %(choices)s.")
        raise BotDeclines(_listed(message, bot, terms.takes_seat_counts, {}))
    if is_new and not has_room(bot):
        raise BotDeclines(
            ngettext(
                "%(name)s plays one game at a time, and is playing one.",
                "%(name)s plays %(count)s games at a time, and is playing as many.",
                terms.takes_games or 0,
            )
            % {"name": bot.name, "count": terms.takes_games}
        )


def _listed(message: str, bot: User, chosen: Sequence[object], labels: Mapping[Any, object]) -> str:
    words = [str(labels.get(value, value)) for value in chosen]
    return message % {"name": bot.name, "choices": get_text_list(words, _("or"))}


def has_room(bot: User) -> bool:
    """Whether a bot account takes one more game. Called in a transaction: the account is locked until its end."""
    most = terms_of(bot).takes_games
    if most is None:
        return True
    bot.one_at_a_time()
    games = Game.objects.filter(ALIVE, seats__user=bot).exclude(PRACTICE)
    return games.count() < most


def _seat_bot(game: Game, name: str, host: User, now: datetime) -> Seat | None:
    if name in game.rules.bots:
        return _sit_down(game, bot=name, now=now)
    account = find_bot(name, host)
    if game.seats.filter(user=account).exists():
        raise Conflict(_("%(name)s is already at this table.") % {"name": account.name})
    check_terms(account, game.rules, game.pace, game.seat_count)
    if not terms_of(account).answers_invitations:
        return _sit_down(game, user=account, now=now)
    check_owners(game, account)
    record_invitation(
        game.invitations,
        by=host,
        address=account.email,
        name=account.name,
        is_there=lambda: False,
        already=_("%(name)s is already at this table."),
        now=now,
    )  # nobody is written to: its program is told by its events
    return None


def _sit_down(game: Game, *, now: datetime, user: User | None = None, bot: str = "", entropy: str = "") -> Seat:
    taken = game.seated()
    if len(taken) >= game.seat_count:
        raise Conflict(_("All seats at this table are taken."))
    bot = user.character if user is not None and user.character else bot  # nobody's program, but the rules' own bot
    if user is not None and not bot:
        check_club_seat(game, user)
        check_owners(game, user)
    is_bot = user is None or user.is_bot
    name = user.name if user and not bot else bot
    if is_bot:  # wherever the name stands, on the board or in a mail, nobody takes it for a person's
        name = _("Bot %(name)s") % {"name": name}
    return Seat.objects.create(
        game=game,
        number=len(taken),
        user=user,
        owner_id=user.owner_id if user and not bot else None,
        bot=bot,
        name=names.told_apart(name, [seat.name for seat in taken]),
        hides_name=game.hides_names,
        entropy=entropy[:64],
        agreed_version=game.settings_version,
        steward_hours=None if is_bot else pace.steward_hours(game.pace),
        joined_at=now,
    )


def _renumber(game: Game) -> None:
    for number, seat in enumerate(game.seats.order_by("number")):
        if seat.number != number:
            seat.number = number
            seat.save(update_fields=["number"])


def _draw_seats(game: Game, seats: list[Seat]) -> list[Seat]:
    """Seats the players at random (A4), from the committed seed and what the players added to it."""
    drawn = seating(game.server_seed, [seat.entropy for seat in seats]).shuffled(seats)
    for offset in (100, 0):  # in two steps, because a number is never held by two seats
        for number, seat in enumerate(drawn):
            seat.number = number + offset
            seat.save(update_fields=["number"])
    for seat in drawn:
        seat.game = game
        if seat.is_person:
            seat.bank = pace.full_bank(game.pace)
            seat.save(update_fields=["bank"])
    return drawn
