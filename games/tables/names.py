"""Names inside sentences: one that is written from right to left does not turn what stands around it.

UAX 9, 2.4.2: what comes between FSI and PDI is laid out by itself. Names in scripts that run as the sentences do
need neither, and stay as they are.
"""

import unicodedata

RIGHT_TO_LEFT = ("R", "AL", "AN")
BEGIN, END = "\u2068", "\u2069"
UNSEEN = str.maketrans({BEGIN: None, END: None})


def isolated(name: str) -> str:
    """A name as it stands in a sentence."""
    turns = not name.isascii() and any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name)
    return f"{BEGIN}{name}{END}" if turns else name


def shortened(name: str, most: int) -> str:
    """The same in so many characters at most, the last a sign that some are missing."""
    bare = name.translate(UNSEEN)
    return isolated(bare if len(bare) <= most else f"{bare[: most - 1].rstrip()}…")
