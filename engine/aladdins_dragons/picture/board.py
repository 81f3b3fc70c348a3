"""What the board's SVG template draws: plain data, every word already in the reader's language."""

from collections.abc import Sequence

from engine.aladdins_dragons.board.facts import CAVES, CITY, GUARD, KINDS, ROOMS, cave_kind
from engine.aladdins_dragons.board.view_model import SeenToken, View
from engine.aladdins_dragons.picture.layout import lay_out
from engine.aladdins_dragons.picture.magic import card_lists, card_rule, marks, notes, own_spells, player_cards
from engine.aladdins_dragons.text.summary import find_offer, is_closed, phase, round_label, space_line
from engine.aladdins_dragons.text.words import Words
from engine.core import JsonObject, Seat


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
        hand          number of tokens in hand
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
        **player_cards(view, words, seat),
        "place": view.outcome.ranking.index(seat) + 1 if view.outcome else None,
    }


def _treasure(words: Words, amounts: dict[str, int]) -> list[JsonObject]:
    return [{"kind": kind, "label": words.kind(kind), "amount": amounts[kind]} for kind in KINDS]
