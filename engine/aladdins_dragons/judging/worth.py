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


def greed(held: float) -> float:
    """What one treasure more counts to somebody who holds so much."""
    return 1 / (1 + max(0.0, held) / SATURATION)
