"""The rules alone: random playouts beside other engines written in Python, and what one call costs."""

from collections.abc import Callable
from random import Random
from typing import Any

import chess
import pyspiel
from open_spiel.python import games  # noqa: F401 - registers the games written in Python

from engine.registry import AnyRules, newest
from games.templatetags import games_tags  # noqa: F401 - the board's template uses its filters
from tests.bench.measuring import Contestant, take_turns
from tests.bench.report import Goal, heading, note, rate_lines, ratio_line, time_line
from tests.engine.playing import seed_of

ROUNDS = 5
CALLS = 300  # of one function in a turn
SPIEL = ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_dynamic_routing")
RULES: dict[str, AnyRules] = {rules.name: rules for rules in newest()}
GAMES: dict[str, tuple[AnyRules, int, dict[str, str]]] = {
    "Aladdin's Dragons, magic, 4 seats": (RULES["aladdins-dragons"], 4, {"version": "magic"}),
    "Aladdin's Dragons, basic, 4 seats": (RULES["aladdins-dragons"], 4, {"version": "basic"}),
    "Cave of Wonders, 3 seats": (RULES["cave-of-wonders"], 3, {}),
}


def run() -> None:
    """Prints the part."""
    playouts()
    calls()


def playouts() -> None:
    """Whole random games, played in place (P6)."""
    heading("Random playouts, moves a second, in place")
    ours = [Contestant(name, _many(_player(*game), 2 if game[1] == 4 else 30)) for name, game in GAMES.items()]
    peer = Contestant("python-chess, with its end test", _many(play_chess, 8))
    spiels = [Contestant(f"OpenSpiel, {name}", _many(_spiel_player(name), 60)) for name in SPIEL]
    again = take_turns([*ours, peer, *spiels], ROUNDS)
    rate_lines([*ours, peer, *spiels], "moves/s")
    magic, basic, cave = ours
    ratio_line(magic, peer, Goal("P6", least=0.5))
    ratio_line(basic, peer)
    ratio_line(cave, peer, Goal("P6", least=1.0))
    note(f"{ROUNDS} rounds, {again} disturbed turns taken again")


def _many(play: Callable[[int], int], times: int) -> Callable[[int], float]:
    return lambda number: sum(play(number * times + time) for time in range(times))


def _player(rules: AnyRules, seats: int, options: dict[str, str]) -> Callable[[int], int]:
    return lambda number: play_out(rules, seats, options, number)


def play_out(rules: AnyRules, seats: int, options: dict[str, str], number: int) -> int:
    """A random game to its end; returns the number of moves."""
    random, moves = Random(number), 0
    state, _ = rules.new(seats, options, seed_of(number))
    while rules.outcome(state) is None:
        decision = next((decision for decision in rules.decisions(state) if decision.prompted), None)
        if decision is None:
            rules.cross(state)
        else:
            rules.play(state, decision.seat, rules.draw(state, decision, random))
            moves += 1
    return moves


def play_chess(number: int) -> int:
    """A random game of chess to its end; returns the number of moves."""
    random, board = Random(number), chess.Board()
    while not board.is_game_over():
        board.push(random.choice(list(board.legal_moves)))
    return len(board.move_stack)


def _spiel_player(name: str) -> Callable[[int], int]:
    game = pyspiel.load_game(name)

    def play(number: int) -> int:
        random, state, moves = Random(number), game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_simultaneous_node():
                state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(game.num_players())])
            else:
                state.apply_action(random.choice(state.legal_actions()))
            moves += 1
        return moves

    return play


def calls() -> None:
    """What one call costs in the middle of a game (P7, P8)."""
    for name, (rules, seats, options) in GAMES.items():
        heading(f"One call in the middle of a game: {name}")
        state = middle(rules, seats, options)
        contestants = {title: Contestant(title, _repeat(call)) for title, call in _calls(rules, state, seats).items()}
        take_turns(list(contestants.values()), ROUNDS)
        goals = {
            "apply, copying": Goal("P7", most=150),
            "view of a seat": Goal("P8", most=200),
            "board as text": Goal("P8", most=500),
            "board as SVG": Goal("P8", most=5000),
        }
        for title, contestant in contestants.items():
            time_line(contestant, goals.get(title))
        size = len(rules.dump(state))
        note(f"state: {size:,} bytes of JSON  {Goal('P7', most=8192).verdict(size)}")


def middle(rules: AnyRules, seats: int, options: dict[str, str]) -> Any:
    """A state half way through a random game, at a decision that is not sealed."""
    half = play_out(rules, seats, options, 5) // 2
    random = Random(5)
    state, _ = rules.new(seats, options, seed_of(5))
    for moves in range(10 * half):
        asked = [decision for decision in rules.decisions(state) if decision.prompted]
        if not asked:
            rules.cross(state)
        elif moves >= half and not asked[0].sealed:
            return state
        else:
            rules.play(state, asked[0].seat, rules.draw(state, asked[0], random))
    raise AssertionError


def _calls(rules: AnyRules, state: Any, seats: int) -> dict[str, Callable[[], Any]]:
    from games.play import pictures
    from games.tables import boards

    decision = next(decision for decision in rules.decisions(state) if decision.prompted)
    action = rules.draw(state, decision, Random(1))
    names = ["Anna", "Ben", "Carla", "David", "Eva"][:seats]
    view, dumped = rules.view(state, decision.seat), rules.dump(state)
    svg = boards.svg(rules.name, rules.picture(view, "en", names), is_plain=True)
    return {
        "apply, copying": lambda: rules.apply(state, decision.id, decision.seat, action),
        "view of a seat": lambda: rules.view(state, decision.seat),
        "board as text": lambda: rules.describe(view, "en", names),
        "board as SVG": lambda: boards.svg(rules.name, rules.picture(view, "en", names)),
        "board as PNG, 400 pixels": lambda: pictures.encode(pictures.draw(svg, 400)),
        "board as PNG, 800 pixels": lambda: pictures.encode(pictures.draw(svg, 800)),
        "state to JSON": lambda: rules.dump(state),
        "JSON to state": lambda: rules.load(dumped),
    }


def _repeat(call: Callable[[], Any]) -> Callable[[int], float]:
    def turn(_: int) -> float:
        for _call in range(CALLS):
            call()
        return CALLS

    return turn
