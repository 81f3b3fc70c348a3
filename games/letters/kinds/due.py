"""Your decision is due."""

from games.letters.asking import AskingLetter


class Due(AskingLetter):
    """Sent when a question opens. A missed deadline does not count unless it was delivered."""

    event = "decision.due"
