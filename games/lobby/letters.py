"""Letters about a table before its game: invitations, changed settings, its host, its closing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from engine.puzzles import OpenPuzzle
from games.errors import ServiceError
from games.links import page_url
from games.lobby import hosting, puzzles
from games.lobby.models import HostOffer, PuzzleSolver
from games.people import letters
from games.people.letters import INVITATION_CLOSED, INVITATIONS, LETTER, PUZZLES, TABLES, TURNS, EmailOnly
from games.people.names import isolated
from games.people.speech import current_language
from games.play import queries
from games.play.game_letters import GAME_OVER, Draft, GameLetter, InvitationLetter, Letter, PlayerLetter, seats_of
from games.play.pictures import WIDTH, DrawnBoard, draw, encode, game_picture
from games.tables import audit, boards, pace, table_links
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import LONGEST_WORDS, Invitation, Seat
from notifications.channels.mail.letter import one_line
from notifications.composers import composes
from notifications.messages import MailMessage, Picture, PushMessage
from notifications.models import Notice
from notifications.reasons import declare

HAS_AGREED = declare("has_agreed", gettext_noop("the player has agreed"))
HOST_CHANGED = declare("host_changed", gettext_noop("the table has another host now"))
NOBODY_MISSING = declare("nobody_missing", gettext_noop("the table is no longer waiting for anybody"))
SETTINGS_CHANGED = declare("settings_changed", gettext_noop("the settings have changed again"))
TABLE_NOT_CLOSED = declare("table_not_closed", gettext_noop("the table isn't closed"))


@composes("invited", gettext_lazy("Invitation"), forms=LETTER, topic=INVITATIONS)
class Invited(InvitationLetter):
    """May go to a stranger: says who invites, to what, and how to stop all emails."""

    template = "invited"

    def why_stale(self, notice: Notice, about: Invitation) -> str:
        """An invitation is sent for as long as it can be followed."""
        return "" if about.is_open else INVITATION_CLOSED

    def picture(self, about: Invitation, notice: Notice | None = None) -> DrawnBoard:
        """Shows the game's board at its start."""
        rules = about.game.rules
        return game_picture(rules.name, queries.say(about.game, rules.title))

    def push_text(self, notice: Notice, about: Invitation) -> str:
        """Tells who invites to what."""
        game = about.game
        facts = {"name": isolated(one_line(about.inviter.name, 40)) or "?"}
        return _("%(name)s invites you to a game of %(game)s") % {**facts, "game": queries.say(game, game.rules.title)}

    def push_url(self, about: Invitation) -> str:
        """The invitation."""
        return table_links.invitation_url(about)

    def draft(self, notice: Notice, about: Invitation) -> Draft:
        """Tells who invites to what. Words that people typed make no link: the mail may go to a stranger."""
        game = about.game
        inviter = isolated(letters.unlinked(one_line(about.inviter.name, 40))) or "?"
        title, rules = isolated(letters.unlinked(game.title)), queries.say(game, game.rules.title)
        facts = {"name": inviter, "game": rules, "table": title}
        heading = _("%(name)s saved you a seat at %(game)s") % facts
        context = {
            "heading": heading,
            "title": title,
            "inviter": inviter,
            "words": letters.unlinked(one_line(about.words, LONGEST_WORDS)),
            "about": queries.say(game, game.rules.about),
            "length": pace.days_in_words(days) if (days := pace.days(game)) is not None else "",
            "players": [letters.unlinked(seat.display_name) for seat in game.seated()],
            "join_url": table_links.invitation_url(about),
            "expires": letters.moment(game.expires_at) if about.seat is None else "",
            "taken_over": isolated(letters.unlinked(about.seat.display_name)) if about.seat else "",
        }
        preview = _("%(table)s: would you like to play?") % facts
        return Draft(heading, preview, context, table_links.invitation_url(about), _("See your seat"))


@composes("settings_changed", gettext_lazy("The table's settings have changed"), forms=LETTER, topic=TURNS)
class SettingsChanged(PlayerLetter):
    """Lists what has changed, with one button to agree: the game does not start without it."""

    template = "settings_changed"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the player has agreed, when the game has begun, and when the settings have changed once more."""
        if about.game.status != Game.Status.OPEN:
            return NOBODY_MISSING
        if about.has_agreed:
            return HAS_AGREED
        if notice.data.get("version") != about.game.settings_version:
            return SETTINGS_CHANGED
        return super().why_stale(notice, about)

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Each difference since he agreed."""
        title = about.game.spoken_title
        context = {
            "heading": _("The settings of your table have changed"),
            "host": isolated(one_line(about.game.host.name, 40)),
            "differences": hosting.settings_differences(about),
            "agree_url": (url := table_links.agreement_url(about)),
        }
        subject = _("%(table)s: new settings, do you agree?") % {"table": title}
        return Draft(subject, _("The game can't start until you've agreed."), context, url, _("Look at the changes"))

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: it is asked of one person."""
        return None


@composes("host_offered", gettext_lazy("You are asked to be the host"), forms=LETTER, topic=TABLES)
class HostOffered(Letter[HostOffer]):
    """The host asks somebody at the table to take over his role."""

    template = "host_offered"

    def find(self, key: str) -> HostOffer | None:
        """The offer of a key such as "host_offer:k3v9pq2mzt7a"."""
        row = HostOffer.objects.filter(ref=key.partition(":")[2]).select_related("game__host", "user").first()
        if row is not None:
            seats_of(row.game)
        return row

    def game_of(self, about: HostOffer) -> Game:
        """The game whose host he would be."""
        return about.game

    def why_stale(self, notice: Notice, about: HostOffer) -> str:
        """Stale when the game is over; an offer that is answered or withdrawn is gone."""
        return GAME_OVER if about.game.is_over else ""

    def draft(self, notice: Notice, about: HostOffer) -> Draft:
        """Tells who asks, and what a host does."""
        facts = {"name": isolated(one_line(about.game.host.name, 40)), "table": about.game.spoken_title}
        context = {
            "heading": _("%(name)s asks you to be the host of %(table)s") % facts,
            "has_begun": about.game.started_at is not None,
            "offer_url": (url := hosting.host_offer_url(about)),
        }
        subject = _("%(table)s: would you be the host?") % facts
        return Draft(subject, _("You can accept or decline."), context, url, _("Look at the offer"))

    def facts(self, about: HostOffer) -> dict[str, object] | None:
        """None: it is asked of one person."""
        return None


@composes("host_changed", gettext_lazy("Your table has another host"), forms=LETTER, topic=TABLES)
class HostChanged(PlayerLetter):
    """The table has another host."""

    template = "host_changed"

    def why_stale(self, notice: Notice, about: Seat) -> str:
        """Stale when the game is over, or the role has changed hands once more."""
        if about.game.is_over:
            return GAME_OVER
        is_host = notice.data.get("host") == about.game.host_id
        return super().why_stale(notice, about) if is_host else HOST_CHANGED

    def draft(self, notice: Notice, about: Seat) -> Draft:
        """Names the new host."""
        facts = {"name": isolated(one_line(about.game.host.name, 40)), "table": about.game.spoken_title}
        heading = _("%(name)s is now the host of %(table)s") % facts
        entry = about.game.moderation.filter(action=ModerationEntry.Action.HAND_OVER).last()
        context = {"heading": heading, "is_taken": entry is not None and entry.reason == audit.TAKEN}
        return Draft(heading, _("The game goes on as before."), context)

    def facts(self, about: Seat) -> dict[str, object] | None:
        """None: a chat needs no word of it."""
        return None


@composes("closed", gettext_lazy("The table was closed"), topic=TABLES)
class Closed(GameLetter):
    """For everybody who sat there or was invited, strangers among them."""

    template = "closed"
    event = "table.closed"

    def why_stale(self, notice: Notice, about: Game) -> str:
        """Stale only if the table is not closed."""
        return "" if about.status == Game.Status.CLOSED else TABLE_NOT_CLOSED

    def draft(self, notice: Notice, about: Game) -> Draft:
        """Tells that it is closed, and by whom: host, calendar, or in mid-game moderators or all players."""
        title = isolated(letters.unlinked(about.title))
        if about.started_at is not None:
            return _cancelled(about, title)
        has_expired = about.finished_at is not None and about.finished_at >= about.expires_at
        context = {"heading": _("The table was closed"), "title": title, "has_expired": has_expired}
        subject = _("The table %(table)s was closed") % {"table": title}
        return Draft(subject, _("The game won't take place."), context)

    def in_short(self, about: Game, names: str) -> str:
        """Tells that there will be no game, or no end of it."""
        if about.started_at is not None:
            return _who_ended(about)
        return _("The table was closed. The game won't take place.")

    def facts(self, about: Game) -> dict[str, object] | None:
        """Returns nothing beside the table."""
        return {}


def _who_ended(game: Game) -> str:
    is_cancelled = queries.cancelled(game) is not None
    return _("A moderator has ended the game.") if is_cancelled else _("The players have agreed to end the game.")


def _cancelled(game: Game, title: str) -> Draft:
    entry = queries.cancelled(game)
    reason = letters.unlinked(entry.reason_in_words) if entry else ""
    context = {"heading": _("The game was ended"), "title": title, "agreed": entry is None}
    context |= {"cancelled": entry is not None, "reason": reason}
    subject = _("%(table)s was ended without a result") % {"table": title}
    return Draft(subject, _who_ended(game), context)


# The puzzle of the day, which may go to a stranger who has asked for it.

PUZZLE_OVER = declare("puzzle_over", gettext_noop("its day is over, or it was answered"))
NOT_ASKED_FOR = declare("puzzles_settled", gettext_noop("the daily puzzle was confirmed already, or is off again"))


@composes("puzzle_asked", gettext_lazy("The puzzle of the day: please confirm"), forms=LETTER, topic=PUZZLES)
class PuzzleAsked(EmailOnly):
    """Asks an address whether it wants the puzzle of the day."""

    def is_current(self, notice: Notice) -> str:
        """Stale once it was confirmed."""
        solver = _solver(notice)
        return NOT_ASKED_FOR if solver is None or solver.wants_mail else ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail with the link to the page that has the button."""
        solver = _solver(notice)
        if solver is None:
            return None
        heading = _("One puzzle a day?")
        return letters.people_mail("puzzle_asked", notice, heading, {"link": puzzles.confirm_url(solver)})

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Asks the same on the screen of a device."""
        solver = _solver(notice)
        if solver is None:
            return None
        with letters.reading(notice.recipient, language):
            return PushMessage(_("Puzzle of the day"), _("One puzzle a day?"), puzzles.confirm_url(solver))


@composes("puzzle", gettext_lazy("The puzzle of the day"), forms=LETTER, topic=PUZZLES)
class DailyPuzzle(EmailOnly):
    """The position, its question, and a link for each answer. Nothing in it tells which is best."""

    def is_over(self, notice: Notice, now: datetime) -> str:
        """Return why it is too late: tomorrow there is another one."""
        return PUZZLE_OVER if now > notice.created_at + puzzles.DAY else ""

    def is_current(self, notice: Notice) -> str:
        """Stale once it was answered, or is not wanted any more."""
        solver = _solver(notice)
        if solver is None or not solver.wants_mail:
            return NOT_ASKED_FOR
        return PUZZLE_OVER if puzzles.attempt_of(solver.recipient, notice.data["puzzle"]) else ""

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail; None once the rules of the puzzle are gone."""
        solver, puzzle = _solver(notice), _puzzle(notice)
        if solver is None or puzzle is None:
            return None
        names = puzzles.names_of(puzzle, isolated(solver.recipient.name) or "Anna")
        words, drawn = puzzles.words_of(puzzle, names), puzzle_picture(puzzle, names)
        ref = puzzle.puzzle.ref
        context = {
            "words": words,
            "choices": [(label, puzzles.answer_url(solver, ref, value)) for value, label in words.choices],
            "link": puzzles.answer_url(solver, ref),
            **drawn,
        }
        if letters.user_of(notice.recipient) is None:  # he stops what he asked for, and friends may still invite him
            context["stop_url"] = puzzles.confirm_url(solver)
        message = letters.people_mail("puzzle", notice, _("Puzzle of the day"), context)
        return replace(message, pictures=(drawn["picture"],) if drawn else ())

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """Says what is asked."""
        puzzle = _puzzle(notice)
        if puzzle is None:
            return None
        with letters.reading(notice.recipient, language):
            words = puzzles.words_of(puzzle, puzzles.names_of(puzzle, "Anna"))
            return PushMessage(_("Puzzle of the day"), words.ask, page_url("daily_puzzle"))


def _solver(notice: Notice) -> PuzzleSolver | None:
    return PuzzleSolver.objects.filter(recipient=notice.recipient_id).select_related("recipient").first()


def _puzzle(notice: Notice) -> OpenPuzzle | None:
    try:
        return puzzles.opened(puzzles.find(notice.data["puzzle"]))
    except ServiceError:
        return None


def puzzle_picture(puzzle: OpenPuzzle, names: Sequence[str]) -> DrawnBoard:
    """Draws the position of a puzzle as its solver sees it."""
    board = puzzle.rules.picture(puzzle.view, current_language(), names)
    image = draw(boards.svg(puzzle.rules.name, board, is_plain=True), WIDTH)
    summary = puzzle.rules.describe(puzzle.view, current_language(), names)
    return {
        "picture": Picture(encode(image)),
        "picture_width": image.width,
        "picture_height": image.height,
        "board_summary": " ".join(summary.strip().split("\n\n", 1)[0].split()),
    }
