"""`manage.py play_by_mail`: a whole game by mail, played by seeded people, from invitation to winner."""

import os
import signal
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TypedDict, Unpack

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from config.launcher.service import ServiceProblem
from engine.registry import newest
from games.lab.play_by_mail import audit
from games.lab.play_by_mail.audit import StoredGame, load_stored_game
from games.lab.play_by_mail.game import NAMES, MailGame, Plan
from games.lab.play_by_mail.person import PageFault, RunFailed, Unfillable
from games.lab.play_by_mail.service import PACE, PrivateService, SmtpServer, running_service
from games.people.models import User
from games.tables.models import Game
from notifications.clock import present

MOST_FAULTS = 20  # shown
USUAL_PLAYERS = 4


class Options(TypedDict, total=False):
    """The options that `--help` lists."""

    players: int | None
    seed: int
    miss: float
    bots: int
    rules: str
    choices: list[str]
    pace_seconds: float
    naughty: float
    stall: float
    keep: bool
    url: str | None
    smtp_port: int
    pace: str | None
    language: str
    facts: str | None


class Command(BaseCommand):
    """Plays one game through the mails and the pages behind their links, and compares what came with what was owed."""

    help = (
        "Play one game by mail with seeded people who act only by following the links in their mails. Without --url "
        "a private service is started for it (with DATABASE_URL and REDIS_URL, if they are set) and removed afterwards."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """See `--help`."""
        parser.add_argument("--players", type=int, help="seats at the table (4, or what the game has nearest to it)")
        parser.add_argument("--seed", type=int, default=1, help="seed of what the simulated people do (1)")
        parser.add_argument("--miss", type=float, default=0.0, help="share of the questions that get no answer (0)")
        parser.add_argument("--bots", type=int, default=0, help="how many seats are bots (0)")
        parser.add_argument("--rules", default="aladdins-dragons", help="the rule set's name (aladdins-dragons)")
        parser.add_argument(
            "--option",
            dest="choices",
            action="append",
            default=[],
            metavar="NAME=CHOICE",
            help="an option of the rules, such as version=basic or length=short",
        )
        parser.add_argument("--pace-seconds", type=float, default=3.0, help="time for a decision, own service (3)")
        parser.add_argument(
            "--naughty",
            type=float,
            default=0.04,
            help="share of turns in which somebody tries something forbidden (0.04)",
        )
        parser.add_argument(
            "--stall", type=float, default=60.0, help="give up after so many seconds without an email (60)"
        )
        parser.add_argument("--keep", action="store_true", help="keep the files of the private service")
        parser.add_argument("--url", help="a running service to play on; its emails must come to --smtp-port")
        parser.add_argument("--smtp-port", type=int, default=0, help="where emails are received (any free port)")
        parser.add_argument("--language", default="en", help="what the people read and write, such as de (en)")
        parser.add_argument("--pace", help="name of the pace to choose on a running service")
        parser.add_argument(
            "--facts", metavar="GAME", help="print what the database knows about a game, without playing"
        )

    def handle(self, *args: object, **options: Unpack[Options]) -> None:
        """Plays, prints how it goes and what it came to. Fails with the reason if anything was wrong."""
        if options["facts"]:
            self.stdout.write(msgspec.json.encode(load_stored_game(options["facts"])).decode())
            return
        plan = _plan(options)
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the private service is cleaned up then, too
        with SmtpServer(options["smtp_port"]) as smtp_server:
            try:
                self._play(plan, smtp_server, options)
            except (RunFailed, PageFault, ServiceProblem, Unfillable) as error:
                raise CommandError(str(error)) from error
            except KeyboardInterrupt:
                raise CommandError("Stopped before the end.", returncode=130) from None

    def _play(self, plan: Plan, smtp_server: SmtpServer, options: Options) -> None:
        if options["url"]:
            mail_game = MailGame(plan, options["url"], smtp_server, self._say)
            self._say(f"Mails are received at {smtp_server.url}")
            mail_game.run()
            self._conclude(mail_game, _facts_here(mail_game.game_ref), [])
            return
        _refuse_inhabited_database()
        self._say("Starting a service ...")
        report, pace = self._say, options["pace_seconds"]
        with running_service(smtp_server, pace_seconds=pace, report=report, keep=options["keep"]) as service:
            mail_game = MailGame(plan, service.url, smtp_server, self._say)
            mail_game.run()
            facts = service.settled_facts(mail_game.game_ref)
            self._replay(service, mail_game.game_ref)
            self._conclude(mail_game, facts, service.troubles())

    def _conclude(self, mail_game: MailGame, facts: StoredGame | None, troubles: list[str]) -> None:
        for line in _describe_run(mail_game, facts):
            self._say(line)
        faults = troubles + mail_game.record.faults
        if facts is None:
            self._say("The game is not in this database: mails and log were not compared.")
        else:
            faults += audit.audit(facts, mail_game.record)
        if faults:
            shown = "\n".join(f"- {fault}" for fault in faults[:MOST_FAULTS])
            raise CommandError(f"{len(faults)} things were wrong:\n{shown}")
        self._say("Nothing was wrong.")

    def _replay(self, service: PrivateService, ref: str) -> None:
        done = service.replay(ref)
        if done.returncode:
            raise CommandError(f"The log does not replay: {done.stderr.strip()}")
        self._say(done.stdout.strip())

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def _plan(options: Options) -> Plan:
    offered = {rules.name: rules.seat_counts for rules in newest()}
    if options["rules"] not in offered:
        raise CommandError(f"No game called {options['rules']} is offered; there are {', '.join(offered)}.")
    players = options["players"] or min(offered[options["rules"]], key=lambda count: abs(count - USUAL_PLAYERS))
    people = players - options["bots"]
    if not 1 <= people <= len(NAMES):
        raise CommandError(f"1 to {len(NAMES)} people can play, not {people}.")
    if options["url"] and not (options["pace"] and options["smtp_port"]):
        raise CommandError("With --url say which --pace to choose, and the --smtp-port the service sends its mails to.")
    return Plan(
        players=players,
        seed=options["seed"],
        miss=options["miss"],
        naughty=options["naughty"],
        bots=options["bots"],
        rules=options["rules"],
        options=tuple(_name_and_choice(option) for option in options["choices"]),
        pace=options["pace"] or PACE,
        language=options["language"],
        stall=options["stall"],
        tag=f"{int(present.now().timestamp()):x}" if options["url"] else "",
    )


def _name_and_choice(option: str) -> tuple[str, str]:
    name, is_said, choice = option.partition("=")
    if not is_said:
        raise CommandError(f"--option {option}: say NAME=CHOICE, such as version=basic.")
    return name, choice


def _refuse_inhabited_database() -> None:
    """A private service would send the mails of everybody in it to the smtp_server of the mail_game."""
    if os.environ.get("DATABASE_URL") and _is_inhabited():
        raise CommandError("People live in the database of DATABASE_URL. Use --url to play on their service.")


def _is_inhabited() -> bool:
    tables = set(connection.introspection.table_names())
    return User._meta.db_table in tables and User.count_accounts() > 0


def _facts_here(ref: str) -> StoredGame | None:
    try:
        return load_stored_game(ref)
    except Game.DoesNotExist:
        return None


def _describe_run(mail_game: MailGame, facts: StoredGame | None) -> Iterator[str]:
    """The lines of the report; without `facts` (no access to the database) only what people saw themselves."""
    record = mail_game.record
    if facts is not None:
        yield f"Winner: {' and '.join(facts.winners)} ({facts.ending})"
        sources = Counter(move.source for move in facts.moves)
        parts = ", ".join(f"{number} by {source}" for source, number in sources.most_common())
        yield f"Moves: {len(facts.moves)} ({parts})"
        extensions = ", ".join(f"{number} {reason}" for reason, number in facts.extensions.items() if number) or "none"
        yield f"Auto-passes: {audit.passes(facts)}; extensions: {extensions}; back after an absence: {record.returns}"
        yield f"Answers of people by kind: {_by_kind(facts, audit.PERSONAL)}"
        if any(move.source == "bot" for move in facts.moves):
            yield f"Answers of bots by kind: {_by_kind(facts, {'bot'})}"
        kinds = Counter(mail.kind for mail in facts.mails if mail.state == "accepted")
        yield f"Mails of the game: {', '.join(f'{number} {kind}' for kind, number in kinds.most_common())}"
    mails = ", ".join(f"{person.name} {person.emails}" for person in mail_game.people)
    yield f"Mails read: {len(record.emails)} ({mails})"
    yield (
        f"Answers: {record.answers}; let pass: {len(record.missed)}; too late: {len(record.late)}; "
        f"refused by the rules and corrected: {record.refusals}"
    )
    tried = ", ".join(f"{number} {trick}" for trick, number in sorted(record.misuse.items())) or "nothing"
    yield f"Tried in vain: {tried}"
    if record.unasked:
        yield f"Done unasked: {record.unasked}"
    pages = sum(person.browser.requests for person in mail_game.people)
    per_answer = mail_game.seconds / max(1, record.answers)
    yield f"Seconds: {mail_game.seconds:.0f} ({per_answer:.2f} for each answer), pages asked for: {pages}"


def _by_kind(facts: StoredGame, sources: Collection[str]) -> str:
    """How often each kind of answer was given: in a game with cards how often each card was played."""
    kinds = Counter(move.answer for move in facts.moves if move.answer and move.source in sources)
    return ", ".join(f"{number} {kind}" for kind, number in kinds.most_common()) or "none"
