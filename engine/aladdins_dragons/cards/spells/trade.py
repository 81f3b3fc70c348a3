"""Trade."""

from collections.abc import Iterable, Mapping

from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards.card import TREASURE, Shown, Spell, possible, some_amounts, treasure
from engine.aladdins_dragons.facts import KINDS
from engine.aladdins_dragons.judging import Case, change, usefulness
from engine.aladdins_dragons.model import Play, State, Window
from engine.core import Field, Seat
from engine.core.language import _


class Trade(Spell):
    """Any amount of own treasure for as much of the bank's, in any other kinds (S21, A39, A45)."""

    name = "trade"
    title = _("Trade")
    rule = _("Exchange any amount of your treasure for as much in other kinds from the bank.")
    keep = 1.2

    def targets(self, state: State, seat: Seat, window: Window) -> list[Field] | None:
        """Returns what is given and what is taken for it, both named when it is declared (A77)."""
        hoard, bank = state.hoards[seat], state.bank
        if not any(hoard[given] and bank[taken] for given in hoard for taken in bank if given != taken):
            return None
        most = min(sum(hoard.values()), sum(bank.values()))
        return [some_amounts("give", hoard, most), some_amounts("take", bank, most, same_as="give")]

    def resolve(self, board: Board, play: Play) -> None:
        """Trades as much as there still is on both sides (A78); what is left of the offer falls away first (S21)."""
        give = possible(treasure(play, "give"), board.state.hoards[play.seat])
        take = possible(treasure(play, "take"), board.state.bank)
        amount = min(sum(give.values()), sum(take.values()))
        if amount:
            board.pay(play.seat, _last(give, amount), self.name)
            board.take(play.seat, _first(take, amount), self.name)
        else:
            board.fizzle(play)

    def touches(self, shown: Shown, play: Play, seat: Seat) -> Iterable[str]:
        """Nobody else."""
        return TREASURE if seat == play.seat else ()

    def judge(self, case: Case) -> float:
        """If the hoard is all of one or two kinds, which pay for few tokens; of another's that nobody sees, nothing."""
        public_hoard = case.outlook.view.hoards[case.caster]
        if public_hoard is None:
            return 0.0
        hoard = dict(public_hoard)
        before = usefulness(hoard)
        change(hoard, case.treasure("give"), -1)
        change(hoard, case.treasure("take"), 1)
        return usefulness(hoard) - before


def _first(amounts: Mapping[str, int], total: int) -> dict[str, int]:
    taken: dict[str, int] = {}
    for kind, amount in amounts.items():
        if part := min(amount, total - sum(taken.values())):
            taken[kind] = part
    return taken


def _last(amounts: Mapping[str, int], total: int) -> dict[str, int]:
    backwards = {kind: amounts[kind] for kind in reversed(KINDS) if kind in amounts}
    taken = _first(backwards, total)
    return {kind: taken[kind] for kind in KINDS if kind in taken}
