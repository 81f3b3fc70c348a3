"""The sentences of the lesson."""

from engine.core.language import _

LESSON_SENTENCES = {
    "lesson-about": _(
        "Outwit the others in the dragons' caves, bribe the palace guard, and buy more artifacts than anybody else."
    ),
    "lesson-title-cave": _("Treasure from a cave"),
    "lesson-title-room": _("An artifact in a room"),
    "lesson-title-guard": _("Past the guard"),
    "lesson-title-second-cave": _("A second cave"),
    "lesson-title-market": _("One treasure for three"),
    "lesson-title-camel": _("Player sequence"),
    "lesson-title-free": _("As you like"),
    "lesson-title-last": _("Your last token"),
    "lesson-title-caves": _("The tally: the caves"),
    "lesson-title-city": _("The tally: the city"),
    "lesson-title-palace": _("The tally: the guard"),
    "lesson-title-rooms": _("The tally: the rooms"),
    "lesson-aim": _(
        "Whoever buys most artifacts wins. They are sold in the palace for treasure, and treasure lies in the caves."
        " You have eight tokens, whose strength only you see, and {amounts}."
    ),
    "lesson-tap": _("Tap the lit {token}, then a lit space."),
    "lesson-cave": _(
        "In a cave the strongest takes the top shelf, the next the shelf below. Your tokens in one space add up; so do"
        " those of the others, who may still outbid you. The most treasure lies {at}."
    ),
    "lesson-room": _(
        "In a room the strongest may buy the artifact and pays what their own tokens there show: a 5 costs five of one"
        " kind, and each further token is paid in a different kind."
    ),
    "lesson-guard": _(
        "Only those who pass the guard may buy. His strength, 1 to 10, is still hidden: be at least as strong, or pay"
        " what you lack, in any kinds. With no token here you stay out, and your tokens in the rooms come home."
    ),
    "lesson-second-cave": _("You will need more treasure to buy: try another cave."),
    "lesson-market": _(
        "In the city only the strongest in each space gets anything: at the market, any three treasures for one."
    ),
    "lesson-camel": _(
        "The camel marks where player sequence begins; from there it goes clockwise. It says who places first, and who"
        " is ahead when two are equally strong. {seat} has it now. The strongest at the caravanserai gives it to"
        " anyone, or keeps it."
    ),
    "lesson-camel-mine": _(
        "The camel marks where player sequence begins; from there it goes clockwise. It says who places first, and who"
        " is ahead when two are equally strong. You have it now. The strongest at the caravanserai may give it away or"
        " keep it."
    ),
    "lesson-free": _(
        "Make one of your spaces safer with a second token, or try another space: nothing you place comes back before"
        " the tally."
    ),
    "lesson-placed": _("Your {value} lies face down {at}."),
    "lesson-waste-price": _(
        "That may be wasted: your tokens {at} cost {price}, each in one kind of its own, and with the caves you see you"
        " cannot have so much this round."
    ),
    "lesson-waste-strong": _("That may be wasted: you had {total} at the guard before, and no guard is above 10."),
    "lesson-waste-no-guard": _(
        "Your tokens in the rooms will come home: you have none at the guard, and none left to place."
    ),
    "lesson-waste-no-room": _(
        "Your tokens at the guard win nothing alone: you have none in a room, so there is nothing to buy."
    ),
    "lesson-caves-rule": _("All tokens have been placed. The caves come first: the strongest takes the top shelf."),
    "lesson-cave-alone": _("{space}: nobody else came. Your {own} takes {amounts} from the top shelf."),
    "lesson-cave-first": _("{space}: you are ahead, {own} against {theirs} of {seat}. You take {amounts}."),
    "lesson-cave-next": _("{space}: {seat} is ahead, {theirs} against your {own}. You take the next shelf: {amounts}."),
    "lesson-cave-nothing": _(
        "{space}: {seat} is ahead, {theirs} against your {own}, and no shelf is left for you: nothing."
    ),
    "lesson-caves-none": _("You had no token in a cave: their treasure went to the others or back to the bank."),
    "lesson-tie-won": _(
        "{total} against {total} is a tie, which player sequence decides: clockwise from the camel, you come before"
        " {seat}."
    ),
    "lesson-tie-lost": _(
        "{total} against {total} is a tie, which player sequence decides: clockwise from the camel, {seat} comes before"
        " you."
    ),
    "lesson-city-rule": _("In the city only the strongest in each space gets anything."),
    "lesson-market-won": _("{space}: your {own} is the strongest. You gave {paid} and took {amounts}."),
    "lesson-market-kept": _(
        "{space}: your {own} is the strongest, but you changed nothing. One treasure for three is a gain whenever you"
        " have one to give."
    ),
    "lesson-city-lost": _("{space}: {seat} is ahead, {theirs} against your {own}. You get nothing."),
    "lesson-city-none": _("You had no token in the city."),
    "lesson-camel-taken": _(
        "{space}: your {own} is the strongest, and you took the camel. You come first in player sequence now: at the"
        " guard, in every tie in the rooms, and when the next round begins."
    ),
    "lesson-camel-given": _(
        "{space}: your {own} is the strongest, and {seat} has the camel now, so sequence begins there."
    ),
    "lesson-camel-left": _("{space}: your {own} is the strongest, and you left the camel where it was."),
    "lesson-ask-market": _(
        "You are the strongest at the market: give one treasure and take three of what you need to buy."
    ),
    "lesson-need": _("Your {own} {at} will cost {own}, each number in one kind. You have {amounts}."),
    "lesson-ask-camel": _(
        "You are the strongest at the caravanserai: say who gets the camel. Whoever has it is ahead in every tie and"
        " places first in the next round."
    ),
    "lesson-guard-rule": _(
        "Now the guard is turned over, and all see that he is worth {strength}. Whoever has at least as much there"
        " enters."
    ),
    "lesson-guard-in": _("You have {own} there: you are in, and pay nothing."),
    "lesson-guard-bribed": _("You have {own} there and paid {paid} for what was missing: you are in."),
    "lesson-guard-poor": _("You have {own} there: {missing} is missing, more than all your treasure. You stay out."),
    "lesson-guard-out": _("You have {own} there: {missing} is missing, and you did not pay it. You stay out."),
    "lesson-guard-absent": _("You have no token at the guard, so you stay out."),
    "lesson-ask-bribe": _(
        "You lack {missing}. Pay that in any kinds if enough is left to buy in a room; else stay out, and keep it."
    ),
    "lesson-evicted": _("Your {values} from the rooms came home unseen: you buy nothing and pay nothing for them."),
    "lesson-others-in": _("In the palace: {seats}."),
    "lesson-others-none": _("Nobody is in the palace."),
    "lesson-rooms-rule": _("In each room the strongest of those in the palace may buy first."),
    "lesson-ask-buy": _(
        "The artifact {at} is yours if you pay for your own tokens there. Buy: in the end only artifacts count."
    ),
    "lesson-bought": _("{space}: you paid {amounts} for your {own}, and the artifact is yours."),
    "lesson-room-lost": _("{space}: {seat} was ahead, {theirs} against your {own}, and bought. You pay nothing."),
    "lesson-room-poor": _(
        "{space}: you could have bought, but could not pay for your {own}: each token is paid in a different kind, and"
        " you had {amounts}."
    ),
    "lesson-room-declined": _(
        "{space}: you could have paid for your {own}, and did not buy. Treasure alone wins nothing at the end."
    ),
    "lesson-bribe-wasted": _("You paid the guard and bought nothing: a bribe helps only if enough is left for a room."),
    "lesson-rooms-none": _("You had no token left in a room, so there was nothing for you to buy."),
    "lesson-score": _(
        "Artifacts: {totals}. All tokens now return to hand, also those that won nothing, and the next round begins."
        " When the last artifact is sold, whoever has most wins, and ties go by player sequence."
    ),
    "lesson-after": _(
        "You have played a whole round. You may not have met the bribe at the guard yet; Aladdin's tent and the house"
        " of the Djinn are open in the magic version alone."
    ),
    "lesson-puzzle": _(
        "It is your last token, a 4, and everything lies open. You and Ben have 5 each in room 2, where the"
        " last artifact"
        " of all is for sale; the guard is a 6, and you have 7 there. Ben has the camel. Where do you put your 4, so"
        " that you get the artifact?"
    ),
    "lesson-choice": _("Put it {at}"),
}
"""Sentences by code."""
