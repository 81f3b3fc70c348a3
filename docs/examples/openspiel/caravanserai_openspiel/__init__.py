"""Games of OpenSpiel as tables: each that is played in turns or at once, by two to five, with a text for its board.

OpenSpiel says who moves, what is legal and who has won. A state here is the list of what has been played, from which
OpenSpiel's own state is made again; dice and cards come from the seed that the table has committed to. Where a game
hides something, its information-state strings say what a seat knows; a world that looks like it is found by playing
all that could have been played, up to where a string differs.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import Any, TypeAlias

import msgspec
import pyspiel

from engine.base import Action, AskedSeats, BaseEvent, BaseRules, BaseState, BaseView, GameWords, Shown
from engine.core import Seat, Text
from engine.core.language import _
from engine.core.rng import Rng

USUAL = "chess hex(board_size=7) connect_four breakthrough goofspiel leduc_poker liars_dice tic_tac_toe"
"""Offered, unless the environment's OPENSPIEL_GAMES names others, in OpenSpiel's notation with spaces between them."""

MOST_SEATS = 5
CHANCE = pyspiel.PlayerId.CHANCE
FINE = 1 << 53  # steps into which chance is cut
FEN = re.compile(r"(?:[a-zA-Z1-9]{1,9}/){7}[a-zA-Z1-9]{1,9}")

Step: TypeAlias = list[int]
"""One action, or one of each player, played at once."""


class Choose(Action, frozen=True, tag="choose"):
    """Plays one of the legal actions, by its number in OpenSpiel."""

    move: int


class Table(msgspec.Struct):
    """What everybody sees.

    Arguments:
        played: all that was played, where nothing is hidden; else empty.
        actors: who acted in each step, as OpenSpiel numbers them; -1 for chance, -2 for all at once.
        board: the board as text, where nothing is hidden or the game is over.
        returns: points by player, once the game is over.
    """

    played: list[Step]
    actors: list[int]
    board: str
    returns: list[int]


class Hand(msgspec.Struct):
    """What one seat has been told: OpenSpiel's information-state string after each step."""

    told: list[str]


class Hidden(msgspec.Struct):
    """All that was played."""

    steps: list[Step]


class Played(BaseEvent, frozen=True, says={"played": _("{seat}: {move}")}):
    """A move that everybody sees."""

    seat: Seat
    move: str


class PlayedUnseen(BaseEvent, frozen=True, says={"unseen": _("{seat} has moved."), "played": _("{seat}: {move}")}):
    """A move in a game that hides something: the move is its seat's, and each seat sees what it is told of it.

    Arguments:
        told: by seat; null for others.
    """

    seat: Seat
    move: str | None
    told: list[str | None]

    @property
    def code(self) -> str:
        """Only the seat itself reads what it has done."""
        return "played" if self.move else "unseen"


class BidsRevealed(BaseEvent, frozen=True, says={"played": _("{seat}: {move}")}):
    """A move of those that all have made at once."""

    seat: Seat
    move: str


class ChanceRevealed(BaseEvent, frozen=True):
    """Dice have fallen or cards were dealt; what a seat learns of it, its board says."""


class BoardRevealed(BaseEvent, frozen=True):
    """The game is over, and all of it lies open."""

    board: str


State: TypeAlias = BaseState[Table, Hand, Hidden]
View: TypeAlias = BaseView[Table, Hand]


class OpenSpielGame(BaseRules[Table, Hand, Hidden, Choose]):
    """The rules of one game of OpenSpiel; a class is made for each."""

    notation = ""
    events = (Played, PlayedUnseen, BidsRevealed, ChanceRevealed, BoardRevealed)
    shows_points = False
    sentences = {
        "about": _("A game of OpenSpiel, Google DeepMind's collection of games for research."),
        "do-choose": _("Play"),
        "field-move": _("Move"),
        "known": _("What you know:"),
        "won": _("{seat} wins."),
        "words-choose": _("play"),
    }

    def __init__(self) -> None:
        super().__init__()
        self.games: dict[int, Any] = {seats: _load(self.notation, seats) for seats in self.seat_counts}
        kind = next(iter(self.games.values())).get_type()
        self.is_open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION

    # OpenSpiel's state

    @lru_cache(maxsize=256)  # noqa: B019  # the rules live as long as the process
    def _made(self, seats: int, steps: tuple[tuple[int, ...], ...]) -> Any:
        """OpenSpiel's state after these steps. Not to be changed."""
        if not steps:
            return self.games[seats].new_initial_state()
        return _after(self._made(seats, steps[:-1]), steps[-1])

    def spiel(self, state: State) -> Any:
        """OpenSpiel's state. Not to be changed."""
        return self._made(state.seats, tuple(map(tuple, state.hidden.steps)))

    def _take(self, state: State, step: Sequence[int]) -> None:
        """Plays a step, and puts down what everybody sees and each seat is told."""
        actor = self.spiel(state).current_player()
        state.hidden.steps.append([*step])
        state.table.actors.append(int(actor))
        now = self.spiel(state)
        if self.is_open:
            state.table.played.append([*step])
        else:
            for seat, hand in enumerate(state.hands):
                hand.told.append(_told(now, _player(state, seat)))
        if self.is_open or now.is_terminal():
            state.table.board = _board(now)
        if now.is_terminal():
            returns = now.returns()
            state.table.returns = [round(returns[_player(state, seat)]) for seat in range(state.seats)]

    def _draw(self, state: State) -> Iterator[BaseEvent]:
        """Lets chance act, from the committed seed, until a player does; shows all where the game is over."""
        drawn = False
        while (now := self.spiel(state)).is_chance_node():
            outcomes = now.chance_outcomes()
            reached = accumulate(share for _action, share in outcomes)
            point = state.rng.below(FINE) / FINE
            place = next((index for index, end in enumerate(reached) if point < end), -1)
            self._take(state, [outcomes[place][0]])
            drawn = True
        if drawn:
            yield ChanceRevealed()
        if now.is_terminal():
            yield BoardRevealed(state.table.board)

    # The game

    def lay_out(self, seats: int, options: Mapping[str, str], rng: Rng) -> Table:
        """Nothing has been played."""
        return Table([], [], "", [0] * seats)

    def deal(self, state: State) -> None:
        """Chance may act before anybody does."""
        state.hidden, state.hands = Hidden([]), [Hand([]) for _seat in range(state.seats)]
        if self.is_open:
            state.table.board = _board(self.spiel(state))
        for _event in self._draw(state):
            pass

    def asks(self, state: State) -> AskedSeats:
        """Whoever OpenSpiel says is next; all, where they act at once."""
        now = self.spiel(state)
        if now.is_simultaneous_node():
            able = [seat for seat in range(state.seats) if now.legal_actions(_player(state, seat))]
            return AskedSeats("move", able, sealed=True)
        return AskedSeats("move", [(now.current_player() + state.start) % state.seats])

    def moves(self, state: State, seat: Seat) -> list[Choose]:
        """The legal actions."""
        return [Choose(action) for action in self.spiel(state).legal_actions(_player(state, seat))]

    def _name(self, state: State, seat: Seat, move: int) -> str:
        said = self.spiel(state).action_to_string(_player(state, seat), move)
        return re.sub(r"^\[P\d+\]\s*", "", said)

    def label(self, state: State, action: Choose, field: str) -> Text:
        """What OpenSpiel calls the action."""
        now = self.spiel(state)
        player = max(0, now.current_player())
        return Text("value", {"value": self._name(state, (player + state.start) % state.seats, action.move)})

    def act(self, state: State, seat: Seat, action: Choose) -> Iterator[BaseEvent]:
        """Plays the action, and lets chance act after it."""
        move = self._name(state, seat, action.move)
        self._take(state, [action.move])
        if self.is_open:
            yield Played(seat, move)
        else:
            yield PlayedUnseen(seat, move, [hand.told[-1] for hand in state.hands])
        yield from self._draw(state)

    def reveal(self, state: State, answers: Mapping[Seat, Choose]) -> Iterator[BaseEvent]:
        """Plays all actions at once; players who have none are said to do nothing."""
        names = {seat: self._name(state, seat, answer.move) for seat, answer in answers.items()}
        given = {_player(state, seat): answer.move for seat, answer in answers.items()}
        self._take(state, [given.get(player, 0) for player in range(state.seats)])
        for seat, name in names.items():
            yield BidsRevealed(seat, name)
        yield from self._draw(state)

    def is_over(self, state: State) -> bool:
        """OpenSpiel says so."""
        return bool(self.spiel(state).is_terminal())

    def scores(self, shown: Shown[Table, Hand, Hidden]) -> list[int]:
        """The returns, once there are any."""
        return shown.table.returns

    # What is seen

    def imagine(self, state: State, view: View, random: Random) -> None:
        """Finds steps that the viewer could not tell from those that were played."""
        if self.is_open:
            state.hidden, state.hands = Hidden(view.table.played), [Hand([]) for _seat in range(view.seats)]
            return
        told = view.hand.told if view.hand is not None else []
        player = None if view.seat is None else _player(view, view.seat)
        start = self._made(view.seats, ())
        found = _find(start, view.table, told, player, random, is_over=view.outcome is not None)
        assert found is not None, "nothing that could have been played looks like this"
        state.hidden, state.hands = Hidden(found), [Hand([]) for _seat in range(view.seats)]
        for count in range(1, len(found) + 1):
            now = self._made(view.seats, tuple(map(tuple, found[:count])))
            for seat, hand in enumerate(state.hands):
                hand.told.append(_told(now, _player(view, seat)))

    def reshuffle(self, state: State) -> None:
        """What chance has done is seen by somebody; what it will do comes from the seed."""

    def game_redact(self, event: BaseEvent, seat: Seat | None) -> BaseEvent:
        """Of a move in a game that hides something each seat sees what it was told, and its own moves."""
        if not isinstance(event, PlayedUnseen):
            return event
        told = [own if owner == seat else None for owner, own in enumerate(event.told)]
        return PlayedUnseen(event.seat, event.move if event.seat == seat else None, told)

    def tell(self, view: View, words: GameWords) -> list[str]:
        """The board as OpenSpiel writes it; of a game that hides something what the seat has been told."""
        if view.table.board:
            return view.table.board.splitlines()
        if view.hand is None or not view.hand.told:
            return []
        return [words.sentence("known"), *re.sub(r"\]\s*\[", "]\n[", view.hand.told[-1]).splitlines()]


def _load(notation: str, seats: int) -> Any:
    """A game of OpenSpiel with so many players. Raises pyspiel.SpielError."""
    game = pyspiel.load_game(notation)
    if game.num_players() == seats:
        return game
    parameters = {**game.get_parameters(), "players": seats}
    return pyspiel.load_game(notation.partition("(")[0], parameters)


def _after(spiel: Any, step: Sequence[int]) -> Any:
    own = spiel.clone()
    if own.is_simultaneous_node():
        own.apply_actions(list(step))
    else:
        own.apply_action(step[0])
    return own


def _player(shown: Shown[Table, Hand, Hidden], seat: Seat) -> int:
    """The number of a seat in OpenSpiel."""
    return (seat - shown.start) % shown.seats


def _told(spiel: Any, player: int) -> str:
    """What a player knows; where chance acts some games do not say, and nobody is asked."""
    return "" if spiel.is_chance_node() else str(spiel.information_state_string(player))


def _board(spiel: Any) -> str:
    """The board as text; one that is written as chess players do, row by row."""
    text = str(spiel)
    if not FEN.match(text):
        return text.rstrip()
    rows = text.split(" ", 1)[0].split("/")
    plain = [re.sub(r"\d", lambda digit: "." * int(digit[0]), row) for row in rows]
    return "\n".join([*(f"{8 - place} {' '.join(row)}" for place, row in enumerate(plain)), "  a b c d e f g h"])


def _find(
    spiel: Any, table: Table, told: Sequence[str], player: int | None, random: Random, *, is_over: bool, depth: int = 0
) -> list[Step] | None:
    """The rest of a game in which the same players act and this one is told the same, at random; None if there is none.

    Arguments:
        told: what the player was told after each step; a spectator was told nothing.
        is_over: the game has ended, and its board is known.
    """
    if depth == len(table.actors):
        fits = spiel.is_terminal() == is_over and not spiel.is_chance_node()
        return [] if fits and (not is_over or _board(spiel) == table.board) else None
    if spiel.is_terminal() or int(spiel.current_player()) != table.actors[depth]:
        return None
    actions = (
        [action for action, _share in spiel.chance_outcomes()] if spiel.is_chance_node() else spiel.legal_actions()
    )
    for action in random.sample(actions, len(actions)):
        following = _after(spiel, [action])
        if player is not None and _told(following, player) != told[depth]:
            continue
        rest = _find(following, table, told, player, random, is_over=is_over, depth=depth + 1)
        if rest is not None:
            return [[action], *rest]
    return None


def offer(notation: str) -> OpenSpielGame:
    """The rules of a game of OpenSpiel, such as "hex(board_size=7)".

    Raises ValueError for a game that is not played in turns or at once, by two to five, or hides what it does not tell.
    """
    kind = pyspiel.load_game(notation).get_type()
    is_at_once = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    is_open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD or not (is_open or kind.provides_information_state_string):
        raise ValueError(f"{notation} is not played in turns or at once, or does not say what a player knows")
    if is_at_once and not is_open:
        raise ValueError(f"{notation} is played at once and hides something beside the moves")
    counts = tuple(seats for seats in range(2, MOST_SEATS + 1) if kind.min_num_players <= seats <= kind.max_num_players)
    if not counts:
        raise ValueError(f"{notation} is not for two to five")
    members = {
        "name": f"openspiel-{kind.short_name.replace('_', '-')}",
        "notation": notation,
        "seat_counts": counts,
        "sentences": {**OpenSpielGame.sentences, "title": kind.long_name},
    }
    made: OpenSpielGame = type("OpenSpielGame", (OpenSpielGame,), {**members, "__module__": __name__})()
    return made


GAMES = tuple(offer(notation) for notation in os.environ.get("OPENSPIEL_GAMES", USUAL).split())
"""The games, as the entry point offers them."""
