"""Whole games in a real browser, several people side by side: by keyboard, without scripts, at 320 px, in Spanish, and
with the network lost now and then. They know of the game what the page offers, and nothing else."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from games.lobby import lifecycle
from games.models import Game
from games.tables.settings import TablePlan
from tests.browser.conftest import PATIENCE, PHONE
from tests.browser.gallery import play_until
from tests.browser.person import Keys, Mouse, Person, play
from tests.browser.test_table import session_of
from tests.games.conftest import fresh, make_user, settle

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALL = {"width": 320, "height": 640}
DESK = {"width": 1280, "height": 900}
FAST = {"version": "basic", "tokens_per_turn": "8", "placing": "waves", "tally": "plan"}
MAGIC = {"version": "magic"}
LATE = "r8-"
LONG_PATIENCE = 5 * PATIENCE  # five browsers side by side wait for each other
AT_LENGTH = 400  # times that everybody looks

KEYBOARD = {"hand": Keys(), "viewport": DESK}
NO_SCRIPTS = {"has_scripts": False}
NARROW = {"viewport": SMALL, "color_scheme": "dark"}
SPANISH = {"language": "es", "locale": "es-ES"}
UNDERGROUND = {"loses_network": 4}
KIM = {"name": "Kim"} | KEYBOARD
NOA = {"name": "Noa"} | NO_SCRIPTS
LIV = {"name": "Liv"} | NARROW
EVA = {"name": "Eva"} | SPANISH | UNDERGROUND
PIA = {"name": "Pía"} | KEYBOARD | NARROW | SPANISH
TIM = {"name": "Tim"} | UNDERGROUND | NARROW


class Room:
    """A table with people in browsers of their own around it."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.people: list[Person] = []

    def sit_down(self, ways: list[dict], *, after: str = "", **plan: object) -> Game:
        """Opens a table, sits everybody down and begins.

        Arguments:
            after: bots play for everybody up to a round of that name.
        """
        now = timezone.now()
        users = [make_user(way["name"]) for way in ways]
        bots = tuple(plan.pop("bots", ()))
        wish = {"title": "Thursday", "seat_count": len(users) + len(bots), "bots": bots} | plan
        game = lifecycle.open_table(host=users[0], plan=TablePlan(**wish), now=now)
        for user in users[1:]:
            lifecycle.join(game_id=game.pk, user=user, now=now)
        lifecycle.start(game_id=game.pk, host=users[0], now=now)
        settle(timezone.now())
        if after:
            play_until(game, lambda row: row.code.startswith(after))
        for user, way in zip(users, ways, strict=True):
            self._enter(game, user, **way)
        return fresh(game)

    def _enter(self, game, user, *, name, language="en", hand=None, has_scripts=True, loses_network=0, **screen):
        user.recipient.language = language
        user.recipient.save()
        context = self.browser.new_context(java_script_enabled=has_scripts, **({"viewport": PHONE} | screen))
        context.set_default_timeout(LONG_PATIENCE)
        context.add_cookies([{"name": "session", "value": session_of(user), "url": self.address}])
        self.people.append(
            Person(
                name=name,
                context=context,
                table=f"{self.address}/table/{game.ref}/",
                seed=game.seat_count,
                hand=hand or Mouse(),
                has_scripts=has_scripts,
                loses_network=loses_network,
            )
        )

    def leave(self) -> None:
        """Closes the browsers."""
        for person in self.people:
            person.context.close()


@pytest.fixture
def room(browser, live_server) -> Iterator[Room]:
    """Where they play."""
    made = Room(browser, live_server.url)
    yield made
    made.leave()


def go_on() -> None:
    """The service does what is due."""
    settle(timezone.now())


def play_to_the_end(room: Room, game: Game) -> None:
    """The game ends, with the same winners on every page, and no browser found fault with any."""
    play(room.people, go_on, lambda: all(person.is_over for person in room.people), most=AT_LENGTH)
    game = fresh(game)
    assert game.status == Game.Status.FINISHED
    assert len({person.winners for person in room.people}) == 1
    nobody_found_fault(room)


def nobody_found_fault(room: Room) -> None:
    """Everybody had something to do, and no page was too wide, broken or without a word it needs."""
    assert {person.name: person.faults for person in room.people if person.faults} == {}
    assert all(person.answers for person in room.people)


@pytest.mark.slow
@pytest.mark.long
def test_a_round_of_the_dragons_with_the_keyboard_in_spanish_on_a_narrow_screen_and_without_scripts(room):
    game = room.sit_down([PIA, NOA], bots=("greedy",), rules_name="aladdins-dragons", options=FAST)
    play(room.people, go_on, lambda: game.decisions.filter(code__startswith="r2-").exists(), most=AT_LENGTH)
    for person, words in zip(room.people, ("Ronda 2", "Round 2"), strict=True):
        go_on()
        person.look()
        assert words in person.page.locator("#state").text_content()
        assert person.page.locator("form.answer").count() > 0
    nobody_found_fault(room)


@pytest.mark.slow
@pytest.mark.marathon  # in every run a game of a package is played to its end by thumb (test_table.py)
def test_the_cave_with_the_keyboard_and_without_scripts(room):
    play_to_the_end(room, room.sit_down([KIM, NOA], rules_name="cave-of-wonders"))


@pytest.mark.marathon
def test_the_last_rounds_of_the_dragons_on_a_narrow_screen_and_in_spanish_underground(room):
    plan = {"bots": ("greedy",), "rules_name": "aladdins-dragons", "options": FAST}
    play_to_the_end(room, room.sit_down([LIV, EVA], after=LATE, **plan))


@pytest.mark.marathon
def test_the_dragons_on_a_narrow_screen_and_in_spanish_underground(room):
    play_to_the_end(room, room.sit_down([LIV, EVA], bots=("greedy",), rules_name="aladdins-dragons", options=FAST))


@pytest.mark.marathon
def test_the_cave_with_four(room):
    play_to_the_end(room, room.sit_down([LIV, EVA, KIM, NOA], rules_name="cave-of-wonders"))


@pytest.mark.marathon
def test_the_dragons_with_five(room):
    play_to_the_end(room, room.sit_down([NOA, KIM, EVA, LIV, TIM], rules_name="aladdins-dragons", options=FAST))


@pytest.mark.marathon
def test_the_magic_version_with_three(room):
    play_to_the_end(room, room.sit_down([KIM, EVA, NOA], rules_name="aladdins-dragons", options=FAST | MAGIC))
