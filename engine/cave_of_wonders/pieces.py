"""What is in the box as tables: the tokens, and the characters on some of them."""

from collections import Counter

from engine.cave_of_wonders.board.facts import CHARACTER_NUMBERS, KINDS, NUMBERS, TOKENS
from engine.cave_of_wonders.text.words import Words
from engine.core.rules import PieceTable


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
