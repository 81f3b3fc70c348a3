"""GOPS, the Game of Pure Strategy: all bid a card for each prize, in secret and at once; the highest takes it."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TypeAlias

import msgspec

from engine.base import Action, BaseEvent, BaseRules, BaseState, BaseView, GameWords, Shown
from engine.core import Question, Seat, TableOption, Text
from engine.core.language import _
from engine.core.rng import Rng
from engine.kits import BoardPart, cards, lines, stacked


class Bid(Action, frozen=True, tag="bid"):
    """Plays a card from the hand for the prize that lies open."""

    card: int


class Table(msgspec.Struct):
    """What everybody sees.

    Arguments:
        turned: the prizes that have been turned over; the last one is bid for.
        pot: what it is worth, with the prizes before it that nobody won.
        hands: by seat the cards that have not been bid; all bids are turned over, so everybody can know them.
        points: by seat what has been won.
    """

    turned: list[int]
    pot: int
    hands: list[list[int]]
    points: list[int]


class Hidden(msgspec.Struct):
    """The prizes to come, the next one last; nobody sees them."""

    prizes: list[int]


class BidsRevealed(
    BaseEvent,
    frozen=True,
    says={
        "taken": _("For the {prize} was bid: {bids}. {seat} takes {pot} points."),
        "taken-you": _("For the {prize} was bid: {bids}. You take {pot} points."),
        "tied": _("For the {prize} was bid: {bids}. Nobody takes it, and it adds to the next prize."),
    },
):
    """Bids have been turned over: `seat` has taken the pot; None if the highest bid came twice."""

    prize: int
    bids: list[tuple[Seat, int]]
    pot: int
    seat: Seat | None
    scores: list[int]
    shapes = {**BaseEvent.shapes, "bids": "totals"}

    @property
    def code(self) -> str:
        """One sentence for a prize that is won, another for one that stays."""
        return "tied" if self.seat is None else "taken"


State: TypeAlias = BaseState[Table, None, Hidden]
View: TypeAlias = BaseView[Table, None]


class Gops(BaseRules[Table, None, Hidden, Bid]):
    """The rule set. All seats bid at once and sealed; what follows from that, the base does."""

    name = "gops"
    seat_counts = (2, 3, 4, 5)
    options = (
        TableOption("cards", Text("option-cards"), [(n, Text("value", {"value": n})) for n in ("13", "7")], "13"),
    )
    events = (BidsRevealed,)
    kind = "bid"
    sealed = True
    sentences = {
        "title": _("GOPS"),
        "about": _("Everybody has the same cards. Bid one for each prize, in secret: the highest bid takes it."),
        "option-cards": _("Cards in each hand"),
        "ask-bid": _("What do you bid for the {prize}? {pot} points lie there."),
        "hint-bid": _("If the highest bid comes twice nobody takes the prize: it adds to the next."),
        "do-bid": _("Bid"),
        "field-card": _("Card"),
        "why-greedy": _("It is your card nearest to the prize."),
        "prize": _("For {pot} points"),
        "hand": _("Your hand"),
        "given": _("You bid the {card}; you can still change it."),
        "holds": _("{seat} holds {cards}"),
        "words-bid": _("bid"),
    }

    def lay_out(self, seats: int, options: Mapping[str, str], rng: Rng) -> Table:
        """Everybody has the same cards; the first prize is turned over once they are dealt."""
        hand = [*range(1, int(options["cards"]) + 1)]
        return Table([], 0, [[*hand] for _seat in range(seats)], [0] * seats)

    def deal(self, state: State) -> None:
        """The prizes are the same cards once more, shuffled."""
        state.hidden = Hidden(state.rng.shuffled(state.table.hands[0]))
        self.turn_over(state)

    def turn_over(self, state: State) -> None:
        """The next prize is bid for, and what nobody has won before it."""
        prize = state.hidden.prizes.pop()
        state.table.turned.append(prize)
        state.table.pot += prize

    def moves(self, state: State, seat: Seat) -> list[Bid]:
        """Any card of the hand, the lowest first: it is what silence bids."""
        return [Bid(card) for card in state.table.hands[seat]]

    def reveal(self, state: State, answers: Mapping[Seat, Bid]) -> Iterator[BaseEvent]:
        """The highest bid takes the pot, unless two are the same."""
        table, prize, pot = state.table, state.table.turned[-1], state.table.pot
        bids = {seat: bid.card for seat, bid in answers.items()}
        for seat, card in bids.items():
            table.hands[seat].remove(card)
        best = [seat for seat, card in bids.items() if card == max(bids.values())]
        winner = best[0] if len(best) == 1 else None
        if winner is not None:
            table.points[winner] += pot
            table.pot = 0
        if state.hidden.prizes:
            self.turn_over(state)
        yield BidsRevealed(prize, [*bids.items()], pot, winner, [*table.points])

    def is_over(self, state: State) -> bool:
        """True once every prize has been bid for."""
        return not any(state.table.hands)

    def scores(self, shown: Shown[Table, None, Hidden]) -> list[int]:
        """The points that were won."""
        return shown.table.points

    def imagine(self, state: State, view: View, random: Random) -> None:
        """The prizes to come are those that have not been turned over, in any order."""
        left = [card for card in range(1, int(view.options["cards"]) + 1) if card not in view.table.turned]
        random.shuffle(left)
        state.hidden = Hidden(left)

    def choose(self, view: View, question: Question, random: Random) -> Bid:
        """The card nearest to the prize."""
        prize = view.table.turned[-1]
        return Bid(min(view.table.hands[question.decision.seat], key=lambda card: abs(card - prize)))

    def ask(self, state: State, seat: Seat, kind: str) -> Text:
        """Returns the prize that is bid for."""
        return Text("ask-bid", {"prize": state.table.turned[-1], "pot": state.table.pot})

    def draw_board(self, view: View, words: GameWords) -> BoardPart:
        """The prize, the own hand as cards to tap, and below them what the others may still bid."""
        table = view.table
        prize = cards(words.sentence("prize", pot=table.pot), table.turned[-1:], prefix="prize-", colour="#ffe08a")
        hand = None if view.seat is None else cards(words.sentence("hand"), table.hands[view.seat])
        said = [words.sentence("given", card=view.answer["card"])] if view.answer else []
        others = [(seat, held) for seat, held in enumerate(table.hands) if seat != view.seat]
        said += [words.sentence("holds", seat={"seat": seat}, cards=_spoken(held)) for seat, held in others]
        return stacked(prize, hand, lines(said, is_even=False))


def _spoken(held: list[int]) -> str:
    return " ".join(map(str, held))


GAMES = (Gops(),)
"""Each version of the rule set, as the entry point offers them."""
