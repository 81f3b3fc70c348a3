"""What things are worth to a bot, in treasure. Only artifacts win; treasure is what they are bought with."""

from engine.aladdins_dragons.board.facts import PIECES

MEAN_TOKEN = sum(PIECES.tokens) / len(PIECES.tokens)
ARTIFACT = 12.0  # above the usual price
SATURATION = 20.0  # a hoard that large halves what further treasure is worth
EXCHANGE = 2.0  # the gain at the market
CAMEL = 1.5  # what going first in every tie is worth
DJINN = 1.5  # a second artifact in the round
SPELL = 2.5  # a card in hand
VICTORY = 60.0  # winning, against losing
RIVALRY = 0.5  # what is taken from all others counts half of what one gains

KEEP = {
    "key": 3.0, "double": 2.6, "carpet": 2.5, "scroll": 2.0, "counterspell": 1.5, "lamp": 1.0,
}  # fmt: skip
"""How useful a tile is to own, beside counting for victory."""


def greed(held: float) -> float:
    """What one treasure more counts to somebody who holds so much."""
    return 1 / (1 + max(0.0, held) / SATURATION)


SPELLS = {
    "second_chance": 2.5, "abracadabra": 2.0, "last_first": 2.5, "charity": 3.0, "city_tax": 2.2, "donation": 1.5,
    "dragon_leaves": 2.0, "dragons_return": 1.8, "eye_for_an_eye": 2.0, "lunar_eclipse": 2.2, "mages_apprentice": 1.0,
    "mirage": 0.8, "parasite": 2.0, "sacrifice": 1.5, "smuggler": 2.4, "solar_eclipse": 2.2, "spy": 1.6,
    "sultans_tax": 2.0, "taboo": 1.4, "teleport": 2.4, "trade": 1.2,
}  # fmt: skip
"""How useful a spell is to keep, when there is a choice."""
