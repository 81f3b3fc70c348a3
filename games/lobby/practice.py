"""Games that count for nothing: lessons of beginners, games against bots, and copies of a position to play on from.

No clock runs in them, no email is written, and they are removed after some time.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from engine.core.games import Branched
from engine.core.lessons import FirstGame
from engine.core.rng import commitment
from engine.registry import AnyRules, newest
from games.errors import Conflict, Illegal, NotFound, ServiceError, check_rate
from games.lobby import lifecycle
from games.lobby.models import BeatenBot
from games.people import names
from games.people.characters import CHARACTERS, ladder
from games.people.models import User
from games.play import automatic_answers, game_moves, history, locking, replay
from games.play.models import Decision, Move, Snapshot
from games.play.queries import Access
from games.tables.models import PRACTICE, Game
from games.tables.seats import Seat
from games.tables.settings import TablePlan
from notifications.database.compiled_query import compiled_exists

BOT = "greedy"  # strong enough to show how it is played
GUEST_GAMES_A_DAY = 10
MOST_STEPS = 100  # of bots and boundaries between two answers of a beginner
LESSON_KEPT = timedelta(days=60)  # after it was taken up or played for the last time
COPY_KEPT = timedelta(days=14)  # in the same way
COPIES_A_DAY = 30  # that one person may play on from
COPIED_FIELDS = ("rules_name", "rules_version", "options", "seat_count", "pace", "proposals", "missed", "absent_seats")


def begin_lesson(
    *, user: User, rules_name: str, now: datetime, read: int | None = None, is_again: bool = False
) -> Game:
    """Opens and starts a lesson; whoever is in one by these rules goes on there, over the boundary he has read up to.

    Arguments:
        read: how many public events he had read; None for all. A second click changes nothing.
        is_again: ends the one he is in, and begins from the first step.
    Raises NotFound for unknown rules and those without a lesson, TooMany for a guest who has begun many games today.
    """
    rules, running = _rules_named(rules_name), running_lessons(user).get(rules_name)
    if rules.lesson is None:
        raise NotFound(_("There's no lesson for this game."))
    if running is not None and is_again:
        game_moves.set_end_wish(game_id=running.pk, seat=running.seats.get(user=user).number, is_wanted=True, now=now)
    elif running is not None:
        _go_on(user, running, read, now)
        settle(running.pk, now)
        _lead(user, running, now)
        return running
    with transaction.atomic():
        user.one_at_a_time()  # two clicks at once are one
        game = running_lessons(user).get(rules_name)
        if game is None:
            game = _start(user, rules, now)
            _open_for(user, game, now)
    settle(game.pk, now)
    _lead(user, game, now)
    return game


def _lead(user: User, game: Game, now: datetime) -> None:
    """Gives the first answers of a lesson for its beginner, each when he is asked; what was given stays."""
    lesson = game.rules.lesson
    assert lesson is not None, game.rules_name
    answered = game.decisions.filter(seat__user=user).exclude(kind__in=lesson.opening)
    for answer in lesson.lead[answered.exclude(status=Decision.Status.OPEN).count() :]:
        row = answered.filter(status=Decision.Status.OPEN).select_related("seat").first()
        if row is None:
            return
        with suppress(Illegal):  # a lesson that was begun before there was a lead
            game_moves.submit(
                game_id=game.pk,
                seat=row.seat.number,
                decision=row.code,
                action=answer,
                source=Move.Source.WEB,
                actor=user,
                received_at=now,
            )
        settle(game.pk, now)


def _go_on(user: User, game: Game, read: int | None, now: datetime) -> None:
    """Crosses the boundary at which the lesson is held. Raises Quarantined if the rules fail."""
    with locking.quarantined_on_failure(game.pk, now), transaction.atomic():
        user.one_at_a_time()
        game.refresh_from_db()
        rules = game.rules
        lesson = rules.lesson
        if (
            lesson is not None
            and read in (None, game.public_events)
            and lesson.is_held(rules.view(game.load_state(), None))
        ):
            game_moves.advance(game_id=game.pk, now=now)


def begin_against_bots(*, user: User, rules_name: str, now: datetime, bot: str = "") -> Game:
    """Opens and starts a game against bots, in the same way, without a lesson's words.

    Arguments:
        bot: code of the strongest of them; "" for the next one on this person's ladder.
    """
    rules = _rules_named(rules_name)
    with transaction.atomic():
        user.one_at_a_time()
        running = running_against_bots(user).get(rules_name)
        game = running or _start(user, rules, now, bot=bot if bot in rules.bots else next_rung(user, rules))
        if running is None:
            _open_for(user, game, now)
    settle(game.pk, now)
    return game


def _rules_named(name: str) -> AnyRules:
    for rules in newest():
        if rules.name == name:
            return rules
    raise NotFound(_("There's no game with that name."))


def _start(user: User, rules: AnyRules, now: datetime, *, bot: str = "") -> Game:
    """Opens and starts a lesson, or a game against a bot and others."""
    _check_guest(user, now)
    if bot:
        seats, options, _minutes = first_game(rules)
        name = CHARACTERS[bot].name if bot in CHARACTERS else bot
        title, bots = _("Against %(name)s") % {"name": name}, lineup(rules, bot, seats - 1)
    else:
        seats, options = min(rules.seat_counts), rules.lesson.options if rules.lesson else {}
        title, bots = _("First steps"), (BOT,) * (seats - 1)
    plan = TablePlan(
        title=title,
        rules_name=rules.name,
        seat_count=seats,
        pace="live",
        options=options,
        is_lesson=True,
        is_guided=not bot,
        proposals=TablePlan.proposals if bot else Game.Proposals.OFF,  # a lesson says itself what to try
        bots=bots,
    )
    game = lifecycle.open_table(host=user, plan=plan, now=now)
    return lifecycle.start(game_id=game.pk, host=user, now=now)


# The ladder of opponents: whoever beats one is offered the next.

FIRST_RUNG = "greedy"  # whom a newcomer meets first


def first_game(rules: AnyRules) -> FirstGame:
    """The table at which newcomers play these rules against bots."""
    return rules.first_game or FirstGame(min(rules.seat_counts), {}, 0)


def lineup(rules: AnyRules, bot: str, count: int) -> tuple[str, ...]:
    """The bots at a table: this one, and others that think differently and are weaker, as far as there are any."""
    rungs = [character.bot for character in ladder(rules.bots)]
    weaker = rungs[: rungs.index(bot)][::-1] if bot in rungs else []
    return ((bot, *weaker) + (bot,) * count)[:count]


def beaten(user: User | None, rules_name: str) -> set[str]:
    """Codes of the bots that this person has beaten."""
    rows = user.beaten_bots.filter(rules_name=rules_name) if user is not None else BeatenBot.objects.none()
    return set(rows.values_list("bot", flat=True))


def next_rung(user: User | None, rules: AnyRules) -> str:
    """Code of the opponent who is next: the first one not beaten yet, at first that for newcomers, at last the
    strongest."""
    rungs = [character.bot for character in ladder(rules.bots)] or [BOT]
    known = beaten(user, rules.name)
    from_here = rungs[rungs.index(FIRST_RUNG) :] if FIRST_RUNG in rungs else rungs
    return next((bot for bot in from_here if bot not in known), rungs[-1])


def strongest_at(game: Game) -> str:
    """Code of the strongest bot of the rules at a table; "" where none is a character."""
    rungs = [character.bot for character in ladder([seat.bot for seat in game.seated() if seat.bot])]
    return rungs[-1] if rungs else ""


def _record_beaten(game_id: int, now: datetime) -> None:
    """Stores who was beaten in a game that is over, if its player has won."""
    game = Game.objects.filter(pk=game_id, is_lesson=True, is_guided=False, status=Game.Status.FINISHED).first()
    if game is None or not game.outcome:
        return
    winners, bot = game.outcome["winners"], strongest_at(game)
    for user in User.objects.filter(seats__game=game, seats__number__in=winners) if bot else ():
        BeatenBot.objects.get_or_create(user=user, rules_name=game.rules_name, bot=bot, defaults={"beaten_at": now})


def _check_guest(user: User, now: datetime) -> None:
    if user.is_guest:
        message = _("You've started many games today. Go on with one of them, or create an account.")
        begun = user.hosted_games.all()
        check_rate(begun, most=GUEST_GAMES_A_DAY, within=timedelta(days=1), now=now, message=message)


def _open_for(user: User, game: Game, now: datetime) -> None:
    """Answers for a beginner what neither a lesson nor a game against bots begins with."""
    opening = game.rules.lesson.opening if game.rules.lesson else {}
    for row in game.decisions.filter(kind__in=opening, seat__user=user).select_related("seat"):
        game_moves.submit(
            game_id=game.pk,
            seat=row.seat.number,
            decision=row.code,
            action=opening[row.kind],
            source=Move.Source.WEB,
            actor=user,
            received_at=now,
        )


def seats_to_play_on(access: Access) -> list[Seat]:
    """The seats from which this viewer may play on: each of a finished game, of any other his own alone."""
    if access.game.status == Game.Status.FINISHED:
        return access.game.seated()
    return [access.seat] if access.seat is not None and access.game.started_at else []


def play_on(*, user: User, access: Access, step: int, seat: int | None = None, now: datetime) -> Game:
    """Opens a table that goes on from a step of a game, for one person against bots; nobody else learns of it.

    Of a finished game the position is the true one, and what no seat had seen is dealt anew. Of any other it is what
    the viewer's own seat could see then, and all else is dealt anew: it tells nothing of the game.

    Arguments:
        step: as the game's history counts steps.
        seat: number of the seat to play; None for the viewer's own, else the first.
    Raises Conflict for a step there is not and a position that is over; NotFound for a game that is not over in which
    the viewer has no seat, and a seat that is not his there; TooMany. A second click finds the table of the first.
    """
    game, rules = access.game, access.game.rules
    seats = {row.number: row for row in seats_to_play_on(access)}
    if not seats:
        raise NotFound(_("While a game runs, only its players can play on from their own seat."))
    number = seat if seat is not None else min(seats) if access.number is None else access.number
    if number not in seats:
        raise NotFound(_("There's no such seat at this table."))
    position = position_after(game, step)
    title = _("%(table)s, from step %(step)s") % {"table": game.title[:40], "step": step}
    with transaction.atomic():
        user.one_at_a_time()  # two clicks at once are one
        copies = user.hosted_games.filter(sandbox_of__isnull=False)
        again = copies.filter(sandbox_of=game, title=title, seats__user=user, seats__number=number)
        for copy in again.filter(status=Game.Status.RUNNING):
            if not copy.moves.filter(seat=number, kind=Move.Kind.ANSWER).exists():
                return copy
        _check_guest(user, now)
        message = _("You have played on from many positions today. Please try again tomorrow.")
        check_rate(copies, most=COPIES_A_DAY, within=timedelta(days=1), now=now, message=message)

        def lay_out(table: Game) -> Any:
            if game.status == Game.Status.FINISHED:
                return rules.branch_off(position, replay.seed_of(table), step, 0)[0]
            return rules.determinise(rules.view(position, number), SystemRandom())

        table = copy_position(
            game=game,
            step=step,
            title=title,
            user=user,
            seat=number,
            seat_names=[
                user.name if row == number else _("Bot %(name)s") % {"name": BOT} for row in range(game.seat_count)
            ],
            lay_out=lay_out,
            now=now,
        )
    settle(table.pk, now)
    return table


def position_after(game: Game, step: int) -> Any:
    """Returns the state of a game after a step. Raises Conflict for a step there is not, and one that ends the game."""
    if not game.started_at or not 1 <= step <= history.count_steps(game):
        raise Conflict(_("There's no such step in this game."))
    state = history.state_after(game, history.moves_of_step(game, step)[-1].seq)
    if game.rules.outcome(state) is not None:
        raise Conflict(_("The game was already over then."))
    return state


def copy_position(
    *,
    game: Game,
    step: int,
    title: str,
    user: User,
    seat: int,
    seat_names: Sequence[str],
    lay_out: Callable[[Game], Any],
    now: datetime,
) -> Game:
    """Makes a table that goes on from a step of a game, in the caller's transaction; bots play all seats but one.

    Arguments:
        seat: number of the user's.
        lay_out: makes its state, once it is stored.
    """
    seed = secrets.token_bytes(32)
    table = Game(
        title=title,
        host=user,
        sandbox_of=game,
        status=Game.Status.RUNNING,
        paused_at=now,
        paused_by=Game.PausedBy.SANDBOX,
        server_seed=seed.hex(),
        commitment=commitment(seed),
        created_at=now,
        started_at=now,
        expires_at=now + COPY_KEPT,
        **{name: getattr(game, name) for name in COPIED_FIELDS},
    )
    table.chain = replay.genesis_hash(table)
    table.save()
    seats: dict[int, Seat] = {}
    for number, name in enumerate(seat_names):
        player, bot = (user, "") if number == seat else (None, BOT)
        told_apart = names.told_apart(name, [row.name for row in seats.values()])
        seats[number] = Seat(game=table, number=number, name=told_apart, user=player, bot=bot, joined_at=now)
        seats[number].save()
    laid = locking.Table(table, table.rules, lay_out(table), seats)
    first = game_moves.begin(laid, [Branched(step, 0)], now)
    Snapshot.objects.create(game=table, seq=first.seq, state=table.state)
    return table


def settle(game_id: int, now: datetime) -> None:
    """Lets the bots answer at once: a beginner waits for no worker. What fails is left to the workers."""
    for _step in range(MOST_STEPS):
        if automatic_answers.answer_in(game_id, now):
            continue
        if not Game.objects.filter(pk=game_id, advance_at__isnull=False, quarantined_at=None).exists():
            _record_beaten(game_id, now)
            return
        try:
            game_moves.advance(game_id=game_id, now=now)
        except (ServiceError, locking.EngineFailure):
            return


def running_lessons(user: User) -> dict[str, Game]:
    """The lessons this person is in, by the name of their rules."""
    return _running(user, is_guided=True)


def running_against_bots(user: User) -> dict[str, Game]:
    """The games against bots this person is in, by the name of their rules."""
    return _running(user, is_guided=False)


def _running(user: User, *, is_guided: bool) -> dict[str, Game]:
    games = Game.objects.filter(seats__user=user, is_lesson=True, is_guided=is_guided, status=Game.Status.RUNNING)
    return {game.rules_name: game for game in games.defer("state").order_by("pk")}


def remove_one(now: datetime) -> bool:
    """Removes one table whose time is over; one that is still played gets more. Returns whether there was one."""
    if not _is_any_expired(now):
        return False
    with transaction.atomic():
        game = _expired(now).select_for_update().defer("state").first()
        if game is None:
            return False
        last = game.moves.order_by("-pk").values_list("received_at", flat=True).first()
        kept = LESSON_KEPT if game.is_lesson else COPY_KEPT
        if last is not None and last + kept > now:
            Game.objects.filter(pk=game.pk).update(expires_at=last + kept)
        else:
            game.delete()
        return True


def _expired(now: datetime) -> QuerySet[Game]:
    copies = Game.objects.filter(sandbox_of=OuterRef("pk"))  # they go with it, and may still be played
    return Game.objects.filter(~Exists(copies), PRACTICE, expires_at__lte=now).order_by("expires_at")


_is_any_expired = compiled_exists(_expired)
