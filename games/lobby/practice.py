"""Games that count for nothing: lessons of beginners, games against bots, and sandboxes of moderators.

No clock runs in them, no email is written, and they are removed after some time.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.registry import AnyRules, newest
from games.errors import NotFound, ServiceError, check_rate
from games.lobby import lifecycle
from games.people.models import User
from games.play import automatic_answers, game_moves, locking
from games.play.models import Move
from games.tables.models import PRACTICE, Game
from games.tables.settings import TablePlan
from notifications.database.compiled_query import compiled_exists

BOT = "greedy"  # strong enough to show how it is played
GUEST_GAMES_A_DAY = 10
MOST_STEPS = 100  # of bots and boundaries between two answers of a beginner
LESSON_KEPT = timedelta(days=60)  # after it was taken up or played for the last time


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
        return running
    with transaction.atomic():
        user.one_at_a_time()  # two clicks at once are one
        game = running_lessons(user).get(rules_name)
        if game is None:
            game = _start(user, rules, now, is_guided=True)
            _open_for(user, game, now)
    settle(game.pk, now)
    return game


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


def begin_against_bots(*, user: User, rules_name: str, now: datetime) -> Game:
    """Opens and starts a game against bots, in the same way and with the same options, without a lesson's words."""
    rules = _rules_named(rules_name)
    with transaction.atomic():
        user.one_at_a_time()
        running = _running(user, is_guided=False).get(rules_name)
        game = running or _start(user, rules, now, is_guided=False)
        if running is None:
            _open_for(user, game, now)
    settle(game.pk, now)
    return game


def _rules_named(name: str) -> AnyRules:
    for rules in newest():
        if rules.name == name:
            return rules
    raise NotFound(_("There's no game with that name."))


def _start(user: User, rules: AnyRules, now: datetime, *, is_guided: bool) -> Game:
    if user.is_guest:
        message = _("You have begun many games today. Go on with one of them, or make an account.")
        begun = user.hosted_games.all()
        check_rate(begun, most=GUEST_GAMES_A_DAY, within=timedelta(days=1), now=now, message=message)
    count = min(rules.seat_counts)
    plan = TablePlan(
        title=_("First steps") if is_guided else _("Against bots"),
        rules_name=rules.name,
        seat_count=count,
        pace="live",
        options=rules.lesson.options if rules.lesson else {},
        is_lesson=True,
        is_guided=is_guided,
        proposals=Game.Proposals.OFF if is_guided else TablePlan.proposals,  # a lesson says itself what to try
        bots=(BOT,) * (count - 1),
    )
    game = lifecycle.open_table(host=user, plan=plan, now=now)
    return lifecycle.start(game_id=game.pk, host=user, now=now)


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


def settle(game_id: int, now: datetime) -> None:
    """Lets the bots answer at once: a beginner waits for no worker. What fails is left to the workers."""
    for _step in range(MOST_STEPS):
        if automatic_answers.answer_in(game_id, now):
            continue
        if not Game.objects.filter(pk=game_id, advance_at__isnull=False, quarantined_at=None).exists():
            return
        try:
            game_moves.advance(game_id=game_id, now=now)
        except (ServiceError, locking.EngineFailure):
            return


def running_lessons(user: User) -> dict[str, Game]:
    """The lessons this person is in, by the name of their rules."""
    return _running(user, is_guided=True)


def _running(user: User, *, is_guided: bool) -> dict[str, Game]:
    games = Game.objects.filter(seats__user=user, is_lesson=True, is_guided=is_guided, status=Game.Status.RUNNING)
    return {game.rules_name: game for game in games.defer("state").order_by("pk")}


def remove_one(now: datetime) -> bool:
    """Removes one table whose time is over; a lesson that is still played gets more. Returns whether there was one."""
    if not _is_any_expired(now):
        return False
    with transaction.atomic():
        game = _expired(now).select_for_update().defer("state").first()
        if game is None:
            return False
        last = game.moves.order_by("-pk").values_list("received_at", flat=True).first() if game.is_lesson else None
        if last is not None and last + LESSON_KEPT > now:
            Game.objects.filter(pk=game.pk).update(expires_at=last + LESSON_KEPT)
        else:
            game.delete()
        return True


def _expired(now: datetime) -> QuerySet[Game]:
    return Game.objects.filter(PRACTICE, expires_at__lte=now).order_by("expires_at")


_is_any_expired = compiled_exists(_expired)
