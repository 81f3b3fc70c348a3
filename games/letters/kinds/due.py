"""Your decision is due."""

from games.letters.asking import AskingLetter


class Due(AskingLetter):
    """Written when a question opens; what was promised is that nobody is passed who did not get it."""

    event = "decision.due"
