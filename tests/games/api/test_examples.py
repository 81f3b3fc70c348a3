"""Every example of a request in the OpenAPI description is sent to the service, which accepts it.

Each operation has a scene in which it can be done; the examples are sent as they are, and the scene gives the parts of
the path alone.
"""

import datetime as dt
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from games.api.access import ReadThrottle
from games.clubs import invitations as club_invitations
from games.clubs.models import Club
from games.lobby import bot_accounts, hosting, invitations, lifecycle, puzzles
from games.models import Game, Move, User
from games.moderation import people, reports, tables
from games.people import friends, staff
from games.play import absences, game_moves, locking, table_talk
from games.tables import webhooks
from games.tables.settings import TablePlan, agreed_of
from games.tournaments import matches, tournaments
from games.tournaments.models import Entrant, Tournament
from notifications.clock import present
from notifications.models import DeliveryState, Endpoint
from tests.games.api.conftest import Program
from tests.games.api.playing import abandoned
from tests.games.clubs.founding import found
from tests.games.conftest import answer, cave_of_three, deliveries, new_table, open_rows, seat_of
from tests.games.tournaments.conftest import create_bot, enter_many
from tests.games.tournaments.conftest import plan as cup_plan

pytestmark = pytest.mark.slow
WHY = "The harbour is closed."
Path = dict[str, object]


@pytest.fixture(autouse=True)
def reviews_are_made(settings: Any) -> None:
    settings.REVIEW_SECONDS = 1


@dataclass
class World:
    """Everybody, a table before its game, a game in its first placements; Anna hosts both."""

    anna: User
    ben: User
    carla: User
    david: User
    eva: User
    table: Game
    placing: Game
    now: dt.datetime

    @property
    def first(self) -> User:
        """Whose placement it is."""
        user = open_rows(self.placing)[0].seat.user
        assert user is not None
        return user

    def at_table(self) -> Path:
        """The table before its game."""
        return {"ref": self.table.ref}

    def in_game(self) -> Path:
        """The running game."""
        return {"ref": self.placing.ref}

    def alone(self) -> Path:
        """Nothing."""
        return {}

    def sit(self, *guests: User) -> Path:
        """The table with these guests."""
        for guest in guests:
            lifecycle.join(game_id=self.table.pk, user=guest, now=self.now)
        return self.at_table()

    def invited(self, host: User | None = None, address: str = "anna@example.org") -> Path:
        """An invitation."""
        table = new_table(self.ben, self.now)
        row = invitations.invite(game_id=table.pk, host=self.ben, address=address, now=self.now)
        return {"ref": row.ref}

    def changed(self) -> Path:
        """The table with Ben, after Anna has changed it."""
        path = self.sit(self.ben)
        wanted = {**agreed_of(self.table), "pace": "brisk"}
        plan = TablePlan(title="", rules_name=self.table.rules_name, **wanted)
        hosting.change_settings(game_id=self.table.pk, host=self.anna, plan=plan, now=self.now)
        return path

    def asked_to_host(self) -> Path:
        """Ben's table, where Anna is asked to be the host."""
        table = new_table(self.ben, self.now)
        lifecycle.join(game_id=table.pk, user=self.anna, now=self.now)
        return {"ref": hosting.offer_role(game_id=table.pk, host=self.ben, seat=1, now=self.now).ref}

    def preset(self) -> Path:
        """A preset of Anna's."""
        return {"ref": hosting.save_preset(owner=self.anna, name="Club", game=self.table, now=self.now).ref}

    def known_table(self) -> Path:
        """Anna's table under the reference of the examples."""
        Game.objects.filter(pk=self.table.pk).update(ref="k3v9pq2mzt7a")
        return self.alone()

    def question(self) -> Path:
        """The first placement."""
        return self.in_game() | {"code": open_rows(self.placing)[0].code}

    def seat(self, user: User | None = None, *, is_absent: bool = False) -> Path:
        """A seat of the running game, Ben's if nobody is named."""
        seat = seat_of(self.placing, user or self.ben)
        if is_absent:
            absences.leave(seat, self.now)
        return self.in_game() | {"number": seat.number}

    def cup(self) -> Path:
        """A tournament that Anna has entered."""
        wanted = cup_plan(self.now)
        row = tournaments.open_tournament(host=self.ben, plan=wanted, now=self.now)
        tournaments.enter(tournament_id=row.pk, user=self.anna, now=self.now)
        return {"ref": row.ref}

    def own_cup(self, entrants: int = 0) -> Path:
        """A tournament of Anna's, in which bots may play, and that Ben owns one."""
        row = tournaments.open_tournament(host=self.anna, plan=cup_plan(self.now, allows_bots=True), now=self.now)
        create_bot(owner=self.ben, name="Robo", is_for_all=True, now=self.now)
        enter_many(row, entrants, self.now)
        return {"ref": row.ref, "number": 1}

    def round(self) -> Path:
        """A round of Anna's tournament."""
        path = self.own_cup(entrants=6)
        tournaments.start_now(tournament_id=Tournament.objects.get().pk, by=self.anna, now=self.now)
        return path

    def last_one(self) -> Path:
        """A game from which all others have resigned."""
        for user in (self.ben, self.carla):
            number = seat_of(self.placing, user).number
            game_moves.resign(game_id=self.placing.pk, seat=number, actor=user, source=Move.Source.WEB, now=self.now)
        return self.in_game()

    def over(self) -> Path:
        """A finished game."""
        return {"ref": abandoned(cave_of_three(self.now), self.now).ref}

    def line_of_ben(self) -> Path:
        """A line of talk of somebody else."""
        row = table_talk.say(game_id=self.placing.pk, user=self.ben, text="Hello", now=self.now)
        return self.in_game() | {"comment_ref": row.ref}

    def bots(self) -> Path:
        """Anna's bot, and one of Ben's that everybody may seat."""
        for owner, name in ((self.anna, "Robo"), (self.ben, "Ada")):
            bot = bot_accounts.create(owner=owner, name=name, is_for_all=owner == self.ben, now=self.now)
            bot_accounts.renew_token(bot=bot, now=self.now)
        return {}

    def match(self) -> Path:
        """A match of Anna's."""
        self.bots()
        plan = matches.MatchPlan(rules_name="cave-of-wonders", bots=["Robo", "Ada"], games=1)
        return {"ref": matches.open_match(owner=self.anna, plan=plan, now=self.now).ref}

    def bot(self) -> Path:
        """A bot of Anna's."""
        return {"ref": bot_accounts.create(owner=self.anna, name="Other", is_for_all=False, now=self.now).ref}

    def webhook(self) -> Path:
        """A webhook of Anna's."""
        wanted = webhooks.WebhookSettings(url="https://hooks.example.org/x", name="", shape="auto", events=None)
        return {"ref": webhooks.create(user=self.anna, wanted=wanted, now=self.now).ref}

    def call(self, message_id: str = "msg_2NqXwVfRk8aM4tYc") -> Path:
        """A webhook to which a message was sent."""
        path = self.webhook()
        endpoint = Endpoint.objects.get()
        webhooks.ping(endpoint=endpoint, now=self.now)
        row = deliveries().get(endpoint=endpoint)
        deliveries().filter(pk=row.pk).update(state=DeliveryState.FAILED, message_id=message_id, attempt_after=None)
        return path | {"message_id": message_id}

    def paused(self) -> Path:
        """A game that a moderator has paused."""
        tables.pause(game=self.placing, by=self.eva, reason=WHY, now=self.now)
        return self.in_game()

    def broken(self) -> Path:
        """A game in quarantine."""
        locking.quarantine(self.placing.pk, self.now)
        return self.in_game()

    def played(self) -> Path:
        """A game with a step."""
        answer(self.placing, open_rows(self.placing)[0], self.now)
        return self.in_game() | {"number": 1}

    def others_turn(self) -> Path:
        """The running game, where it isn't the host whom it waits for."""
        row = open_rows(self.placing)[0]
        if row.seat.user == self.anna:
            answer(self.placing, row, self.now)
        return self.in_game()

    def report(self) -> Path:
        """A report of Anna's."""
        return {"ref": reports.file_report(game=self.placing, by=self.anna, text="He shouts.", now=self.now).ref}

    def given_up(self) -> Path:
        """A message that was given up."""
        row = deliveries().filter(channel="mail")[0]
        deliveries().filter(pk=row.pk).update(state=DeliveryState.QUARANTINED, attempt_after=None)
        return {"message_id": row.message_id.strip("<>").partition("@")[0]}

    def person(self) -> Path:
        """Ben."""
        return {"ref": self.ben.ref}

    def absent(self, number: int) -> Path:
        """The running game, where that seat is absent."""
        absences.leave(self.placing.seats.select_related("game", "user").get(number=number), self.now)
        return self.in_game()

    def silenced(self) -> Path:
        """Ben, who may not speak."""
        people.mute(user=self.ben, by=self.eva, reason=WHY, now=self.now, until=self.now + dt.timedelta(days=2))
        return self.person()

    def closed_out(self) -> Path:
        """Ben, whose account is closed."""
        people.suspend(user=self.ben, by=self.eva, reason=WHY, now=self.now)
        return self.person()

    def stranger(self) -> Path:
        """Somebody of the reference that examples name."""
        User.objects.filter(pk=self.carla.pk).update(ref="m4x8wq2hzc6r")
        return {}

    def asked(self, user: User | None = None) -> Path:
        """Anna's request to be friends, or Ben's to her."""
        asker, other = (self.anna, self.ben) if user is None else (user, self.anna)
        return {"ref": friends.ask(user=asker, other=other, now=self.now).ref}

    def club(self) -> Path:
        """A club of Anna's, of which the one that examples name is a member."""
        self.stranger()
        return {"ref": found(self.anna, self.carla).ref}

    def club_of_ben(self) -> Path:
        """A club of Ben's, with the way in."""
        club = found(self.ben)
        return {"ref": club.ref, "token": club_invitations.join_url(club).rsplit("/", 2)[1]}

    def hidden(self, hide: Callable[..., object], **what: object) -> Path:
        """A club or a tournament that is hidden."""
        hide(by=self.eva, reason=WHY, now=self.now, **what)
        row = Club.objects.first() or Tournament.objects.get()
        return {"ref": row.ref}

    def puzzle(self) -> Path:
        """That of the day, and its first choice."""
        puzzle = puzzles.opened(puzzles.of_day(puzzles.today(self.now)))
        return {"ref": "today", "answer": puzzles.words_of(puzzle, puzzles.names_of(puzzle, "Anna")).choices[0][0]}

    def off(self) -> Path:
        """A webhook that is switched off."""
        path = self.webhook()
        webhooks.switch(endpoint=Endpoint.objects.get(), is_on=False, now=self.now)
        return path


Scene = Callable[[World], Path]
HOST: dict[str, Scene] = {
    **dict.fromkeys(
        ["open_table", "change_me", "change_address", "make_bot", "renew_calendar", "change_hours", "change_mail",
         "reopen_address", "snooze_mail", "send_test_mail", "plan_vacation", "make_webhook", "import_record"],
        World.alone),
    **dict.fromkeys(["invite", "seat_bot"], World.at_table),
    **dict.fromkeys(
        ["wish_end", "come_back", "change_table_mail", "snooze_table", "keep_note", "nudge",
         "give_orders", "wish_pause", "report", "resign", "choose_steward", "say", "make_table_webhook",
         "mark_talk_read", "seek_successor", "wish_for_absent", "agree_on_hour"],
        World.in_game),
    "extend_deadlines": World.others_turn,
    **dict.fromkeys(["switch_bot", "change_bot", "change_bot_takes", "renew_bot_token"], World.bot),
    "open_match": World.bots,
    **dict.fromkeys(["ping_webhook", "renew_webhook_secret", "switch_webhook", "change_webhook"], World.webhook),
    **dict.fromkeys(["enter_tournament", "report_tournament"], World.cup),
    **dict.fromkeys(["accept_invitation", "decline_invitation", "block_inviter"], World.invited),
    "open_tournament": World.alone,
    "enter_bot": World.own_cup,
    "start_tournament": lambda world: world.own_cup(entrants=6),
    "end_round": World.round,
    "call_off_tournament": World.own_cup,
    "change_settings": World.at_table,
    "save_preset": World.known_table,
    "rename_preset": World.preset,
    "offer_host_role": lambda world: world.sit(world.ben),
    "take_host_role": World.in_game,
    **dict.fromkeys(["accept_host_role", "decline_host_role"], World.asked_to_host),
    "begin_lesson": lambda world: {"name": "aladdins-dragons"},
    "solve_puzzle": World.puzzle,
    "start_game": lambda world: world.sit(world.ben, world.carla),
    "replace_player": lambda world: world.seat(is_absent=True),
    "end_game": World.last_one,
    **dict.fromkeys(["play_again", "play_on"], World.over),
    "request_review": World.over,
    "verify_game": World.over,
    "block_author": World.line_of_ben,
    "block_player": World.stranger,
    "send_webhook_again": World.call,
    "found_club": World.alone,
    "make_club_webhook": World.club,
    "make_tournament_webhook": World.own_cup,
    "ask_friend": World.stranger,
    **dict.fromkeys(["accept_friend", "decline_friend"], lambda world: world.asked(world.ben)),
    **dict.fromkeys(["change_club", "invite_to_club", "hand_over_club", "report_club"], World.club),
    "join_club": World.club_of_ben,
}  # fmt: skip
"""By operation: what Anna does, and where."""

OUTSIDER: dict[str, Scene] = {
    "join_table": World.at_table,
    "take_seat": lambda world: world.seat(is_absent=True),
}
"""What David does."""
FIRST: dict[str, Scene] = {"answer_decision": World.question}
"""What does whose placement it is."""
GUEST: dict[str, Scene] = {
    "agree_settings": World.changed,
}
"""What Ben does."""
MODERATOR: dict[str, Scene] = {
    **dict.fromkeys(
        ["cancel", "extend", "force", "to_bot", "mail_again", "nudge", "note", "pause", "replace", "look"],
        World.in_game),
    **dict.fromkeys(["mute", "suspend", "warn", "note_person"], World.person),
    **dict.fromkeys(["roll_back", "sandbox"], World.played),
    "give_back": lambda world: world.absent(1),
    "unmute": World.silenced,
    "release": World.broken,
    "resume": World.paused,
    "try_again": lambda world: {"ref": world.given_up()["message_id"]},
    "lift": World.closed_out,
    "settle": World.report,
    "resend": World.call,
    "hook_off": World.webhook,
    "hook_on": World.off,
    **dict.fromkeys(["call_off", "hide_cup"], World.cup),
    "hide_club": World.club,
    "show_club": lambda world: world.hidden(reports.hide_club, club=Club.objects.get(ref=world.club()["ref"])),
    "show_cup": lambda world: world.hidden(
        reports.set_tournament_hidden, tournament_id=Tournament.objects.get(ref=world.cup()["ref"]).pk, is_hidden=True),
    "take_out": lambda world: world.cup() | {"entrant": Entrant.objects.get().ref},
}  # fmt: skip
"""What Eva does, by act."""


@pytest.fixture
def world(
    anna: User, ben: User, carla: User, david: User, table: Game, placing: Game, now: dt.datetime
) -> Iterator[World]:
    with present.going_by(lambda: now):
        eva = staff.make_moderator("eva@example.org")
        eva.user_permissions.add(Permission.objects.get(codename="look_at_hands"))
        Game.objects.update(is_listed=True, absent_seats=Game.AbsentSeats.TAKEOVER, proposals=Game.Proposals.ON)
        yield World(anna, ben, carla, david, eva, table, placing, now)


def test_every_example_of_a_request_is_accepted(world: World) -> None:
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # it has no types
    by = {"anna": HOST, "david": OUTSIDER, "ben": GUEST, "first": FIRST}
    scenes = {name: (who, scene) for who, some in by.items() for name, scene in some.items()}
    scenes |= {f"moderate: {act}": ("eva", scene) for act, scene in MODERATOR.items()}
    examples = {}
    for path, methods in schema["paths"].items():
        for method, one in methods.items():
            content = one.get("requestBody", {}).get("content", {}).get("application/json", {})
            if "example" in content:
                examples[one["operationId"]] = (path, method, content["example"])
            for named in content.get("examples", ()):
                example = schema["components"]["examples"][named]["value"]
                examples[f"moderate: {example['act']}"] = (path, method, example)
    assert set(scenes) == set(examples)
    refused = {}
    for name, (path, method, example) in examples.items():
        who, scene = scenes[name]
        ReadThrottle.cache.clear()
        with transaction.atomic():
            user = getattr(world, who)
            program = Program.with_scopes(user, "play", "account", *(["moderate"] if who == "eva" else []))
            there = scene(world)
            address, body = path.format(**there), example
            if name == "solve_puzzle" or "act" in example:
                body = example | {name: there[name] for name in example if name in there}
            response = getattr(Client(), method)(
                address, json.dumps(body), content_type="application/json", headers=program.headers
            )
            if response.status_code >= 300:
                refused[name] = (example, response.content)
            transaction.set_rollback(True)
    assert refused == {}
