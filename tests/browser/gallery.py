"""Every kind of page in a state worth looking at: what there is to see, for whom, and where."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.registry import newest
from games.clubs import clubs
from games.clubs import invitations as club_invitations
from games.lobby import bot_accounts, invitations, lifecycle, practice
from games.models import Decision, Game, User
from games.people import blocks, friends
from games.play import absences, automatic_answers, decision_links, pauses, table_talk
from games.tables import table_links, webhooks
from games.tables.settings import TablePlan
from games.tables.webhooks import WebhookSettings
from games.tournaments import matches
from games.tournaments import tournaments as hosting
from tests.browser import acquaintances, cups
from tests.games.archive.storing import store
from tests.games.conftest import answer, fresh, make_user, open_rows, seat_of, settle
from tests.notifications.browsers import Browser

LONG_NAME = "Maximiliane-Wolfsgrüberin von Trapezunt"
SCRIPT = "<script>alert('talk')</script> & so on"
RIGHT_TO_LEFT = "\u202eשלום, מה קורה? مرحبا"
MIDWAY = 30  # moves
BASIC, MAGIC = {"version": "basic"}, {"version": "magic"}
NINE = {"line": "9 guard"}


@dataclass(frozen=True)
class Shown:
    """A page: what its picture is called, where it is, and who looks at it (None: somebody who is not signed in)."""

    name: str
    path: str
    user: User | None
    status: int = 200


class People:
    """Anna hosts everything; Ben and somebody with a long name play; David is new."""

    def __init__(self) -> None:
        self.anna, self.ben, self.carla, self.david = map(make_user, ("Anna", "Ben", "Carla", "David"))
        User.objects.filter(pk=self.carla.pk).update(name=LONG_NAME)
        self.carla.refresh_from_db()

    def table(self, title: str, rules: str, *, start: bool = True, guests: int = 1, **plan: object) -> Game:
        """A table of Anna's with so many of the others; the seats that are left are bots'."""
        now, others = timezone.now(), [self.ben, self.carla][:guests]
        seats = plan.pop("seat_count", 3)
        bots = ("greedy",) * (seats - 1 - guests) if start else ()
        wish = TablePlan(title=title, rules_name=rules, seat_count=seats, bots=bots, is_listed=True, **plan)
        game = lifecycle.open_table(host=self.anna, plan=wish, now=now)
        for guest in others:
            lifecycle.join(game_id=game.pk, user=guest, now=now)
        if start:
            lifecycle.start(game_id=game.pk, host=self.anna, now=now)
            settle(now)
        return fresh(game)


def play_until(game: Game, is_reached: Callable[[Decision], bool]) -> Game:
    """Everybody plays like a bot until such a decision is asked, or to the end; the first that is, waits."""
    while rows := open_rows(game):
        row = next((one for one in rows if is_reached(one)), None)
        if row is not None:
            return fresh(game)
        answer(game, rows[0], timezone.now(), automatic_answers.bot_action(fresh(game), rows[0], "greedy"))
        settle(timezone.now())
    return fresh(game)


def asked(user: User, *kinds: str, after: str = "") -> Callable[[Decision], bool]:
    """Whether a decision is this person's, of one of these kinds, and not of the first round if `after` is given."""
    return lambda row: row.seat.user_id == user.pk and row.kind in kinds and not (after and row.code.startswith(after))


def never(_row: Decision) -> bool:
    """To play on until the game is over."""
    return False


def waits_for(game: Game, user: User) -> Decision:
    """What this person is asked there."""
    return next(row for row in open_rows(game) if row.seat.user_id == user.pk)


def of_table(game: Game, user: User | None, *more: str, name: str = "") -> list[Shown]:
    """The table and some of its further pages."""
    name = name or game.title.lower().replace(" ", "-")
    pages = [Shown(name, f"/table/{game.ref}/", user)]
    return pages + [
        Shown(f"{name}-{re.sub(r'[^a-z]+', '-', one).strip('-')}", f"/table/{game.ref}/{one}", user) for one in more
    ]


def plain(path: str, user: User | None, before: str = "") -> Shown:
    """A page that is there without any game."""
    return Shown(before + (path.replace("/", "-") or "home"), f"/{path}/".replace("//", "/"), user)


def act_path(row: Decision) -> str:
    """The page behind the link in the mail."""
    return decision_links.act_url(row).removeprefix(settings.SITE_URL)


def around() -> list[Shown]:
    """What there is without a game, and tables that wait for theirs."""
    who, now = People(), timezone.now()
    anna, david = who.anna, who.david
    waiting = who.table("A table with quite a long title that goes on and on", "aladdins-dragons", start=False)
    invitation = invitations.invite(game_id=waiting.pk, host=anna, address="somebody.else@example.org", now=now)
    table_talk.say(game_id=waiting.pk, user=anna, text=SCRIPT, now=now)
    full = who.table("Full table", "cave-of-wonders", start=False, guests=2)
    closed = who.table("Closed table", "cave-of-wonders", start=False)
    lifecycle.close(game_id=closed.pk, host=anna, now=now)
    hook = webhooks.create(
        user=anna, wanted=WebhookSettings("https://hooks.example.org/one", name="My program"), now=now
    )
    Browser().subscribe(anna.recipient)
    lesson = practice.begin_lesson(user=david, rules_name="aladdins-dragons", now=now)
    told = practice.begin_lesson(user=david, rules_name="cave-of-wonders", now=now)
    answer(told, waits_for(told, david), now)
    signed_out = ["", "tables", "tables/new", "rules", "learn", "by-mail", "accounts/login", "accounts/login/code"]
    signed_out += ["accounts/signup", *(f"rules/{rules.name}" for rules in newest())]
    own = ["", "my-games", "tables", "tables/new", "learn", "settings", "settings/mail", "settings/mail/told"]
    own += ["settings/webhooks", "accounts/logout"]
    new = ["", "my-games", "settings/mail/told", "settings/webhooks"]
    return [
        *(plain(path, None, "out-") for path in signed_out),
        *(plain(path, anna) for path in own),
        *(plain(path, david, "new-") for path in new),
        Shown("webhook", f"/settings/webhooks/{hook.ref}/", anna),
        Shown("offline", "/offline/", None),
        Shown("player", f"/player/{who.ben.ref}/", anna),
        Shown("new-table-cave", "/tables/new/?game=cave-of-wonders", anna),
        Shown("nothing-found", "/no-such-page/", None, 404),
        Shown("join", table_links.join_url(waiting).removeprefix(settings.SITE_URL), david),
        Shown("invitation", table_links.invitation_url(invitation).removeprefix(settings.SITE_URL), None),
        *of_table(waiting, anna, "webhooks/", name="waiting-host"),
        *of_table(waiting, who.ben, name="waiting-guest"),
        *of_table(full, anna),
        *of_table(closed, anna),
        *of_table(lesson, david, name="lesson"),
        *of_table(told, david, name="lesson-told"),
        *(plain(f"learn/{rules.name}/puzzle", None) for rules in newest()),
        Shown("solved", "/learn/aladdins-dragons/puzzle/?answer=caravanserai", david),
    ]


def dragons() -> list[Shown]:
    """Aladdin's Dragons while it is played."""
    who = People()
    anna, ben = who.anna, who.ben
    rules = "aladdins-dragons"
    start = who.table("Basic start", rules, options=BASIC)
    hour = timezone.now() + timedelta(days=2)
    pauses.agree_on_hour(game_id=start.pk, seat=seat_of(start, anna).number, starts_at=hour, now=timezone.now())
    placing = play_until(who.table("Placing", rules, options=BASIC, guests=2), asked(anna, "place", after="r1"))
    for text in ("Good luck!", SCRIPT, RIGHT_TO_LEFT, "long" * 60):
        table_talk.say(game_id=placing.pk, user=anna, text=text, now=timezone.now())
    table_talk.keep_note(game=placing, user=anna, text="Ben likes the market.", now=timezone.now())
    member = Client()
    member.force_login(anna)
    member.post(reverse("add_order", args=[placing.ref]), NINE)
    buying = play_until(who.table("Buying", rules, options=BASIC), asked(anna, "buy", "bribe"))
    planned = who.table("Sheet", rules, options=MAGIC | {"tally": "plan"}, proposals="on")
    sheet = play_until(planned, asked(anna, "sheet", after="r1"))
    wave = {"tokens_per_turn": "8", "placing": "waves"}
    waves = play_until(who.table("Waves", rules, options=BASIC | wave), asked(anna, "place"))
    window = play_until(who.table("Magic", rules, options=MAGIC), asked(anna, "window", after="r1-window-start"))
    away = play_until(who.table("Away", rules, options=BASIC), asked(anna, "place"))
    absences.make_absent(seat_of(away, anna), waits_for(away, anna), timezone.now())
    spent = next(one for one in placing.decisions.select_related("game", "seat__user") if not one.is_open)
    return [
        Shown("my-games-busy", "/my-games/", anna),
        Shown("tables-to-watch", "/tables/", None),
        Shown("hour-asked", _path(table_links.seat_url("agree_to_hour", seat_of(start, ben))), None),
        *of_table(start, anna),
        *of_table(
            placing,
            anna,
            "?log=all",
            "history/",
            "tally/",
            "orders/",
            "orders/?kind=place",
            "mail/",
            "care/",
            "verify/",
        ),
        *of_table(placing, ben, name="placing-others-turn"),
        *of_table(buying, anna),
        *of_table(sheet, anna),
        *of_table(waves, anna),
        *of_table(window, anna),
        *of_table(away, anna),
        Shown("link-placing", act_path(waits_for(placing, anna)), None),
        Shown("link-sheet", act_path(waits_for(sheet, anna)), None),
        Shown("link-buying", act_path(waits_for(buying, anna)), None),
        Shown("link-spent", act_path(spent), None),
        Shown("link-wrong", act_path(spent)[:-3] + "xx/", None, 404),
    ]


def cave_and_ends() -> list[Shown]:
    """The Cave of Wonders, and how games end."""
    who = People()
    anna = who.anna
    cave = who.table("Cave", "cave-of-wonders", seat_count=4, guests=2)
    cave = play_until(cave, lambda row: row.seat.user_id == anna.pk and fresh(row.game).seq > MIDWAY)
    cave_over = play_until(who.table("Cave over", "cave-of-wonders"), never)
    store(cave_over, seat_of(cave_over, anna).number, timezone.now())
    over = play_until(who.table("Dragons over", "aladdins-dragons", options=BASIC | {"tokens_per_turn": "8"}), never)
    return [
        *of_table(cave, anna, "history/", "orders/"),
        Shown("link-cave", act_path(waits_for(cave, anna)), None),
        *of_table(cave_over, anna, "statistics/", "review/", "verify/", "history/?step=9"),
        *of_table(over, anna, "statistics/", "tally/", "verify/"),
        Shown("my-games-over", "/my-games/", anna),
        Shown("player-anna", f"/player/{anna.ref}/", who.ben),
    ]


def tournaments() -> list[Shown]:
    """Tournaments at every stage, and bots with a match."""
    who = People()
    anna, ben = who.anna, who.ben
    fresh_cup = cups.open_cup(anna, "A tournament with quite a long title that goes on and on", allows_bots=True)
    cups.enter_all(fresh_cup, [ben, who.carla])
    cup = cups.running_cup(anna, [anna, ben, who.carla, *cups.crowd(4)])
    off = cups.open_cup(ben, "Nobody came")
    hosting.call_off(tournament_id=off.pk, by=ben, reason="Too few of us have time in spring.", now=timezone.now())
    now = timezone.now()
    robo = bot_accounts.create(owner=anna, name="Robo", is_for_all=True, now=now)
    bot_accounts.set_terms(bot=robo, takes_paces=["live", "daily"], takes_seat_counts=[2, 3], takes_games=4)
    for bot in (robo, bot_accounts.create(owner=ben, name="Ada", is_for_all=True, now=now)):
        bot_accounts.renew_token(bot=bot, now=now)
    plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=3)
    match = matches.open_match(owner=anna, plan=plan, now=now)
    matches.step_one(now)
    return [
        Shown("bots", "/bots/?game=cave-of-wonders", None),
        Shown("bot", f"/settings/bots/{robo.ref}/", anna),
        plain("matches/new", anna),
        Shown("match", f"/match/{match.ref}/", anna),
        plain("tournaments", None, "out-"),
        plain("tournaments/new", anna),
        Shown("cup-open-host", f"/tournament/{fresh_cup.ref}/", anna),
        Shown("cup-open-out", f"/tournament/{fresh_cup.ref}/", None),
        Shown("cup-running-host", f"/tournament/{cup.ref}/", anna),
        Shown("cup-called-off", f"/tournament/{off.ref}/", ben),
        Shown("my-games-cups", "/my-games/", ben),
        Shown("lobby-cups", "/tables/", ben),
        *of_table(cups.game_of(cup, ben), ben, name="cup-table"),
    ]


def acquainted() -> list[Shown]:
    """Friends, clubs and profiles."""
    who, now = People(), timezone.now()
    anna, ben, carla, david = who.anna, who.ben, who.carla, who.david
    acquaintances.well_known(anna, ben, carla)
    club = acquaintances.club_of(anna, ben, carla)
    acquaintances.befriend(anna, carla)
    asked = friends.ask(user=ben, other=anna, now=now)
    friends.ask(user=anna, other=david, now=now)
    row = club_invitations.invite(club=club, by=anna, address="eva@example.org", now=now)
    alone = clubs.found(user=david, name="Alone", now=now)
    blocks.block(by=ben.recipient, other=david, now=now)
    table = club.games.get(status="open")
    lifecycle.join(game_id=table.pk, user=ben, now=now)
    for speaker, text in ((anna, "Who brings the lamp?"), (ben, "Not me, and you'd lose it anyway.")):
        table_talk.say(game_id=table.pk, user=speaker, text=text, now=now)
    blocks.block(by=carla.recipient, other=ben, now=now)
    return [
        Shown("people", "/people/", anna),
        Shown("club-owner", f"/club/{club.ref}/", anna),
        Shown("club-webhooks", f"/club/{club.ref}/webhooks/", anna),
        Shown("club-member", f"/club/{club.ref}/", ben),
        Shown("club-alone", f"/club/{alone.ref}/", david),
        Shown("club-invited", _path(club_invitations.invitation_url(row)), None),
        Shown("friend-request", _path(friends.friend_request_url(asked)), None),
        Shown("blocked", "/settings/blocked/", ben),
        Shown("block", f"/player/{anna.ref}/block/", ben),
        Shown("talk-folded", f"/table/{table.ref}/", carla),
        Shown("block-undo", f"/player/{david.ref}/block/", ben),
        Shown("player-seen", f"/player/{anna.ref}/", carla),
        Shown("new-table-people", f"/tables/new/?club={club.ref}&with={carla.ref}", anna),
    ]


def _path(url: str) -> str:
    return "/" + url.split("/", 3)[3]


ROOMS = {
    "around": around,
    "dragons": dragons,
    "cave": cave_and_ends,
    "tournaments": tournaments,
    "acquainted": acquainted,
}
