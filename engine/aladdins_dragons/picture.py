"""Makes the data that the board's SVG template draws."""

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap

from engine.aladdins_dragons.cards.card import rule_text
from engine.aladdins_dragons.describe import find_offer, is_closed, phase, round_label, situation, space_line
from engine.aladdins_dragons.effects import CLOSED, FIRST
from engine.aladdins_dragons.facts import CAVES, CITY, GUARD, KINDS, ROOMS, cave_kind
from engine.aladdins_dragons.model import SeenToken, View
from engine.aladdins_dragons.words import Words
from engine.core import JsonObject, Seat

# Where everything lies in the picture of the board: whole units on a sheet 400 wide, made for a portrait phone.

WIDTH = 400
MARGIN = 8  # left and right of the sheet
GAP = 4  # between two spaces
STEP = 17  # from one token to the next
LINE = 18  # from one line of tokens to the next
TITLE = 36  # height of the strip with round and phase
BANNER = 32  # height of the strip above the spaces of a group
HEAD = {"palace": 44, "city": 44, "caves": 36}  # of a space, above its tokens; caves: without their shelves
SHELF = 17
LEAST_ROWS = 1  # lines of tokens for which there is always room
PLAYER = 27  # height of a player's line
TILES = 20  # height of the line of a player's artifacts below it
NOTE = 15  # height of a line of a note
NOTE_LETTERS = {"window": 50, "ask": 50, "play": 56, "effect": 56}  # in a line of a note, about; the first are bold
OFFER = 13  # height of the name of an artifact for sale
CARD = 21  # height of a line of spell cards
CARDS_ACROSS = 2
NARROW = 62  # width of a closed space of the city
GUARD_PLACE = 70

COLOURS = ("#b3261e", "#1d56b8", "#1f7a4d", "#6b34a8", "#86580f")
"""Colours of the seats' tokens; their shapes differ too."""


def lay_out(picture: JsonObject) -> None:
    """Adds the places to a picture.

    The picture gets `width`, `height`, `shelf_count`, `goods_y` (where everybody's
    goods begin) and `hand_y`, `players_y`, `bank_y` of those lines. Each group
    gets `y`, `height`; each space `x`, `y`, `width`, `height` and `head`; each row `y`, `height`, `colour`,
    `total_x`, `total_y`; each player `y`, `height`, `colour`; each note `y`, `height`, `lines` ({"y", "text"}); what
    belongs to a seat its `colour`. Each spell gets `x`, `y`, `width`. Within a space, rows count from its
    top, and the centre of every face is its `x`, `y`.
    """
    picture["width"] = WIDTH
    spaces = (space for group in picture["groups"] for space in group["spaces"])
    picture["shelf_count"] = max(1, *(len(space["shelves"]) for space in spaces))
    y = _lay_out_notes(picture["notes"])
    for group in picture["groups"]:
        _lay_out_group(group, y, picture["shelf_count"])
        y += group["height"]
    picture["goods_y"] = y
    picture["hand_y"] = y + 8
    y += 8 + (34 if picture["hand"] else 0)
    y = _lay_out_spells(picture, y)
    picture["players_y"] = y
    for player in picture["players"]:
        height = PLAYER - 2 + (TILES if player["spells"] is not None else 0)
        player |= {"y": y, "height": height, **_colour(player["seat"])}
        y += height + 2
    picture["bank_y"] = y
    picture["height"] = y + PLAYER + MARGIN


def _lay_out_notes(notes: Sequence[JsonObject]) -> int:
    """One below the other under the title; returns where the board begins."""
    y = TITLE
    for note in notes:
        parts = wrap(note["text"], NOTE_LETTERS[note["kind"]])
        lines = [{"y": 14 + NOTE * number, "text": text} for number, text in enumerate(parts)]
        note |= {"y": y, "lines": lines, "height": NOTE * len(lines) + 5, **_colour(note["seat"])}
        y += note["height"] + 3
    return y


def _colour(seat: int | None) -> dict[str, str]:
    return {} if seat is None else {"colour": COLOURS[seat]}


def _lay_out_spells(picture: JsonObject, y: int) -> int:
    """The viewer's spell cards side by side; returns where they end."""
    width = (WIDTH - 2 * MARGIN - GAP * (CARDS_ACROSS - 1)) // CARDS_ACROSS
    spells = picture["own_spells"]
    for number, spell in enumerate(spells):
        line, place = divmod(number, CARDS_ACROSS)
        spell |= {"x": MARGIN + place * (width + GAP), "y": y + line * CARD, "width": width}
    return y + -(-len(spells) // CARDS_ACROSS) * CARD + (4 if spells else 0)


def _lay_out_group(group: JsonObject, y: int, shelves: int) -> None:
    spaces = group["spaces"]
    head = HEAD[group["id"]] + (shelves * SHELF if group["id"] == "caves" else 0)
    head += OFFER if any(space["offer"] for space in spaces) else 0
    x = MARGIN
    for space, width in zip(spaces, _widths(group["id"], spaces), strict=True):
        space |= {"x": x, "y": y + BANNER, "width": width, "head": head}
        for mark in space["marks"]:
            mark.update(_colour(mark["seat"]))
        _lay_out_rows(space)
        x += width + GAP
    height = max(space["height"] for space in spaces)
    for space in spaces:
        space["height"] = height
    group |= {"y": y, "height": BANNER + height + MARGIN}


def _widths(group: str, spaces: Sequence[JsonObject]) -> list[int]:
    """Guard and closed spaces of the city have a width of their own; the others share the rest."""
    fixed = [_own_width(group, space) for space in spaces]
    rest = WIDTH - 2 * MARGIN - GAP * (len(spaces) - 1) - sum(fixed)
    return [width or rest // fixed.count(0) for width in fixed]


def _own_width(group: str, space: JsonObject) -> int:
    if group == "palace":
        return GUARD_PLACE if space["id"] == "guard" else 0
    return NARROW if group == "city" and space["state"] == "closed" else 0


def _lay_out_rows(space: JsonObject) -> None:
    across = max(2, (space["width"] - 4) // STEP)
    left = (space["width"] - across * STEP) // 2 + STEP // 2
    y = space["head"]
    for row in space["rows"]:
        lines = _lay_out_row(row, y, left, across)
        row |= {"y": y, "height": lines * LINE + 2, **_colour(row["seat"])}
        y += row["height"] + 1
    space["height"] = max(y, space["head"] + LEAST_ROWS * LINE + 3) + 3


def _lay_out_row(row: JsonObject, y: int, left: int, across: int) -> int:
    """Sets the tokens of one seat in lines, and after the last one its strength. Returns the number of lines."""
    places = [
        (left + place % across * STEP, y + 1 + LINE // 2 + place // across * LINE) for place in range(row["count"] + 1)
    ]
    for face, (x, line) in zip(row["faces"], places, strict=False):
        face |= {"x": x, "y": line}
    row["total_x"], row["total_y"] = places[-1][0] + 1, places[-1][1]
    taken: int = row["count"] + (row["total"] is not None)
    return -(-taken // across)


# The magic version in the picture of the board, and the viewer's cards beside it.


def notes(view: View, words: Words) -> list[JsonObject]:
    """Returns what everybody should know now, as `situation` says it."""
    return [{"kind": note.kind, "text": note.text, "seat": note.seat} for note in situation(view, words)]


def marks(view: View, space: str) -> list[JsonObject]:
    """Returns what lasts on a space: {"id": "closed"} or {"id": "first", "seat": who counts as the strongest}."""
    if not view.has_magic:
        return []
    shown = [effect for effect in view.magic.effects if effect.space == space and effect.name in (CLOSED, FIRST)]
    return [{"id": effect.name, "seat": effect.seat} for effect in shown]


def player_cards(view: View, words: Words, seat: Seat) -> JsonObject:
    """A player's spells and tiles; the keys are those of `picture.picture`."""
    if not view.has_magic:
        return {"spells": None, "spells_label": "", "tiles": [], "uses_label": ""}
    magic = view.magic
    left = max(0, magic.allowance[seat] - len(magic.used[seat]))
    return {
        "spells": magic.spell_counts[seat],
        "spells_label": words.sentence("spells-in-hand", count=magic.spell_counts[seat]),
        "tiles": _tiles(view, words, seat),
        "uses_label": words.sentence("uses-left", count=left),
    }


def _tiles(view: View, words: Words, seat: Seat) -> list[JsonObject]:
    """Every tile: one's own and those everybody knows of by type (A47); then the others."""
    magic = view.magic
    own = magic.artifacts if seat == view.seat and magic.artifacts is not None else magic.tiles[seat]
    shown_tiles = list((Counter(own) | Counter(magic.used[seat])).elements())
    used = Counter(magic.used[seat])
    tiles = []
    for name in shown_tiles:
        rule = card_rule(view, words, name)
        tiles.append({"id": name, "label": f"{words.card(name)}: {rule}", "is_used": used[name] > 0})
        used[name] -= 1
    hidden = view.artifact_counts[seat] - len(shown_tiles)
    unknown = {"id": "hidden", "label": words.sentence("tile-hidden"), "is_used": False}
    return [*tiles, *(unknown for _ in range(hidden))]


def own_spells(view: View, words: Words) -> list[dict[str, str]]:
    """The viewer's spells: name and rule."""
    names = (view.magic.spells or []) if view.has_magic else []
    return [{"name": words.card(name), "rule": card_rule(view, words, name)} for name in names]


def card_rule(view: View, words: Words, card: str) -> str:
    """Returns what a card does at this table."""
    return words.say(rule_text(card, view.magic.last_first))


def card_lists(view: View, words: Words) -> list[JsonObject]:
    """Cards with what they do, in groups: those of the viewer, what is for sale, and what has been played."""
    if not view.has_magic:
        return []
    magic, seat = view.magic, view.seat
    lists: list[tuple[str, list[str], list[str]]]
    lists = [("cards-for-sale", list(magic.offers.values()), []), ("cards-played", magic.played, [])]
    if seat is not None:
        used = magic.used[seat]
        lists = [("own-spells", magic.spells or [], []), ("own-artifacts", magic.artifacts or [], used), *lists]
    return [
        {"label": words.sentence(code), "cards": _cards(view, words, names, marked)}
        for code, names, marked in lists
        if names
    ]


def _cards(view: View, words: Words, names: Iterable[str], used: Iterable[str]) -> list[JsonObject]:
    spent = Counter(used)
    return [
        {
            "name": words.card(name),
            "count": count,
            "rule": card_rule(view, words, name),
            "note": words.sentence("used-mark") if spent[name] else "",
        }
        for name, count in Counter(names).items()
    ]


# The data of the board's SVG template, every word already in the reader's language.


def picture(view: View, language: str, names: Sequence[str]) -> JsonObject:
    """The view as plain data for the template.

    Returns a dictionary of this shape ("label", "name" and the like are words for the reader; ids are not):

        rules         "aladdins-dragons"
        title         the name of the game
        alt           one sentence for the image's alternative text
        round         int, 0 before the first round
        round_label   "Round 3"
        phase         "treasures" | "placing" | "window" | "tally" | "between" | "over"
        phase_label   the same in words
        viewer        seat, or None for a spectator
        camel         seat that holds the camel (the starting player)
        kinds         [{"id": "crown", "label": "Crowns"}], five, left to right
        groups        [group], in the order "palace", "city", "caves" from top to bottom of the board
        players       [player] by seat
        bank          [{"kind", "label", "amount": int}] by kind
        hand          [int] values of the viewer's tokens in hand; None for a spectator
        hand_label    "Your hand"
        you           "You", for the viewer instead of his name
        players_label, camel_label, palace_label   "Players", "has the camel", "in the palace"
        bank_label    "Bank"
        outcome       the sentence that names the winner, or None
        notes         [{"kind", "text", "seat"}] what is happening and what lasts: `situation.Remark`; magic only
        own_spells    [{"name", "rule"}] the viewer's spells
        cards_label   "Your artifacts and spells"
        cards         [{"label", "cards": [{"name", "count", "rule", "note"}]}] what cards do, for beside the picture

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
        state_label   the state in words, "" for "open"
        shelves       [int] values still on the shelves of a cave, top first; [] elsewhere
        artifacts     artifacts left in a room, the one for sale included; None elsewhere
        artifact      short name of the artifact for sale if it lies face up, else None
        offer         its type, "hidden" for a stack of face-down ones in the magic version, else None
        offer_rule    what it does, with its name; "" if it is not known
        marks         what lasts on the space: `magic_picture.marks`
        guard         strength of the guard once revealed; None before and elsewhere
        rows          [row] one for each seat with tokens here: in the order of rank once ranked, else by seat
        summary       the space in one line of text, for a screen reader

    row:

        seat          whose tokens
        name          his name
        count         how many
        faces         [{"number": int, "value": int or None, "face_up": bool, "mine": bool, "source": str}] in the order
                      in which they came; the number names the token at its space; a value is None when the viewer
                      may not see it; "mine" is a token of the viewer; the source is "carpet" or "double", or "" for
                      a token of the hand
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
        hand          number of tokens in hand; hand_label the same in words
        spells        number of spell cards, None in the basic version; spells_label the same in words
        tiles         [{"id", "label", "is_used"}] artifacts and what they do; "hidden" if the viewer may not see it
        uses_label    "1 artifact use left"
        place         final place, 1 for the winner, once the game is over, else None

    Beside these there is where everything lies on the sheet: see `board_layout.lay_out`.
    """
    words = Words(language, names)
    palace = (GUARD, *ROOMS[: view.seats])
    drawn: JsonObject = {
        "rules": "aladdins-dragons",
        "title": words.sentence("title"),
        "alt": words.sentence("board-alt", round=round_label(view, words)),
        "round": view.round,
        "round_label": round_label(view, words),
        "phase": phase(view),
        "phase_label": words.sentence(f"phase-{phase(view)}"),
        "viewer": view.seat,
        "camel": view.camel,
        "kinds": [{"id": kind, "label": words.kind(kind)} for kind in KINDS],
        "groups": [
            _group(view, words, "palace", palace),
            _group(view, words, "city", tuple(reversed(CITY))),  # tallied from right to left (A32)
            _group(view, words, "caves", CAVES),
        ],
        "players": [_player(view, words, seat) for seat in range(view.seats)],
        "bank": _treasure(words, view.bank),
        "bank_label": words.sentence("bank"),
        "hand": None if view.hand is None else list(view.hand),
        "hand_label": words.sentence("hand"),
        "you": words.sentence("you").capitalize(),
        "players_label": words.sentence("players"),
        "camel_label": words.sentence("camel-here"),
        "palace_label": words.sentence("in-palace"),
        "outcome": words.say(view.outcome.reason) if view.outcome else None,
        "notes": notes(view, words),
        "own_spells": own_spells(view, words),
        "cards_label": words.sentence("your-cards"),
        "cards": card_lists(view, words),
    }
    lay_out(drawn)
    return drawn


def _group(view: View, words: Words, name: str, spaces: Sequence[str]) -> JsonObject:
    return {
        "id": name,
        "label": words.sentence(f"group-{name}"),
        "spaces": [_space(view, words, space) for space in spaces],
    }


def _space(view: View, words: Words, space: str) -> JsonObject:
    kind = cave_kind(space) if space in CAVES else None
    return {
        "id": space,
        "label": words.space(space),
        "short": words.short_space(space),
        "kind": kind,
        "state": _space_state(view, space),
        "state_label": _state_label(words, _space_state(view, space)),
        "shelves": list(view.caves[kind]) if kind else [],
        "artifacts": view.offers.get(space),
        "artifact": words.short_card(offer) if (offer := find_offer(view, space)) else None,
        "offer": offer or ("hidden" if view.has_magic and view.offers.get(space) else None),
        "offer_rule": f"{words.card(offer)}: {card_rule(view, words, offer)}" if offer else "",
        "marks": marks(view, space),
        "guard": view.guard if space == GUARD else None,
        "rows": _rows(view, words, space),
        "summary": space_line(view, words, space),
    }


def _space_state(view: View, space: str) -> str:
    if space == view.tallying:
        return "tallying"
    if space in view.tallied:
        return "tallied"
    return "closed" if is_closed(view, space) else "open"


def _state_label(words: Words, state: str) -> str:
    return "" if state == "open" else words.sentence(state)


def _rows(view: View, words: Words, space: str) -> list[JsonObject]:
    tokens, ranking = view.spaces.get(space, []), view.rankings.get(space)
    present = {token.seat for token in tokens}
    ranked = [seat for seat in ranking.seats if seat in present] if ranking else []
    totals = dict(zip(ranking.seats, ranking.totals, strict=True)) if ranking else {}
    return [
        {
            "seat": seat,
            "name": words.name(seat),
            "count": sum(token.seat == seat for token in tokens),
            "faces": [_token_fields(view, token) for token in tokens if token.seat == seat],
            "total": totals.get(seat),
            "rank": ranked.index(seat) + 1 if seat in ranked else None,
        }
        for seat in ranked or sorted(present)
    ]


def _token_fields(view: View, token: SeenToken) -> JsonObject:
    return {
        "number": token.number,
        "value": token.value,
        "face_up": token.face_up,
        "mine": token.seat == view.seat,
        "source": token.source,
    }


def _player(view: View, words: Words, seat: Seat) -> JsonObject:
    hoard, count = view.hoards[seat], view.artifact_counts[seat]
    return {
        "seat": seat,
        "name": words.name(seat),
        "is_viewer": seat == view.seat,
        "has_camel": seat == view.camel,
        "is_asked": any(decision.seat == seat and decision.prompted for decision in view.asked),
        "is_in_palace": seat in view.admitted,
        "is_resigned": seat in view.resigned,
        "artifacts": count,
        "artifacts_label": words.sentence("artifacts", count=count),
        "hoard": None if hoard is None else _treasure(words, hoard),
        "hoard_total": None if hoard is None else sum(hoard.values()),
        "hand": view.hand_counts[seat],
        "hand_label": words.sentence("tokens-in-hand", count=view.hand_counts[seat]),
        **player_cards(view, words, seat),
        "place": view.outcome.ranking.index(seat) + 1 if view.outcome else None,
    }


def _treasure(words: Words, amounts: dict[str, int]) -> list[JsonObject]:
    return [{"kind": kind, "label": words.kind(kind), "amount": amounts[kind]} for kind in KINDS]
