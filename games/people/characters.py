"""The characters behind the bots of the rules: who they are, how strong, and what they say at a table.

Records and the API know a bot by its code; what people read is its character's name. A bot of a package has none and
keeps its own name. Strengths are measured: `docs/opponents.md`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

STRONGEST = 5
OFTEN = 3  # in one of so many spells of a game somebody says something
SPELL = 14  # public events
BEGINNING = 2  # spells


class Moment(StrEnum):
    """When a character may say something: the code of what it says."""

    BEGIN = "begin"
    AHEAD = "ahead"
    BEHIND = "behind"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True)
class Character:
    """One of them.

    Arguments:
        bot: its code, and that of the rules' bot that plays for it.
        portrait: the name of its drawing.
        strength: from 1 to 5, over all games.
        temper: in a word or two.
        about: how it plays, in a line.
        words: what it says, by moment. It knows no more than everybody at the table.
    """

    bot: str
    name: str
    portrait: str
    strength: int
    temper: "StrPromise"
    about: "StrPromise"
    words: Mapping[Moment, "StrPromise"] = field(default_factory=dict)


CHARACTERS: Mapping[str, Character] = {
    character.bot: character
    for character in (
        Character(
            "random", "Tariq", "tariq", 1, _("carefree"), _("Throws everything in the air and sees where it lands."),
            {
                Moment.BEGIN: _("Lovely board. What are the rules again?"),
                Moment.AHEAD: _("I'm ahead? Nobody touch anything."),
                Moment.BEHIND: _("Everything is going to plan. I have no plan."),
                Moment.WON: _("I'd explain how, but I wasn't watching."),
                Moment.LOST: _("Well played! At least one of us did."),
            },
        ),
        Character(
            "careless", "Laila", "laila", 2, _("dreamy"), _("Plays well, until a cloud drifts by."),
            {
                Moment.BEGIN: _("I brought tea. And my whole attention, for now."),
                Moment.AHEAD: _("Ahead already? I was looking at the moon."),
                Moment.BEHIND: _("I had a good move. It flew away."),
                Moment.WON: _("Oh! Is it over? How nice."),
                Moment.LOST: _("You won. I saw it coming, then a bird."),
            },
        ),
        Character(
            "greedy", "Nur", "nur", 3, _("quick"), _("Takes what glitters."),
            {
                Moment.BEGIN: _("Fair prices, fast hands. Shall we?"),
                Moment.AHEAD: _("Business is good today."),
                Moment.BEHIND: _("A slow morning. The market turns."),
                Moment.WON: _("A pleasure doing business with you."),
                Moment.LOST: _("You drove a hard bargain. Again?"),
            },
        ),
        Character(
            "planner", "Farid", "farid", 4, _("careful"), _("Draws a map before every step."),
            {
                Moment.BEGIN: _("I've drawn three routes. One is yours."),
                Moment.AHEAD: _("The map agrees with me so far."),
                Moment.BEHIND: _("This corner wasn't on my map."),
                Moment.WON: _("Straight along the dotted line."),
                Moment.LOST: _("I'll have to redraw the coast."),
            },
        ),
        Character(
            "sultan", "Selim", "selim", 5, _("shrewd"), _("Has seen this evening a hundred times before."),
            {
                Moment.BEGIN: _("Sit down. Let us see what you have brought."),
                Moment.AHEAD: _("I do enjoy the view from here."),
                Moment.BEHIND: _("Bold. I had forgotten that feeling."),
                Moment.WON: _("You made me think. Few do."),
                Moment.LOST: _("The evening is yours. Well earned."),
            },
        ),
        Character(
            "vizier", "Marid", "djinn", 5, _("relentless"), _("A thousand years in a lamp leave time to think."),
            {
                Moment.BEGIN: _("Three wishes? You have one game."),
                Moment.AHEAD: _("I have counted every grain."),
                Moment.BEHIND: _("Interesting. That happens once a century."),
                Moment.WON: _("Rub the lamp whenever you like."),
                Moment.LOST: _("You are free to boast. I will confirm it."),
            },
        ),
    )
}  # fmt: skip
"""From the weakest to the strongest, as on the ladder. Two that no measurement tells apart are equally strong."""

OTHERS_PORTRAIT = "camel"  # of bots that are no character's


def ladder(bots: Collection[str]) -> list[Character]:
    """The characters whose bots some rules have, the weakest first."""
    return [character for character in CHARACTERS.values() if character.bot in bots]


@dataclass(frozen=True)
class Word:
    """What somebody says at a table.

    Arguments:
        seat: number of the seat that speaks.
    """

    seat: int
    character: Character
    code: Moment

    @property
    def text(self) -> str:
        """The sentence, in the active language."""
        return str(self.character.words[self.code])


def word_at(
    game: str,
    reader: int | None,
    bots: Mapping[int, str],
    events: int,
    totals: Mapping[int, int],
    winners: Sequence[int] | None,
) -> Word | None:
    """What is said at a table as it stands: at the beginning, at the end, and now and then; None for nothing.

    It follows from what everybody at the table can see, and is the same whenever the page is looked at.

    Arguments:
        game: ref of the table.
        reader: the seat it is said to; only a winner is told that he has won.
        bots: codes by number of seat; those that are no character's say nothing.
        events: how many public events there have been.
        totals: points by number of seat, as everybody sees them.
        winners: numbers of seats once the game is over.
    """
    seats = [number for number, bot in bots.items() if bot in CHARACTERS]
    if not seats:
        return None
    spell = events // SPELL
    dice = int.from_bytes(sha256(f"{game}:{spell if winners is None else 'end'}".encode()).digest()[:4])
    seat = seats[dice // OFTEN % len(seats)]
    if winners is not None:
        seat = next((number for number in seats if number in winners), seat)
        if seat not in winners and reader not in winners:
            return None
        moment = Moment.WON if seat in winners else Moment.LOST
    elif spell < BEGINNING:
        moment = Moment.BEGIN
    elif dice % OFTEN or not totals:
        return None
    else:
        most = max(totals.values())
        moment = Moment.AHEAD if totals.get(seat) == most else Moment.BEHIND
        if list(totals.values()).count(most) == len(totals):  # nobody is ahead
            return None
    return Word(seat, CHARACTERS[bots[seat]], moment)
