"""What the magic version adds to the board in words."""

from collections.abc import Iterator, Sequence

from engine.aladdins_dragons.board.model import View
from engine.aladdins_dragons.text.words import Words
from engine.core import Seat


def magic_facts(view: View, words: Words, seat: Seat) -> Iterator[str]:
    """Of a player: spells, artifacts used, and with open hoards the artifacts everybody knows of (A47)."""
    if not view.has_magic:
        return
    magic = view.magic
    yield words.sentence("spells-in-hand", count=magic.spell_counts[seat])
    if view.open_hoards and magic.tiles[seat]:
        yield words.sentence("tiles", cards={"cards": magic.tiles[seat]})
    if magic.used[seat]:
        yield words.sentence("used", cards={"cards": magic.used[seat]})
    if magic.allowance[seat] > 1:
        yield words.sentence("two-uses")


def magic_lines(view: View, words: Words) -> Iterator[str]:
    """What the viewer owns, what it does, and what he knows."""
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
