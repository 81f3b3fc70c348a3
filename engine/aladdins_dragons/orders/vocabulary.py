"""What Aladdin's Dragons offers for standing orders; see `engine.orders.vocabulary.Vocabulary`."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from engine.aladdins_dragons import magic_questions, questions, waves
from engine.aladdins_dragons.board.facts import GUARD
from engine.aladdins_dragons.board.magic_events import CardPlayed
from engine.aladdins_dragons.board.model import Boundary, Placing, Play, Purchase, StartingTreasures, State, Window
from engine.aladdins_dragons.board.view_model import View
from engine.aladdins_dragons.cards.deck import get_card
from engine.aladdins_dragons.orders import facts
from engine.aladdins_dragons.orders.fields import own_world, space_options
from engine.aladdins_dragons.orders.kinds import MAKERS, has_two_ranks, order_kinds, with_token
from engine.core import ActionForm, Answer, Decision, Option, Question, Seat, Text
from engine.orders.model import Entry, Order
from engine.orders.vocabulary import Gathering, OrderKind, Vocabulary


class DragonsVocabulary(Vocabulary[State, View]):
    """Methods as in `Vocabulary`."""

    quiet: Mapping[str, Entry] = {"window": {"type": "pass"}}  # never changed
    brings: Mapping[str, str] = {"place": "place"}  # never changed
    gathers = True
    weighs = frozenset({"window", "declare", "bribe", "buy"})
    about_plays = frozenset({facts.SHOWN, facts.HITS})

    def kinds(self, view: View) -> list[OrderKind]:
        """The decisions of this version; the treasures of the beginning are chosen before any order can be given."""
        return order_kinds(view)

    def facts(self, view: View) -> list[ActionForm]:
        """Tokens, strengths, treasure, guard, camel, round and what has just been shown."""
        return facts.facts(view)

    def holds(self, view: View, fact: Entry, topic: str) -> bool | None:
        """Is it so, as far as the seat can see?"""
        return facts.holds(view, fact, topic)

    def answer(self, view: View, question: Question, entry: Entry) -> Answer | None:
        """The exact answer, or None if there is none. The question still decides whether it is legal."""
        make = MAKERS.get(entry["type"])
        return entry if make is None else make(view, question, entry)

    def topic(self, shown: View | State, decision: Decision) -> str:
        """The space, or which window."""
        frame = shown.agenda[-1] if shown.agenda else None
        if decision.kind in ("window", "buy") and isinstance(frame, Window | Purchase):
            return frame.where if isinstance(frame, Window) else frame.room
        return ""

    def player_of(self, event: object) -> Seat | None:
        """Every card that is declared, artifact or spell."""
        return event.seat if isinstance(event, CardPlayed) else None

    def touched(self, before: View, after: State, event: object, seat: Seat) -> Iterable[str]:
        """What the card says, and the place of the window in which it can be answered."""
        if not isinstance(event, CardPlayed):
            return ()
        play = Play(event.seat, event.card, dict(event.targets))
        touched = list(get_card(event.card).touches(before, play, seat))
        window = next((frame for frame in reversed(after.agenda) if isinstance(frame, Window)), None)
        return [*touched, window.where] if touched and window else touched

    def period(self, shown: View | State) -> int:
        """The round."""
        return shown.round

    def lapse(self, view: View, decision: Decision) -> Entry | None:
        """Windows are passed. At the guard only who has tokens there is asked: a stop elsewhere would show a Key."""
        if decision.kind == "bribe" and not facts.own(view, GUARD):
            return {"type": "stay_out"}
        return self.quiet.get(decision.kind)

    def ahead(self, shown: View | State, topic: str) -> list[Option]:
        """The spaces that are tallied later in this round."""
        ahead = [space for space in shown.spaces if not topic or facts.is_before(topic, space)]
        return space_options(ahead)

    def before(self, place: str) -> Entry:
        """The fact that the space has not been reached yet."""
        return {"type": facts.BEFORE, "space": place}

    def gathering(self, view: View) -> Gathering | None:
        """Where the table plans: a sheet as the round begins, a plan before the tally, and one after each play then."""
        frame = view.agenda[-2 if self.gathers_beside(view) else -1] if view.agenda else None
        if not view.is_planned or not isinstance(frame, Boundary):
            return None
        plan, seats, number = f"{view.round_id}-plan", view.sequence(), {"round": view.round}
        if frame.after == "start":
            title = Text("ask-sheet", number)
            return Gathering(f"{view.round_id}-sheet", "sheet", seats, title, next=plan, has_windows=view.has_magic)
        if frame.after == "placing":
            hint = Text("hint-plan-key") if view.has_magic else None
            return Gathering(plan, "plan", seats, Text("ask-plan", number), hint, has_windows=view.has_magic)
        if frame.after == "shown":
            window = next(frame for frame in reversed(view.agenda) if isinstance(frame, Window))
            title = Text("ask-plan-again", {**number, "plays": magic_questions.shown(window)})
            return Gathering(f"{plan}-{window.number}", "plan", seats, title, Text("hint-plan-key"), is_again=True)
        return None

    def gathers_beside(self, shown: View | State) -> bool:
        """Treasures are chosen beside the first sheet."""
        match shown.agenda:
            case [*_, Boundary("start"), StartingTreasures()]:
                return shown.outcome is None
        return False

    def written(self, view: View, kind: str) -> list[OrderKind]:
        """All for a sheet, which may be a plan, too; for a plan all but placing; with a placement what follows it."""
        if view.seat is None:
            return []
        placing, *tally = self.kinds(view)
        if kind == "plan":
            return tally
        if kind != "place":
            return [placing, *tally]
        further = replace(placing, lines=placing.lines - 1)
        later = [] if view.is_planned else [one for one in tally if one.name not in self.quiet]
        return [further, *later]  # where plans are asked they will be, and then with more to go by

    def foresee(self, view: View, kind: str) -> Question | None:
        """The next placement, as long as the seat has tokens to place this round."""
        placing = next((frame for frame in view.agenda if isinstance(frame, Placing)), None)
        if kind != "place" or placing is None or view.seat is None or not view.hand:
            return None
        state = waves.as_seen(own_world(view), view.seat)
        state.agenda.append(Placing(view.seat))
        decision = Decision(f"{view.round_id}-place-{view.seat}-{view.turns[view.seat] + 1}", view.seat, "place")
        return questions.question(state, decision)

    def after(self, view: View, action: Answer) -> View | None:
        """With the token placed; everything else depends on what others do."""
        return with_token(view, action["token"], action["space"]) if action["type"] == "place" else None

    def contradiction(self, view: View, orders: Sequence[Order]) -> Text | None:
        """A token can be placed once a round: two orders for it must not both come to pass. No kind has two ranks."""
        for number, order in enumerate(orders, start=1):
            if any(has_two_ranks(answer) for answer in order.answers):
                return Text("order-kind-twice", {"number": number})
        named: dict[int, int] = {}
        for number, order in enumerate(orders, start=1):
            tokens = [answer["token"] for answer in order.answers if answer["type"] == "place"]
            if order.kind != "place" or order.conditions or len(order.answers) != 1 or not tokens:
                continue
            if tokens[0] in named:
                return Text("order-token-twice", {"first": named[tokens[0]], "second": number})
            named[tokens[0]] = number
        return None
