"""What is in the box as tables: treasure cards, artifacts and spells."""

from collections.abc import Iterable

from engine.aladdins_dragons.board.facts import CAVES, DECKS, PIECES
from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from engine.aladdins_dragons.text.magic_sentences import CARD_RULES
from engine.aladdins_dragons.text.words import Words
from engine.core.rules import PieceTable

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
    return sorted(((card, words.card(card), words.get(CARD_RULES[card])) for card in cards), key=lambda one: one[1])
