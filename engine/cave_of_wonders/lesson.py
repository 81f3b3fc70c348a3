"""The first turns with a beginner: what each step says, what his move has brought, and a puzzle."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from engine.cave_of_wonders import events, flow
from engine.cave_of_wonders.events import Event
from engine.cave_of_wonders.facts import SQUARES, Token, square_of
from engine.cave_of_wonders.flow import Board, lay_out
from engine.cave_of_wonders.model import CaveToken, MoveAladdin, Moving, PlacingGenie, SeenToken, State, TurnOver, View
from engine.cave_of_wonders.questions import open_gains, open_landings
from engine.cave_of_wonders.scoring import gains_at, landings
from engine.cave_of_wonders.views import view
from engine.core import Answer, JsonObject, Seat, Text
from engine.core.games import copied
from engine.core.lessons import LessonPage, OpenSteps, PuzzleAnswer

# What a turn has brought, from its events.

EXPLAINED = ("number", "row", "column", "trio", "sorcerer", "carpet")  # parts of points
WORTH_SAYING = 2  # points by which a move may miss the best one


def last_turn(seen: Sequence[Event], me: Seat) -> list[Event]:
    """The events of the latest turn of this seat."""
    turns: list[list[Event]] = []
    for event in seen:
        if isinstance(event, events.RollRevealed) and not event.again:
            turns.append([])
        if turns:
            turns[-1].append(event)
    return next((turn for turn in reversed(turns) if getattr(turn[0], "seat", None) == me), [])


def parts_before(seen: Sequence[Event], me: Seat, turn: Sequence[Event]) -> set[str]:
    """Returns what this seat has had points for before its latest turn, which is explained no more."""
    placed = [event for event in seen if isinstance(event, events.TokenPlaced) and event.seat == me]
    return {part for event in placed if event not in turn for part in event.points}


def own_turn(turn: Sequence[Event], explained_before: Collection[str] = ()) -> list[Text]:
    """How the beginner went, and what each token brought.

    Arguments:
        explained_before: parts of points that have been explained.
    """
    texts: list[Text] = []
    roll, went, took, explained = 0, "", "lesson-took", set(explained_before)
    for event in turn:
        match event:
            case events.RollRevealed(_, _, roll, again):
                went = "lesson-again" if again else "lesson-went"
            case events.AladdinMoved(_, origin, to, flew):
                texts.append(Text("lesson-flew" if flew else went, {"roll": roll, "origin": origin, "to": to}))
            case events.TokenRevealed():
                took = "lesson-turned"
            case events.TokenPlaced(_, token, square, points, score):
                texts.append(_took(token, took, square, points, score))
                took = "lesson-took"
                texts += [Text(f"lesson-part-{part}") for part in EXPLAINED if part in points and part not in explained]
                explained |= set(points)
    return texts


def _took(token: Token, code: str, square: str, points: Mapping[str, int], score: int) -> Text:
    params: JsonObject = {"parts": {"parts": dict(points)}, "score": {"points": score}}
    if token.character == "genie":
        return Text("lesson-took-genie", {**params, "square": {"square": square}})
    return Text(code, {**params, "token": token.param})


def other_turn(turn: Sequence[Event]) -> list[Text]:
    """Returns what another player took."""
    texts: list[Text] = []
    space = ""
    for event in turn:
        match event:
            case events.AladdinMoved(_, _, space):
                pass
            case events.TokenPlaced(seat, token, _, points, score):
                params: JsonObject = {"seat": {"seat": seat}, "token": token.param, "space": space}
                code = "lesson-other-genie" if token.character == "genie" else "lesson-other-took"
                texts.append(Text(code, {**params, "parts": {"parts": points}, "score": {"points": score}}))
    return texts


def better(view: View, turn: Sequence[Event]) -> list[Text]:
    """Where the same roll would have brought more; nothing of a turn with several tokens, or one that lay face down."""
    match turn:
        case [
            events.RollRevealed(_, seat, roll),
            events.AladdinMoved(_, origin, to),
            events.TokenPlaced(_, token, square, points),
        ]:
            lying = SeenToken(token.kind, face_up=True, number=token.number, character=token.character)
            board = {**view.boards[seat], square: view.boards[seat][square][:-1]}
            boards = [board if owner == seat else other for owner, other in enumerate(view.boards)]
            before = replace(view, spaces={**view.spaces, to: lying}, boards=boards, aladdin=origin)
            reach = landings(before.spaces, origin, roll, full_distance=view.full_distance)
            open_to = [space for space in reach if (seen_token := before.spaces[space]) and seen_token.face_up]
            gains = gains_at(before, seat, open_to)
            best = max(gains, key=gains.__getitem__)
            if gains[best] - sum(points.values()) >= WORTH_SAYING:
                return [Text("lesson-better", {"space": best, "gain": {"gain": gains[best]}})]
    return []


# A roll of 2 in a cave that lies open: which landing brings most is found out by playing them.

ME = 0
ALADDIN, ROLL = "E5", 2
OWN = [Token("ruby", 1), Token("ruby", 2), Token("ruby", 3), Token("ruby", 5), Token("topaz", 1), Token("sapphire", 1)]
CAVE = {
    "E6": Token("ruby", 4), "E7": Token("topaz", 5),
    "F5": Token("topaz", 3), "G5": Token("emerald", 1),
    "F4": Token("sapphire", 2), "G3": Token("emerald", 4),
    "E4": Token("sapphire", 3), "E3": Token("ruby", 5, "sorcerer"),
    "C3": Token("topaz", 2), "B2": Token("ruby", 4),
    "D5": Token("emerald", 3), "C5": Token("ruby", 3, "princess"),
}  # fmt: skip


def position() -> State:
    """A row of rubies lacks its 4."""
    state = lay_out(2, {}, "00" * 32, 1).state
    state.start, state.turn, state.favourites, state.aladdin = ME, 1, ["ruby", "topaz"], ALADDIN
    state.spaces = dict.fromkeys(state.spaces)
    state.spaces |= {space: CaveToken(token, face_up=True) for space, token in CAVE.items()}
    for token in OWN:
        state.boards[ME][square_of(token)].append(token)
    state.scores = [17, 15]
    state.frame = Moving(ROLL)
    return state


def seen() -> View:
    """Returns what you see of it."""
    return view(position(), ME)


def choices() -> list[tuple[str, Text]]:
    """Where Aladdin may land."""
    return [(space, Text("lesson-choice", {"space": space, "token": token.param})) for space, token in _reach().items()]


def _reach() -> dict[str, Token]:
    state = position()
    reach = {space: state.spaces[space] for space in landings(state.spaces, ALADDIN, ROLL, full_distance=False)}
    return {space: lying.token for space, lying in reach.items() if lying}


def solve(choice: str) -> PuzzleAnswer:
    """Goes there; right is what brings most."""
    start = position()
    scores: dict[str, int] = {}
    said: list[Text] = []
    for space in _reach():
        board = Board(copied(start))
        flow.answer(board, ME, MoveAladdin(space))
        scores[space] = board.state.scores[ME]
        if space == choice:
            said = own_turn(board.events)[1:]  # without the way
    is_right = scores[choice] == max(scores.values())
    return PuzzleAnswer(is_right, said if is_right else [*said, Text("lesson-less")])


# The first turns of a game of two, in steps: three of the beginner's and two of the other, and a puzzle.

# By turn of the game: the step at which it is played (of the other's: none), and the one at which it is explained.
STEPS = {1: (1, 2), 2: (3, 3), 3: (4, 5), 4: (6, 6), 5: (7, 8)}
EXTRAS = {"carpet": Text("lesson-carpet"), "genie": Text("lesson-genie")}  # by kind of decision
FIRST_MOVE, FIRST_TOLD, FIRST_OTHER, SECOND_MOVE, LAST_TOLD = 1, 2, 3, 4, 8


class CaveLesson:
    """See `engine.core.lessons.Lesson`."""

    about = Text("lesson-about")
    options: Mapping[str, str] = {}
    seed = f"{0x2C:064x}"  # the beginner begins, and finds a carpet in his second turn
    opening: Mapping[str, Answer] = {}
    lead: Sequence[Answer] = ()
    steps = 9
    after = Text("lesson-after")
    ask = Text("lesson-puzzle")

    def span(self, view: View, answered: Sequence[str]) -> OpenSteps:
        """Nothing happens that is not read before it goes on."""
        if view.outcome is not None or view.turn not in STEPS:
            return OpenSteps(self.steps, self.steps)
        step = STEPS[view.turn][isinstance(view.frame, TurnOver)]
        return OpenSteps(step, step)

    def is_held(self, view: View) -> bool:
        """At the end of each of these turns."""
        return view.turn in STEPS and isinstance(view.frame, TurnOver)

    def page(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        """A move of the beginner, or what has come of one."""
        assert view.seat is not None
        if not self.is_held(view):
            return self._move(step, view)
        turn = last_turn(seen, view.active)
        if view.active != view.seat:
            text = [Text("lesson-from-there", {"space": view.aladdin})] if step == FIRST_OTHER else []
            return LessonPage(Text("lesson-title-others"), other_turn(turn), text, [view.aladdin])
        score = {"totals": {"totals": [list(pair) for pair in enumerate(view.scores)]}}
        after = {FIRST_TOLD: Text("lesson-stands", {"space": view.aladdin}), LAST_TOLD: Text("lesson-score", score)}
        explained = parts_before(seen, view.seat, turn)
        brought = [*own_turn(turn, explained), *better(view, turn)]
        return LessonPage(Text("lesson-title-brought"), brought, [after[step]] if step in after else [], [view.aladdin])

    def _move(self, step: int, view: View) -> LessonPage:
        if view.seat is None or not view.questions:
            return LessonPage(Text("lesson-title-others"), [], [])
        kind = view.questions[0].decision.kind
        if kind in EXTRAS:
            return LessonPage(Text("lesson-title-move"), [], [EXTRAS[kind]], _best(view))
        reach = open_landings(view)
        gains = gains_at(view, view.seat, [space for space in reach if _lies_open(view, space)])
        most = max(gains.values(), default=0)
        roll = {"roll": getattr(view.frame, "roll", 0)}
        if step == FIRST_MOVE:
            kinds = {"kinds": {"kinds": view.favourites[view.seat]}}
            text = [Text("lesson-aim"), Text("lesson-favourite", kinds), Text("lesson-move", roll)]
        else:
            later = Text("lesson-plan" if step == SECOND_MOVE else "lesson-characters")
            text = [*([] if view.taken else [later]), Text("lesson-move-on", roll)]
        if most > 0:
            text.append(Text("lesson-most", {"most": {"points": most}}))
        return LessonPage(Text("lesson-title-move"), [], text, list(reach))

    def puzzle(self) -> tuple[View, list[tuple[str, Text]]]:
        """A roll of 2, and where it leads."""
        return seen(), choices()

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays the move."""
        return solve(choice)


def _best(view: View) -> list[str]:
    """The spaces or squares that bring most at once; for a genie that brings nothing at once an empty square."""
    gains = open_gains(view)
    if max(gains.values()) > 0 or not isinstance(view.frame, PlacingGenie):
        return [place for place, gain in gains.items() if gain == max(gains.values())]
    board = view.boards[view.active]
    filled = [square.split("-") for square in SQUARES if board[square]]

    def in_line(square: str) -> int:
        """How many squares of its row and its column are filled."""
        kind, number = square.split("-")
        return sum(other_kind == kind or other_number == number for other_kind, other_number in filled)

    return [max((square for square in gains if not board[square]), key=in_line)]


def _lies_open(view: View, space: str) -> bool:
    token = view.spaces[space]
    return token is not None and token.face_up
