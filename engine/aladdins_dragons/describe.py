"""The whole board as plain text, for mails, screen readers and terminals: at most 78 columns, no drawing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.aladdins_dragons import model
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from engine.aladdins_dragons.effects import LAST_FIRST
from engine.aladdins_dragons.facts import CAVES, CITY, DECKS, GUARD, PIECES, ROOMS, cave_kind
from engine.aladdins_dragons.model import Effect, Play, SeenToken, View
from engine.aladdins_dragons.sentences import CARD_RULES
from engine.aladdins_dragons.words import Words
from engine.core import ActionForm, Amounts, Field, Option, Question, Seat
from engine.core.games import PieceTable
from engine.core.language import WIDTH, folded

# The board in short lines of words, for the text board and beside the picture.


def phase(view: View) -> str:
    """Returns what the game is at: "treasures", "placing", "window", "tally", "between" two phases, or "over"."""
    if view.outcome is not None:
        return "over"
    match view.agenda[-1]:
        case model.StartingTreasures():
            return "treasures"
        case model.Placing():
            return "placing"
        case model.Window():
            return "window"
        case model.Boundary():
            return "between"
    return "tally"


def round_label(view: View, words: Words) -> str:
    """ "Round 3", or that there has been none yet."""
    return words.sentence("round", round=view.round) if view.round else words.sentence("before-first")


def is_closed(view: View, space: str) -> bool:
    """True for a space into which nobody may put a token (A25, A26, A27)."""
    if space in CAVES:
        return not view.caves[cave_kind(space)]
    return space not in view.spaces or view.offers.get(space) == 0


def space_line(view: View, words: Words, space: str) -> str:
    """One space: what is to be had there, how far its tally is, and whose tokens lie there."""
    facts = [_offer(view, words, space)]
    if space == view.tallying:
        facts.append(words.sentence("tallying"))
    elif space in view.tallied:
        facts.append(words.sentence("tallied"))
    if space in view.spaces:
        facts.append(tokens_line(view, words, space) or words.sentence("nobody"))
    return f"{words.space(space)}: {'; '.join(fact for fact in facts if fact)}"


def _offer(view: View, words: Words, space: str) -> str:
    if space == GUARD and view.round:
        code = "guard-hidden" if view.guard is None else "guard-strength"
        return words.sentence(code, strength=view.guard)
    if space in CAVES:
        shelves = view.caves[cave_kind(space)]
        return words.sentence("shelves", shelves={"numbers": shelves}) if shelves else words.sentence("empty-cave")
    if space in view.offers:
        left = words.sentence("hint-artifacts", count=view.offers[space])
        if offer := find_offer(view, space):
            return f"{left}; {words.sentence('offer', card={'card': offer})}"
        return f"{left}; {words.sentence('sold')}" if view.has_magic and view.round and view.offers[space] else left
    return words.sentence("closed") if is_closed(view, space) else ""


def find_offer(view: View, room: str) -> str | None:
    """The artifact that lies face up in a room; None in the basic version, where nobody sees it (A47)."""
    return view.magic.offers.get(room) if view.has_magic else None


def tokens_line(view: View, words: Words, space: str) -> str:
    """Says whose tokens lie in a space: "Anna 2: 9 ?; Ben 1: ?", with strengths once they are ranked."""
    tokens = view.spaces.get(space, [])
    ranking = view.rankings.get(space)
    order = ranking.seats if ranking else sorted({token.seat for token in tokens})
    totals = dict(zip(ranking.seats, ranking.totals, strict=True)) if ranking else {}
    return ", ".join(
        _seat_tokens(words, seat, [token for token in tokens if token.seat == seat], totals.get(seat))
        for seat in order
        if any(token.seat == seat for token in tokens)
    )


def _seat_tokens(words: Words, seat: Seat, tokens: list[SeenToken], total: int | None) -> str:
    faces = " ".join(_token_text(words, token) for token in tokens)
    return f"{words.name(seat)} {faces}" if total is None else f"{words.name(seat)} {faces} = {total}"


def _token_text(words: Words, token: SeenToken) -> str:
    """ "9" lies face up, "?" face down, "9*" face down but known to the viewer; "3 (Flying Carpet)"."""
    if token.value is None:
        return "?"
    if token.source:
        return f"{token.value} ({words.card(token.source)})"
    return str(token.value) if token.face_up else f"{token.value}*"


# What only the magic version has


def magic_facts(view: View, words: Words, seat: Seat) -> Iterator[str]:
    """Lists of a player spells, artifacts used, and the artifacts everybody knows of (A47)."""
    if not view.has_magic:
        return
    magic = view.magic
    yield words.sentence("spells-in-hand", count=magic.spell_counts[seat])
    if magic.tiles[seat]:
        yield words.sentence("tiles", cards={"cards": magic.tiles[seat]})
    if magic.used[seat]:
        yield words.sentence("used", cards={"cards": magic.used[seat]})
    if magic.allowance[seat] > 1:
        yield words.sentence("two-uses")


def magic_lines(view: View, words: Words) -> Iterator[str]:
    """Returns what the viewer owns, what it does, and what he knows."""
    if not view.has_magic:
        return
    magic = view.magic
    if magic.artifacts is not None and magic.spells is not None:
        yield words.sentence("your-artifacts", cards={"cards": magic.artifacts})
        yield from _rules(words, list(dict.fromkeys(magic.artifacts)))
        yield words.sentence("your-spells", cards={"cards": magic.spells})
        yield from _rules(words, magic.spells)
    for passed in magic.passed:
        if passed.owner != view.seat:
            yield words.sentence("passed-card", seat={"seat": passed.owner}, card={"card": passed.card})
    for room, stack in magic.stacks.items():
        if any(stack[:-1]):
            tiles = ", ".join(words.card(tile) if tile else "?" for tile in stack)
            yield words.sentence("stack-known", space={"space": room}, tiles=tiles)
    yield words.sentence("spell-deck", count=magic.spell_deck_count, cards={"cards": magic.played})


def _rules(words: Words, cards: Sequence[str]) -> Iterator[str]:
    for card in cards:
        yield f"  {words.card(card)}: {words.sentence('rule', rule={'rule': card})}"


# What is going on around the question


class Remark(NamedTuple):
    """One thing everybody should know now.

    Arguments:
        kind: "window", "play" (a card that was shown), "ask" or "effect".
        text: the sentence.
        seat: whose card it is, if it is somebody's.
    """

    kind: str
    text: str
    seat: Seat | None = None


def situation(view: View, words: Words) -> list[Remark]:
    """Returns all notes, what is happening first, what lasts until the end of the round last."""
    if not view.has_magic or view.outcome is not None:
        return []
    return [*_happening(view, words), *(_effect(view, words, effect) for effect in view.magic.effects)]


def _happening(view: View, words: Words) -> Iterator[Remark]:
    frame = view.agenda[-1]
    match frame:
        case model.Window():
            yield Remark("window", f"{_where(frame, words)} {words.sentence('window-pass', number=frame.number)}")
            for play in frame.plays:
                yield Remark("play", words.sentence("played", play=_plays([play], frame.plays)), play.seat)
        case model.Tent(seat, _, to):
            code = "tent-choosing" if to is None else "tent-giving"
            yield Remark("ask", words.sentence(code, seat={"seat": seat}, to={"seat": to if to is not None else seat}))
        case model.Ask(_, play, waiting):
            seats = {"seats": list(waiting)}
            yield Remark("ask", words.sentence("asking", play=_plays([play]), seats=seats), play.seat)
    if pending := [play for entry in view.agenda if isinstance(entry, model.Resolve) for play in entry.plays]:
        yield Remark("window", words.sentence("pending", plays=_plays(pending)))


def _where(window: model.Window, words: Words) -> str:
    if window.kind == "reply":
        return words.sentence("window-reply")
    if window.where.startswith("declared-"):
        return words.sentence("window-declared")
    if window.where in ("start", "placed", "caves"):
        return words.sentence(f"window-{window.where}")
    return words.sentence("window-space", at={"at": window.where})


def _plays(plays: list[Play], shown: list[Play] | None = None) -> dict[str, object]:
    """Plays for a sentence; `shown` are all of the window, for cards aimed at other cards."""
    aimed = [play.card for play in shown or []]
    return {"plays": [[play.seat, play.card, play.targets, aimed] for play in plays]}


def _effect(view: View, words: Words, effect: Effect) -> Remark:
    code = f"effect-{effect.name.replace('_', '-')}"
    if effect.name == LAST_FIRST:
        code = f"{code}-{view.magic.last_first}"
    params = {"seat": {"seat": effect.seat}} | ({"space": {"space": effect.space}} if effect.space else {})
    return Remark("effect", words.sentence(code, **params), effect.seat)


def describe(view: View, language: str, names: Sequence[str]) -> str:
    """Everything the viewer may see, what is asked of him, and every legal answer in words."""
    words = Words(language, names)
    blocks = [
        _head(view, words),
        *_spaces(view, words),
        [words.sentence("players"), *(f"  {_player(view, words, seat)}" for seat in range(view.seats))],
        _rest(view, words),
    ]
    blocks += [_question(question, words) for question in view.questions]
    return "\n\n".join("\n".join(folded(block, WIDTH)) for block in blocks) + "\n"


def _head(view: View, words: Words) -> list[str]:
    lines = [f"{words.sentence('title')} - {round_label(view, words)} - {words.sentence(f'phase-{phase(view)}')}"]
    if view.outcome:
        return [*lines, words.say(view.outcome.reason)]
    lines.append(words.sentence("sequence", seats={"seats": view.sequence()}))
    seats = [decision.seat for decision in view.asked if decision.prompted]
    if seats:
        lines.append(words.sentence("waiting-for", seats={"seats": seats}))
    return [*lines, *(note.text for note in situation(view, words))]


def _spaces(view: View, words: Words) -> Iterator[list[str]]:
    """The board from its foot to its top, each row in the order of its tally (A32)."""
    for group, spaces in (("caves", CAVES), ("city", CITY), ("palace", (GUARD, *ROOMS[: view.seats]))):
        yield [words.sentence(f"group-{group}"), *(f"  {space_line(view, words, space)}" for space in spaces)]


def _player(view: View, words: Words, seat: Seat) -> str:
    marks = [
        words.sentence(code)
        for code, holds in (
            ("you", seat == view.seat),
            ("camel-here", seat == view.camel),
            ("in-palace", seat in view.admitted),
            ("resigned-mark", seat in view.resigned),
        )
        if holds
    ]
    hoard = view.hoards[seat]
    facts = [
        words.sentence("artifacts", count=view.artifact_counts[seat]),
        words.sentence("tokens-in-hand", count=view.hand_counts[seat]),
        words.sentence("hoard-hidden")
        if hoard is None
        else words.sentence("hoard", total=sum(hoard.values()), amounts={"amounts": hoard}),
    ]
    facts += magic_facts(view, words, seat)
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"{words.name(seat)}{marked}: {'; '.join(facts)}"


def _rest(view: View, words: Words) -> list[str]:
    lines = [f"{words.sentence('bank')}: {words.amounts(view.bank)}"]
    if view.hand is not None:
        hand = " ".join(str(value) for value in view.hand) or words.sentence("nothing")
        lines.append(f"{words.sentence('hand')}: {hand}")
    return [*lines, *magic_lines(view, words), words.sentence("legend")]


def _question(question: Question, words: Words) -> list[str]:
    lines = [f"{words.sentence('asked')}: {words.say(question.title)}"]
    if question.hint:
        lines.append(words.say(question.hint))
    lines.append(words.sentence("answers"))
    for form in question.actions:
        lines += _form(form, words)
    return lines


def _form(form: ActionForm, words: Words) -> Iterator[str]:
    yield f"  - {words.say(form.label)}"
    for field in form.fields:
        yield f"    {words.say(field.label)}: {_field(field, form, words)}"
    if sum(bool(field.distinct) for field in form.fields) > 1:
        yield f"    {words.sentence('different')}"


def _field(field: Field, form: ActionForm, words: Words) -> str:
    if isinstance(field, Amounts):
        options = ", ".join(
            words.sentence("up-to", option=_option(option, words), limit=option.limit) for option in field.options
        )
        return f"{_sum(field, words)} {options}"
    return f"{words.sentence('one-of')} {', '.join(_option(option, words, form) for option in field.options)}"


def _sum(field: Amounts, words: Words) -> str:
    """How much it makes together."""
    if field.same_as:
        return words.sentence("as-much-as", field={"field": field.same_as})
    if field.least is not None:
        return words.sentence("in-all-range", least=field.least, total=field.total)
    return words.sentence("in-all", total=field.total)


def _option(option: Option, words: Words, form: ActionForm | None = None) -> str:
    hints = [words.say(option.hint)] if option.hint else []
    if form is not None and option.bars:
        barred = [choice for field in form.fields for choice in field.options if choice.value in option.bars]
        hints.append(words.sentence("not-with", options=", ".join(words.say(choice.label) for choice in barred)))
    return f"{words.say(option.label)} ({'; '.join(hints)})" if hints else words.say(option.label)


# What is in the box as tables: treasure cards, artifacts and spells.

NOTHING = "\N{EN DASH}"  # in a cave


def pieces(language: str) -> list[PieceTable]:
    """The decks by number of players, shelves from the top; then the cards, which are named."""
    words = Words(language, ())
    say = words.sentence
    caves = [words.short_space(cave) for cave in CAVES]
    decks = [
        PieceTable(
            f"deck-{seats}",
            say("pieces-deck", seats=seats),
            [say("pieces-card"), *caves],
            [[card.id, *("/".join(map(str, shelves)) or NOTHING for shelves in card.caves)] for card in deck],
        )
        for seats, deck in DECKS.items()
    ]
    artifacts = [[name, str(PIECES.artifacts[card]), rule] for card, name, rule in _named(words, ARTIFACTS)]
    spells = [[name, rule] for _card, name, rule in _named(words, SPELLS)]
    named, count, rule = say("pieces-card"), say("pieces-count"), say("pieces-rule")
    return [
        *decks,
        PieceTable("artifacts", say("pieces-artifacts"), [named, count, rule], artifacts, are_named=True),
        PieceTable("spells", say("pieces-spells"), [named, rule], spells, are_named=True),
    ]


def _named(words: Words, cards: Iterable[str]) -> list[tuple[str, str, str]]:
    """Each card with its name and what it does, in the order of the names."""
    return sorted(((card, words.card(card), words.get(CARD_RULES[card])) for card in cards), key=lambda entry: entry[1])
