"""What the board's SVG template draws: plain data, every word already in the reader's language."""

from collections.abc import Sequence

from engine.cave_of_wonders.board import model
from engine.cave_of_wonders.board.cave import ROWS, SPACES
from engine.cave_of_wonders.board.facts import CHARACTER_NUMBERS, GOAL, KINDS, NUMBERS, TRIO_SIZE, Token
from engine.cave_of_wonders.board.model import View
from engine.cave_of_wonders.picture.layout import lay_out
from engine.cave_of_wonders.questions import open_landings, open_targets
from engine.cave_of_wonders.scoring import complete_columns, complete_rows
from engine.cave_of_wonders.text.describe import player_line, status
from engine.cave_of_wonders.text.words import Words
from engine.core import JsonObject, Seat

MOST_PIPS = 6  # for a stack: the sixth makes another trio (C31)


def picture(view: View, language: str, names: Sequence[str]) -> JsonObject:
    """The view as plain data for the template.

    Returns a dictionary of this shape ("label", "name" and the like are words for the reader; ids are not):

        rules         "cave-of-wonders"
        title         the name of the game
        alt           one sentence for the image's alternative text
        turn_label    "Turn 12"
        status        what the game waits for, or how it ended
        roll          the number on the die, or None
        roll_label    "Roll 3", or ""
        viewer        seat, or None for a spectator
        outcome       the sentence that names the winner, or None
        rows          [{"label": "A"}] the letters beside the cave
        spaces        [space] in reading order
        lines         [{"origin", "to"}] from Aladdin to each legal landing
        kinds         [{"id": "emerald", "label": "Emeralds"}]
        characters    [{"id": "carpet", "label": "Carpet", "rule": what it does}]
        cards_label   "What the characters do"
        cards         [{"label", "cards": [{"name", "rule"}]}] the same, for beside the picture
        players       [player] in the order of play

    space:

        id            "E5"
        state         "aladdin" | "empty" | "open" | "hidden"
        kind          kind of the token there, or None
        number        its number, None if hidden, absent or a genie
        character     who is on it, "" for nobody or unknown
        is_landing    bool: Aladdin may go there now, walking or flying
        summary       the token in words, "" if there is none
        rule          what the character does, "" if none is seen

    player:

        seat, name, is_viewer, is_active, is_resigned, favourite (kind)
        takes_genie   bool: this reader chooses a square here for a genie
        score         int
        place         final place, the same for equals, once the game is over, else None
        rows          [{"kind", "label", "is_favourite", "is_complete", "squares": [square]}]
        columns       [{"number", "is_complete"}]
        summary       the player in a line of words

    square:

        id            "ruby-3"
        number        of its column
        count         tokens there
        pips          [{}] one for each token, at most six
        is_trio       bool: three lie there
        has_carpet    bool: a carpet that helps a princess of its kind
        has_genie     bool

    Beside these there is where everything lies on the sheet: see `picture_layout.lay_out`.
    """
    words = Words(language, names)
    reached = {*open_landings(view), *open_targets(view)}
    characters = [
        {"id": one, "label": words.character(one), "rule": words.character_rule(one)} for one in CHARACTER_NUMBERS
    ]
    roll = view.frame.roll if isinstance(view.frame, model.Moving) else None
    drawn: JsonObject = {
        "rules": "cave-of-wonders",
        "title": words.sentence("title"),
        "alt": words.sentence("board-alt", turn=view.turn),
        "turn_label": words.sentence("turn", turn=view.turn),
        "status": words.say(view.outcome.reason) if view.outcome else status(view, words),
        "roll": roll,
        "roll_label": words.sentence("roll-label", roll=roll) if roll else "",
        "viewer": view.seat,
        "outcome": words.say(view.outcome.reason) if view.outcome else None,
        "rows": [{"label": letter} for letter in ROWS],
        "spaces": [_space(view, words, space, reached) for space in SPACES],
        "lines": [{"origin": view.aladdin, "to": space} for space in open_landings(view)],
        "kinds": [{"id": kind, "label": words.kinds(kind)} for kind in KINDS],
        "characters": characters,
        "cards_label": words.sentence("characters"),
        "cards": [{"label": "", "cards": [{"name": one["label"], "rule": one["rule"]} for one in characters]}],
        "players": [_player(view, words, (view.start + step) % view.seats) for step in range(view.seats)],
    }
    lay_out(drawn)
    return drawn


def _space(view: View, words: Words, space: str, reached: set[str]) -> JsonObject:
    seen = view.spaces[space]
    drawn: JsonObject = {"id": space, "kind": None, "number": None, "character": "", "summary": "", "rule": ""}
    if seen is None:
        drawn["state"] = "aladdin" if space == view.aladdin else "empty"
    else:
        drawn |= {
            "state": "open" if seen.face_up else "hidden",
            "kind": seen.kind,
            "number": seen.number,
            "character": seen.character or "",
            "summary": words.token(seen.kind, seen.number, (seen.character or "") if seen.face_up else "hidden"),
            "rule": words.character_rule(seen.character) if seen.face_up and seen.character else "",
        }
    return drawn | {"is_landing": space in reached}


def _player(view: View, words: Words, seat: Seat) -> JsonObject:
    rows, columns = complete_rows(view.boards[seat]), complete_columns(view.boards[seat])
    return {
        "seat": seat,
        "name": words.name(seat),
        "is_viewer": seat == view.seat,
        "is_active": view.outcome is None and seat == view.active,
        "is_resigned": seat in view.resigned,
        "takes_genie": seat == view.seat == view.active and isinstance(view.frame, model.PlacingGenie),
        "favourite": view.favourites[seat],
        "score": view.scores[seat],
        "goal": GOAL,
        "place": _place(view, seat),
        "rows": [
            {
                "kind": kind,
                "label": words.kind(kind),
                "is_favourite": kind == view.favourites[seat],
                "is_complete": kind in rows,
                "squares": [_square(kind, number, view.boards[seat][f"{kind}-{number}"]) for number in NUMBERS],
            }
            for kind in KINDS
        ],
        "columns": [{"number": number, "is_complete": number in columns} for number in NUMBERS],
        "summary": player_line(view, words, seat),
    }


def _place(view: View, seat: Seat) -> int | None:
    if view.outcome is None:
        return None
    winners, order = view.outcome.winners, view.outcome.ranking
    standings = [(other in winners, other in view.resigned, view.scores[other]) for other in order]
    return 1 + standings.index(standings[order.index(seat)])


def _square(kind: str, number: int, tokens: Sequence[Token]) -> JsonObject:
    return {
        "id": f"{kind}-{number}",
        "number": number,
        "count": len(tokens),
        "pips": [{} for _ in tokens[:MOST_PIPS]],
        "is_trio": len(tokens) >= TRIO_SIZE,
        "has_carpet": any(token.character == "carpet" for token in tokens),
        "has_genie": any(token.character == "genie" for token in tokens),
    }
