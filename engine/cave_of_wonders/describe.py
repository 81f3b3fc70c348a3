"""The whole board as plain text, for mails, screen readers and terminals: at most 78 columns, no drawing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.cave_of_wonders import model
from engine.cave_of_wonders.facts import CHARACTER_NUMBERS, KINDS, LINES, NUMBERS, RADIUS, ROWS, SPACES, TOKENS
from engine.cave_of_wonders.model import SeenToken, View
from engine.cave_of_wonders.scoring import complete_columns, complete_rows
from engine.cave_of_wonders.words import Words
from engine.core import ActionForm, Choice, Option, Question, Seat
from engine.core.games import PieceTable
from engine.core.language import WIDTH, folded

CELL = 8  # columns for a space of the cave
SQUARE = 9  # and for a square of a player board


def describe(view: View, language: str, names: Sequence[str]) -> str:
    """Everything the viewer may see, what is asked of him, and every legal answer in words."""
    words = Words(language, names)
    blocks = [_head(view, words), _cave(view, words), _lines(view, words), *_players(view, words)]
    blocks += [_question(question, words) for question in view.questions]
    return "\n\n".join("\n".join(folded(block, WIDTH)) for block in blocks) + "\n"


def status(view: View, words: Words) -> str:
    """Returns what the game waits for, in a sentence; "" in the middle of a step."""
    seat = {"seat": view.active}
    match view.frame:
        case model.Moving(roll):
            return words.sentence("rolled-now", seat=seat, roll=roll)
        case model.Flying():
            return words.sentence("carpet-now", seat=seat)
        case model.PlacingGenie():
            return words.sentence("genie-now", seat=seat)
        case model.TurnOver():
            return words.sentence("between")
    return words.sentence("over") if view.outcome else ""


def _head(view: View, words: Words) -> list[str]:
    lines = [f"{words.sentence('title')} - {words.sentence('turn', turn=view.turn)}"]
    if view.outcome:
        return [*lines, words.sentence("over"), words.say(view.outcome.reason)]
    marks = (
        ("rules-equal", view.equal_turns),
        ("rules-full", view.full_distance),
        ("last-round", view.is_last_round),
    )
    said = [status(view, words), *(words.sentence(code) for code, is_so in marks if is_so)]
    return [*lines, *filter(None, said)]


def _cave(view: View, words: Words) -> list[str]:
    rows = [
        f"{letter} {' ' * (CELL // 2 * abs(RADIUS - ROWS.index(letter)))}"
        + "".join(f"{space[1:]}:{_cell(view, words, space)}".ljust(CELL) for space in spaces).rstrip()
        for letter, spaces in groupby(SPACES, key=lambda space: space[0])
    ]
    hidden = {
        kind: sum(token is not None and not token.face_up and token.kind == kind for token in view.spaces.values())
        for kind in KINDS
    }
    return [
        words.sentence("cave"),
        *rows,
        words.sentence("cave-legend"),
        words.sentence("mark-legend"),
        words.sentence("left-in-cave", kinds=words.counted_kinds(hidden)),
    ]


def _cell(view: View, words: Words, space: str) -> str:
    if space == view.aladdin:
        return "*"
    token = view.spaces[space]
    return "-" if token is None else _short(words, token)


def _short(words: Words, token: SeenToken) -> str:
    return words.short_token(token.kind, token.number, (token.character or "") if token.face_up else "hidden")


def _lines(view: View, words: Words) -> list[str]:
    lines = [words.sentence("lines-title", space=view.aladdin)]
    for direction, spaces in LINES[view.aladdin].items():
        tokens = [f"{space} {_short(words, token)}" for space in spaces if (token := view.spaces[space]) is not None]
        row = ", ".join(tokens) or words.sentence("wall")
        lines.append(f"  {words.sentence('line', direction=words.direction(direction), tokens=row)}")
    return lines


def _players(view: View, words: Words) -> Iterator[list[str]]:
    for step in range(view.seats):
        seat = (view.start + step) % view.seats
        yield [player_line(view, words, seat), *_player_board(view, words, seat)]


def player_line(view: View, words: Words, seat: Seat) -> str:
    """Name, points and favourite of a seat, with what is special about it now."""
    marks = [
        words.sentence(code)
        for code, holds in (
            ("you", seat == view.seat),
            ("to-play", view.outcome is None and seat == view.active),
            ("went-first", seat == view.start),
            ("resigned-mark", seat in view.resigned),
        )
        if holds
    ]
    return words.sentence(
        "player-marked" if marks else "player",
        name=words.name(seat),
        marks=", ".join(marks),
        score={"points": view.scores[seat]},
        kind=words.kind(view.favourites[seat]),
    )


def _player_board(view: View, words: Words, seat: Seat) -> Iterator[str]:
    board, rows, columns = view.boards[seat], complete_rows(view.boards[seat]), complete_columns(view.boards[seat])
    for kind in KINDS:
        stacks = {number: [words.letter(token.character) for token in board[f"{kind}-{number}"]] for number in NUMBERS}
        squares = "".join(f"{number}:{''.join(stack) or '-'}".ljust(SQUARE) for number, stack in stacks.items())
        done = words.sentence("row-done") if kind in rows else ""
        yield f"  {words.kind(kind):<11}{squares}{done}".rstrip()
    if columns:
        yield f"  {words.sentence('columns-done', numbers=', '.join(map(str, columns)))}"


def _question(question: Question, words: Words) -> list[str]:
    lines = [f"{words.sentence('asked')}: {words.say(question.title)}"]
    if question.hint:
        lines.append(words.say(question.hint))
    lines.append(words.sentence("answers"))
    for form in question.actions:
        lines += _form(form, words)
    return [*lines, words.sentence("if-silent", default=words.say(question.default))]


def _form(form: ActionForm, words: Words) -> Iterator[str]:
    """Every option on a line of its own; those of a group under its name."""
    for field in form.fields:
        assert isinstance(field, Choice), field
        for group, options in groupby(field.options, key=lambda option: option.group):
            if group is not None:
                yield f"  {words.say(group)}:"
            for option in options:
                yield f"  - {words.say(form.label)}: {_option(option, words)}"


def _option(option: Option, words: Words) -> str:
    hint = f" ({words.say(option.hint)})" if option.hint else ""
    return f"{words.say(option.label)}{hint}"


# What is in the box as tables: the tokens, and the characters on some of them.


def pieces(language: str) -> list[PieceTable]:
    """How many tokens there are of each kind and number, with and without character; then the characters by name."""
    words = Words(language, ())
    say = words.sentence
    plain = Counter((token.kind, token.number) for token in TOKENS if not token.character)
    met = Counter((token.kind, token.character) for token in TOKENS)
    tokens = [
        [
            words.kinds(kind),
            *(str(plain[kind, number]) for number in NUMBERS),
            *(str(met[kind, character]) for character in CHARACTER_NUMBERS),
        ]
        for kind in KINDS
    ]
    heads = [
        say("pieces-treasure"),
        *map(str, NUMBERS),
        *(f"{words.character(name)} {number or ''}".strip() for name, number in CHARACTER_NUMBERS.items()),
    ]
    characters = [
        [words.character(name), str(sum(met[kind, name] for kind in KINDS)), words.character_rule(name)]
        for name in CHARACTER_NUMBERS
    ]
    named = [say("pieces-name"), say("pieces-count"), say("pieces-rule")]
    return [
        PieceTable("tokens", say("pieces-tokens"), heads, tokens),
        PieceTable("characters", say("pieces-characters"), named, characters, are_named=True),
    ]
