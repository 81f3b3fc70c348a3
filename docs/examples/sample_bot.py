"""A bot that plays whatever Caravanserai hosts, through the API alone: it knows no rules, only how forms are filled.

    CARAVANSERAI_TOKEN=crv_... python sample_bot.py http://localhost:8000 --joins

It looks every few seconds at the games that wait for its account, or with --listens whenever one has changed. It picks
a legal answer from the description of each question, and sends it. A question that was settled in the meantime (409) is
passed over. With the token of a bot account it plays wherever hosts have seated that. To write one that plays well,
replace `choose`: `game["view"]` is everything your seat may see, `game["board"]` the same in words.
"""

import argparse
import itertools
import math
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from caravanserai import Caravanserai, Data, Refused
from strategies import judge

MOST = 100  # answers of one form that are looked at
SETTLED = ("conflict", "not-found", "quarantined")  # nothing to be done about it now


def choose(question: Data, game: Data, dice: random.Random) -> Data:
    """The best answer to a question, as far as `strategies` can judge it; else any that is legal.

    Arguments:
        game: as the seat sees it: `rules`, `view`, `board`, `waits_for`, and more.
    """
    score = judge(game["rules"], game["view"], question)
    if score is None:
        return throw(question, dice)
    return max(candidates(question, dice), key=score, default=None) or throw(question, dice)


def candidates(question: Data, dice: random.Random) -> Iterator[Data]:
    """Answers to choose from: every one of a form that has few, of another so many as the dice throw."""
    for form in question["actions"]:
        fields = form["fields"]
        if ways(form) <= MOST and all(field["kind"] == "choice" for field in fields):
            every: Iterable[Sequence[Any]] = itertools.product(
                *([one["value"] for one in field["options"]] for field in fields)
            )
        else:
            every = ([fill(field, dice) for field in fields] for _nth in range(MOST))
        names = [field["name"] for field in fields]
        actions = ({"type": form["type"], **dict(zip(names, values, strict=True))} for values in every)
        yield from (action for action in actions if fits(form, action))


def throw(question: Data, dice: random.Random) -> Data:
    """Any legal answer."""
    forms = question["actions"]
    for _try in range(1000):
        form = dice.choices(forms, weights=[ways(form) for form in forms])[0]
        action = {"type": form["type"], **{field["name"]: fill(field, dice) for field in form["fields"]}}
        if fits(form, action):
            return action
    raise ValueError(f"No answer to {question['code']} was found.")


def ways(form: Data) -> int:
    """About how many ways there are to fill a form: dice fall on each alike, and seldom on taking everything back."""
    return math.prod(max(1, len(field["options"])) for field in form["fields"])


def fill(field: Data, dice: random.Random) -> Any:
    """A value of one field: one of its options, or amounts of several."""
    if field["kind"] == "choice":
        return dice.choice(field["options"])["value"]
    given: dict[str, int] = {}
    for _unit in range(field["total"]):
        free = [one for one in field["options"] if one["limit"] is None or given.get(one["value"], 0) < one["limit"]]
        if not free:
            break
        value = dice.choice(free)["value"]
        given[value] = given.get(value, 0) + 1
    return given


def fits(form: Data, action: Data) -> bool:
    """Whether the values of several fields go together: `distinct`, `bars` and `same_as` of the form."""
    groups: dict[str, list[Any]] = {}
    chosen, barred = [], []
    for field in form["fields"]:
        value = action[field["name"]]
        if field["distinct"]:
            groups.setdefault(field["distinct"], []).extend([value] if field["kind"] == "choice" else value)
        if field["same_as"] and sum(value.values()) != sum(action[field["same_as"]].values()):
            return False
        if field["kind"] == "choice":
            chosen.append(value)
            barred += [bar for one in field["options"] if one["value"] == value for bar in one["bars"]]
    is_distinct = all(len(values) == len(set(values)) for values in groups.values())
    return is_distinct and not any(value in barred for value in chosen)


def play(server: Caravanserai, dice: random.Random) -> int:
    """Answers everything that waits for the account, once; returns how many answers were taken."""
    taken = 0
    for listed in list(server.waiting()):
        ref = listed["ref"]
        try:
            game = server.game(ref)
            for question in [one for one in server.decisions(ref) if one["is_waiting"]]:
                taken += give(server, game, question, dice)
        except Refused as error:
            if error.code not in SETTLED:
                raise
    return taken


def give(server: Caravanserai, game: Data, question: Data, dice: random.Random) -> int:
    """Answers one question; 0 if it was settled in the meantime."""
    try:
        server.answer(game["ref"], question["code"], choose(question, game, dice))
    except Refused as error:
        if error.code in SETTLED:
            return 0
        if error.code == "illegal-action":  # the form allows what the rules do not: another throw at the next look
            print(f"{game['ref']} {question['code']}: {error}", file=sys.stderr)
            return 0
        raise
    return 1


def sit_down(server: Caravanserai) -> None:
    """Takes every seat the account is invited to."""
    for invitation in server.invitations():
        try:
            server.accept(invitation["ref"])
        except Refused as error:
            print(f"{invitation['title']}: {error}", file=sys.stderr)


def come_back(server: Caravanserai) -> None:
    """Says that it is there again, in every game that no longer waits for it."""
    for listed in list(server.games(status="running")):
        seats = {seat["number"]: seat for seat in server.game(listed["ref"])["seats"]}
        if seats[listed["seat"]]["status"] == "absent":
            server.come_back(listed["ref"])


def main(arguments: list[str] | None = None) -> int:
    """Plays until it is stopped, or with --until-over until no game of the account is running."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", help="such as https://play.example")
    parser.add_argument("--joins", action="store_true", help="sit down wherever the account is invited")
    parser.add_argument("--until-over", action="store_true", help="stop when no game of the account is running")
    parser.add_argument("--every", type=float, default=5.0, metavar="SECONDS", help="how often to look (5)")
    parser.add_argument("--listens", action="store_true", help="wait for the account's events instead of looking")
    parser.add_argument("--place", metavar="FILE", help="keeps how far it has heard, from one start to the next")
    parser.add_argument("--seed", type=int, default=None, help="of the dice")
    options = parser.parse_args(arguments)
    token = os.environ.get("CARAVANSERAI_TOKEN", "")
    if not token:
        print("Set CARAVANSERAI_TOKEN to a token of your account.", file=sys.stderr)
        return 2
    dice = random.Random(options.seed)
    with Caravanserai(options.site, token, options.place) as server:
        print(f"Playing for {server.me()['name']}.", flush=True)
        events = server.events()
        try:
            come_back(server)
            while True:
                if options.joins:
                    sit_down(server)
                taken = play(server, dice)
                if options.until_over and not any(server.games(status="running")):
                    return 0
                if not taken and options.listens:
                    next(event for event in events if event["event"] in ("game", "invitations"))
                elif not taken:
                    time.sleep(options.every)
        except KeyboardInterrupt:
            return 0


if __name__ == "__main__":
    sys.exit(main())
