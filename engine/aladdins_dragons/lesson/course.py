"""The first round of the basic version, in steps: eight tokens, the four parts of the tally, a puzzle."""

from collections.abc import Mapping, Sequence

from engine.aladdins_dragons.board import events, model
from engine.aladdins_dragons.board.events import Event
from engine.aladdins_dragons.board.facts import CAVES, GUARD, rooms
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.lesson import puzzle
from engine.aladdins_dragons.lesson.aims import aim, last_placed, own_tokens
from engine.aladdins_dragons.lesson.told import OwnTally
from engine.core import Answer, Text
from engine.core.lessons import LessonPage, OpenSteps, PuzzleAnswer

PLACES = ("cave", "room", "guard", "second-cave", "market", "camel", "free", "last")  # the steps before the tally
PARTS = ("caves", "city", "palace", "rooms")
STARTING = {"crown": 2, "pearl": 1}
FIRST_PART = len(PLACES) + 1
PART_OF = {"market": "city", "camel": "city", "bribe": "palace", "buy": "rooms"}  # by kind of decision
PART_AT = {model.Market: "city", model.Camel: "city", model.Bribes: "palace"}  # by what the game waits for


class DragonsLesson:
    """See `engine.core.lessons.Lesson`."""

    about = Text("lesson-about")
    options: Mapping[str, str] = {"version": "basic", "tally": "step"}
    seed = f"{0x20:064x}"  # the camel is with a bot, the guard is a 7, and who follows the hints buys an artifact
    opening: Mapping[str, Answer] = {"take_treasures": {"type": "take_treasures", "amounts": STARTING}}
    steps = len(PLACES) + len(PARTS) + 1
    after = Text("lesson-after")
    ask = Text("lesson-puzzle")

    def span(self, view: View, answered: Sequence[str]) -> OpenSteps:
        """Before the tally one step for each token; in it from the part that the last answer belonged to."""
        last = self._last(view, answered)
        part = PART_OF.get(answered[-1], "caves") if answered else "caves"
        return OpenSteps(min(last, FIRST_PART + PARTS.index(part)) if FIRST_PART <= last < self.steps else last, last)

    def _last(self, view: View, answered: Sequence[str]) -> int:
        if view.round > 1 or view.outcome is not None:
            return self.steps
        frame = view.agenda[-1]
        if view.round == 0 or isinstance(frame, model.Placing) or frame == model.Boundary("placing"):
            return min(answered.count("place") + 1, len(PLACES))
        return FIRST_PART + PARTS.index(PART_AT.get(type(frame), "rooms"))

    def is_held(self, view: View) -> bool:
        """At the end of the first round, when all tokens lie open."""
        return view.round == 1 and view.agenda[-1] == model.Boundary("round")

    def page(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        """A token to place, or a part of the tally."""
        if step < FIRST_PART:
            return self._placing(step, view, seen)
        assert view.seat is not None
        tally = OwnTally(view.seat, _since_placing(seen), STARTING)
        part = PARTS[step - FIRST_PART]
        told, text, spaces = self._part(part, tally, view)
        lit = [space for space in spaces if own_tokens(view, space)]
        return LessonPage(Text(f"lesson-title-{part}"), told, [*text, *_asked(view, tally, part)], lit)

    def _placing(self, step: int, view: View, seen: Sequence[Event]) -> LessonPage:
        place = PLACES[step - 1]
        mine = [event for event in seen if isinstance(event, events.TokenPlaced) and event.seat == view.seat]
        told = last_placed(view, mine[-1].space, mine[-1].value or 0) if mine else []
        if not view.round or not view.hand:  # the others are at it
            return LessonPage(Text(f"lesson-title-{place}"), told, [])
        token, spaces = aim(step, view)
        at = {"at": spaces[0]}
        codes = {"last": "lesson-free", "camel": "lesson-camel-mine" if view.camel == view.seat else "lesson-camel"}
        text = [Text(codes.get(place, f"lesson-{place}"), {"at": at, "seat": {"seat": view.camel}})]
        if step == 1:
            text.insert(0, Text("lesson-aim", {"amounts": {"amounts": STARTING}}))
        text.append(Text("lesson-tap", {"token": token}))
        return LessonPage(Text(f"lesson-title-{place}"), told, text, [str(token), *spaces])

    def _part(self, part: str, tally: OwnTally, view: View) -> tuple[list[Text], list[Text], Sequence[str]]:
        match part:
            case "caves":
                return [Text("lesson-caves-rule"), *tally.caves()], [], CAVES
            case "city":
                return [Text("lesson-city-rule"), *tally.city()], [], ("market", "caravanserai")
            case "palace":
                return tally.palace(), [] if _kinds(view, part) else [tally.others()], (GUARD, *rooms(view.seats))
        score = {"totals": {"totals": [list(pair) for pair in enumerate(view.artifact_counts)]}}
        after = [Text("lesson-score", score)] if self.is_held(view) else []
        return [Text("lesson-rooms-rule"), *tally.rooms()], after, rooms(view.seats)

    def puzzle(self) -> tuple[View, list[tuple[str, Text]]]:
        """One token, and four spaces for it."""
        return puzzle.seen(), puzzle.choices()

    def solve(self, choice: str) -> PuzzleAnswer:
        """Plays the round to its end."""
        return puzzle.solve(choice)


def _asked(view: View, tally: OwnTally, part: str) -> list[Text]:
    """What is worth knowing for the question that is open to the beginner in this part."""
    frame = view.agenda[-1]
    room = frame.room if isinstance(frame, model.Purchase) else ""
    params = {"missing": tally.missing(), **({"at": {"at": room}} if room else {})}
    return [
        *(_needed(view) if part == "city" else []),
        *(Text(f"lesson-ask-{kind}", params) for kind in _kinds(view, part)),
    ]


def _needed(view: View) -> list[Text]:
    """At the market, what the beginner's tokens in the rooms cost, and what he has."""
    if not isinstance(view.agenda[-1], model.Market) or view.seat is None:
        return []
    rows = {room: own_tokens(view, room) for room in rooms(view.seats)}
    amounts = {"amounts": {"amounts": view.hoards[view.seat]}}
    return [
        Text("lesson-need", {"at": {"at": room}, "own": {"sum": row}, **amounts}) for room, row in rows.items() if row
    ]


def _kinds(view: View, part: str) -> list[str]:
    """The decisions of this part that are open to the beginner."""
    return [one.decision.kind for one in view.questions if PART_OF.get(one.decision.kind) == part]


def _since_placing(seen: Sequence[Event]) -> Sequence[Event]:
    """The events of the tally."""
    return seen[next(place for place, event in enumerate(seen) if isinstance(event, events.PlacingEnded)) :]
