"""How each kind of space is tallied, what is paid there, and how the game ends."""

from engine.aladdins_dragons import effects
from engine.aladdins_dragons.board import Board
from engine.aladdins_dragons.cards import windows
from engine.aladdins_dragons.cards.deck import ARTIFACTS, LAMP
from engine.aladdins_dragons.effects import can_pay
from engine.aladdins_dragons.facts import GUARD, cave_kind, rooms
from engine.aladdins_dragons.model import Bribes, Camel, Eviction, Market, Purchase, Ranking, State, Tent
from engine.core import Ending, Seat, Text

# The dragon caves: the strongest takes the top shelf, the next the second, and so on.


def reward_cave(board: Board, space: str) -> None:
    """One shelf per seat by rank, compulsory (A50); what nobody claims goes to the bank (A51)."""
    shelves = board.state.caves[cave_kind(space)]
    ranking = board.state.rankings.get(space)
    for seat in ranking.seats if ranking else []:
        if shelves:
            board.take_shelf(seat, space)
    if shelves:
        board.empty_cave(space)


# The city: only the strongest gets anything, in the tent the second strongest as well.


def reward_city(board: Board, space: str) -> None:
    """Rewards or asks the strongest seat, if there is one (A33, A53, A57, A58, A59)."""
    ranking = board.state.rankings.get(space)
    if ranking is None:
        return
    seat = ranking.seats[0]
    match space:
        case "tent":
            _draw(board, seat, _second(board, ranking.seats))
        case "djinn":
            board.raise_allowance(seat)
        case "market":
            _ask_to_exchange(board, seat)
        case "caravanserai":
            board.state.agenda.append(Camel(seat))


def can_exchange(state: State, seat: Seat) -> bool:
    """Has the seat something to give, and the bank something for it (A44, A58)?"""
    return any(state.hoards[seat].values()) and any(state.bank.values())


def _ask_to_exchange(board: Board, seat: Seat) -> None:
    """Asks the seat; one that has nothing to give keeps it unasked, where everybody can see that (A46)."""
    state = board.state
    if state.open_hoards and not can_exchange(state, seat):
        board.keep_treasure(seat)
    else:
        state.agenda.append(Market(seat))


def _second(board: Board, seats: list[Seat]) -> Seat | None:
    """The next in strength with a token of his own in the tent (A53)."""
    present = {token.seat for token in board.state.spaces["tent"]}
    return next((seat for seat in seats[1:] if seat in present), None)


def _draw(board: Board, seat: Seat, second: Seat | None) -> None:
    """Two cards, of which the seat keeps one; of a single card there is nothing to choose (A53, A55)."""
    count = min(2, len(board.state.magic.spell_deck))
    cards = board.draw_spells(seat, count) if count else []
    if count == 2:
        board.state.agenda.append(Tent(seat, cards, second))
    elif cards:
        board.keep_spell(seat, cards[0], None, None)


# The palace guard: nobody competes here; who is strong enough enters, the others may pay the difference.


def reward_guard(board: Board) -> None:
    """Admits the strong (A61), then asks the others in player sequence (A63)."""
    state = board.state
    strengths = _strengths(state.rankings.get(GUARD))
    for seat in state.sequence():
        if strengths.get(seat, 0) >= state.guard:
            board.admit(seat, bribed=False)
    waiting = [seat for seat in state.sequence() if seat not in state.admitted]
    if not state.has_magic:
        waiting = [seat for seat in waiting if seat in strengths]
    state.agenda.append(Eviction())
    if waiting:
        state.agenda.append(Bribes(waiting))


def is_asked_at_guard(state: State, seat: Seat) -> bool:
    """Is the seat asked at the guard, as far as everybody can see (A63)?

    If it can bribe, or could have something that lets it in. Where hoards are hidden whoever has tokens there is asked:
    who is not would show how rich he is (A46).
    """
    return seat not in state.admitted and (_could_bribe(state, seat) or _could_unlock(state, seat))


def missing_at_guard(state: State, seat: Seat) -> int:
    """Returns what its tokens there lack."""
    return state.guard - sum(token.value for token in effects.own_tokens(state, seat, GUARD))


def _could_bribe(state: State, seat: Seat) -> bool:
    has_tokens = bool(effects.own_tokens(state, seat, GUARD))
    is_known_poor = state.open_hoards and sum(state.hoards[seat].values()) < missing_at_guard(state, seat)
    return has_tokens and not is_known_poor


def _could_unlock(state: State, seat: Seat) -> bool:
    """With a tile that it may have, or with its power borrowed by a spell once an opponent has used one (S13)."""
    if not state.has_magic:
        return False
    tiles = windows.could_have(state, seat) if windows.has_use(state, seat) else []
    if any(windows.ENTRY in ARTIFACTS[name].moments for name in tiles):
        return True
    has_light = windows.is_lit(state, seat) or LAMP in tiles
    return has_light and bool(state.magic.spells[seat]) and _has_seen_entry(state, seat)


def _has_seen_entry(state: State, seat: Seat) -> bool:
    """An opponent has used what lets one in."""
    others = [name for other, used in enumerate(state.magic.used) if other != seat for name in used]
    return any(windows.ENTRY in ARTIFACTS[name].moments for name in others)


def pass_on_at_guard(board: Board, frame: Bribes) -> None:
    """The first of those waiting, if any is left, is not asked after all. Off the agenda when called."""
    state, rest = board.state, frame.waiting[1:]
    for seat in frame.waiting[:1]:
        if seat not in state.admitted and effects.own_tokens(state, seat, GUARD):
            board.stay_out(seat)
    if rest:
        state.agenda.append(Bribes(rest))


def _strengths(ranking: Ranking | None) -> dict[Seat, int]:
    return dict(zip(ranking.seats, ranking.totals, strict=True)) if ranking else {}


def evict(board: Board) -> None:
    """Takes the tokens of seats that are not in the palace out of its rooms, unseen (A68)."""
    state = board.state
    for seat in state.sequence():
        has_tokens = any(token.seat == seat for room in rooms(state.seats) for token in state.spaces[room])
        if has_tokens and seat not in state.admitted:
            board.evict(seat)


# The palace rooms: the strongest is the first to be offered the artifact, at the price of his own tokens.


def offer_artifact(board: Board, room: str) -> None:
    """Offers it to the seats by rank (A70). A room without tokens is skipped."""
    ranking = board.state.rankings.get(room)
    if ranking is not None:
        board.state.agenda.append(Purchase(room, list(ranking.seats)))


def is_asked_in_room(state: State, seat: Seat, room: str) -> bool:
    """False for a seat that cannot pay, where everybody can see that (A46); else it would show how rich it is (A63)."""
    return not state.open_hoards or can_pay(state, seat, room)


def pass_on_in_room(board: Board, frame: Purchase) -> None:
    """The first of those waiting cannot pay; whoever comes next may. Off the agenda when called."""
    seat, *rest = frame.waiting
    board.decline(seat, frame.room)
    if rest:
        board.state.agenda.append(Purchase(frame.room, rest))
    else:
        board.leave_unsold(frame.room)


def is_sold_out(board: Board) -> bool:
    """True when no room has an artifact left (A94)."""
    return not any(board.state.stacks.values())


def is_decided(state: State) -> bool:
    """True when somebody has more artifacts than anybody else who stayed could have with all that are left."""
    stayed = [len(state.artifacts[seat]) for seat in ranking(state) if seat not in state.resigned]
    first, second = [*stayed, 0, 0][:2]
    return first > second + sum(map(len, state.stacks.values()))


# How a game ends and in which order the seats are ranked.


def ranking(state: State) -> list[Seat]:
    """Best first: those who stayed, by artifacts, then scrolls (A96), then sequence from the camel (A97)."""
    sequence = state.sequence()
    return sorted(
        sequence, key=lambda seat: (seat in state.resigned, -len(state.artifacts[seat]), -scrolls(state, seat))
    )


def scrolls(state: State, seat: Seat) -> int:
    """The scrolls of a seat; they count in the magic version only."""
    return state.artifacts[seat].count("scroll") if state.has_magic else 0


def finish_complete(board: Board) -> None:
    """The last artifact of all rooms is bought (A94)."""
    _finish(board, Ending.COMPLETE, "won")


def finish_decided(board: Board) -> None:
    """Nobody can catch up (table option)."""
    _finish(board, Ending.COMPLETE, "decided")


def finish_stopped(board: Board) -> None:
    """The safety stop (A19)."""
    _finish(board, Ending.STOPPED, "stopped")


def _finish(board: Board, ending: Ending, code: str) -> None:
    order = ranking(board.state)
    counts = [len(board.state.artifacts[seat]) for seat in order]
    is_tied = counts[0] == counts[1] and order[1] not in board.state.resigned
    params = {"winner": {"seat": order[0]}, "artifacts": counts[0]}
    first, second = (scrolls(board.state, seat) for seat in order[:2])
    if is_tied and first > second:
        reason = Text(f"{code}-scrolls", {**params, "scrolls": first})
    else:
        reason = Text(f"{code}-tie" if is_tied else code, params)
    board.finish(ending, order, reason)


def finish_abandoned(board: Board, seat: Seat) -> None:
    """The last person at the table ends the game (A99), against bots too."""
    others = [other for other in ranking(board.state) if other != seat]
    board.finish(Ending.ABANDONED, [seat, *others], Text("abandoned", {"winner": {"seat": seat}}))
