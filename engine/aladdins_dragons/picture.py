"""What the board's SVG template draws: plain data, every word already in the reader's language."""

from collections.abc import Sequence
from typing import Any

from engine.aladdins_dragons.model import View


def picture(view: View, language: str, names: Sequence[str]) -> dict[str, Any]:
    """The view as plain data for the template.

    Returns a dictionary of this shape ("label", "name" and the like are words for the reader; ids are not):

        rules         "aladdins-dragons"
        title         the name of the game
        alt           one sentence for the image's alternative text
        round         int, 0 before the first round
        round_label   "Round 3"
        phase         "treasures" | "placing" | "tally" | "between" | "over"
        phase_label   the same in words
        viewer        seat, or None for a spectator
        camel         seat that holds the camel (the starting player)
        kinds         [{"id": "crown", "label": "Crowns"}], five, left to right
        groups        [group], in the order "palace", "city", "caves" from top to bottom of the board
        players       [player] by seat
        bank          [{"kind", "label", "amount": int}] by kind
        hand          [int] values of the viewer's tokens in hand; None for a spectator
        hand_label    "Your hand"
        bank_label    "Bank"
        outcome       the sentence that names the winner, or None

    group:

        id            "caves" | "city" | "palace"
        label         its name
        spaces        [space] from left to right as on the board

    space:

        id            "cave-crown", "market", "guard", "room-1" ... as in actions
        label         its name
        short         a name of one or two words, for little room
        kind          kind of treasure of a cave, else None
        state         "closed" (no token may be placed here by the rules: empty cave, sold-out room, tent and Djinn in
                      the basic version) | "open" | "tallying" | "tallied"
        shelves       [int] values still on the shelves of a cave, top first; [] elsewhere
        artifacts     artifacts left in a room, the one for sale included; None elsewhere
        artifact      name of the artifact for sale if it lies face up, else None
        guard         strength of the guard once revealed; None before and elsewhere
        rows          [row] one for each seat with tokens here: in the order of rank once ranked, else by seat
        summary       the space in one line of text, for a screen reader

    row:

        seat          whose tokens
        name          his name
        count         how many
        faces         [{"value": int or None, "face_up": bool, "mine": bool}] in the order in which they came; a value
                      is None when the viewer may not see it; "mine" is a token of the viewer
        total         strength, once the space is ranked, else None
        rank          1 for the strongest, once the space is ranked, else None

    player:

        seat          int
        name          his name
        is_viewer     bool
        has_camel     bool
        is_asked      bool: the game waits for him, as far as everybody may know
        is_in_palace  bool: admitted by the guard this round
        is_resigned   bool
        artifacts     int
        artifacts_label  "3 artifacts"
        hoard         [{"kind", "label", "amount": int}] by kind, or None if the viewer may not see it
        hoard_total   int, or None
        hand          number of tokens in hand
        place         final place, 1 for the winner, once the game is over, else None
    """
    return {}
