"""Emails about tournaments: entered, sitting out, removed, called off, over. Rounds are told by the games' own."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from games.people import letters
from games.people.letters import LETTER, SUBJECT_GONE, TOURNAMENTS, EmailOnly, exit_of, frame, reading, render
from games.people.names import isolated
from games.people.speech import current_language
from games.play.game_letters import Occasion, occasions
from games.tables import pace
from games.tables.models import Game
from games.tables.settings import rules_named
from games.tournaments import tournaments
from games.tournaments.models import Entrant, Tournament
from notifications import composers
from notifications.channels.mail.letter import one_line
from notifications.composers import composes
from notifications.messages import MailMessage, PushMessage
from notifications.models import Notice
from notifications.reasons import declare

NOT_IN_TOURNAMENT = declare("not_in_tournament", gettext_noop("the player is no longer in the tournament"))
TOURNAMENT_OVER = declare("tournament_over", gettext_noop("the tournament is over"))
TOURNAMENT_STARTED = declare("tournament_started", gettext_noop("the tournament has started"))

MOST_LINES = 40  # of the standings; the page has all of them


@dataclass(frozen=True)
class TournamentWords:
    """The words of a letter: its subject, which is its heading as well, and paragraphs.

    Arguments:
        facts: lines of a list.
        reason: what somebody has typed, set apart.
    """

    subject: str
    told: list[str]
    facts: list[str]
    reason: str = ""
    standings: list[Mapping[str, object]] | None = None


class TournamentLetter(EmailOnly):
    """A composer of one kind; each says when it is stale, and its words."""

    def why_stale(self, about: Tournament, entrant: Entrant | None) -> str:
        """Returns why the letter should not be sent any more, or ""."""
        return ""

    @abstractmethod
    def words(self, notice: Notice, about: Tournament, title: str) -> TournamentWords:
        """Writes the letter in the reader's language and time zone, which are active."""

    def is_current(self, notice: Notice) -> str:
        """Return why this notice is stale, or ""."""
        about = _find(notice)
        return SUBJECT_GONE if about is None else self.why_stale(about, _entrant(about, notice))

    def mail(self, notice: Notice) -> MailMessage | None:
        """The mail."""
        about = _find(notice)
        if about is None:
            return None
        words = self.words(notice, about, isolated(letters.unlinked(one_line(about.display_title, 60))))
        return _mail(notice, about, words)

    def compose_push(self, notice: Notice, language: str) -> PushMessage | None:
        """The tournament's name, and what has happened there."""
        about = _find(notice)
        if about is None:
            return None
        with reading(notice.recipient, language):
            return PushMessage(about.display_title, composers.name_of(notice.kind), tournaments.tournament_url(about))


@composes("tournament_entered", gettext_lazy("You have entered a tournament"), forms=LETTER, topic=TOURNAMENTS)
class Entered(TournamentLetter):
    """Explains what one has agreed to, and how to leave."""

    def why_stale(self, about: Tournament, entrant: Entrant | None) -> str:
        """Stale once entries are closed, or for who has left."""
        if entrant is None or not entrant.is_in:
            return NOT_IN_TOURNAMENT
        return "" if about.is_open else TOURNAMENT_STARTED

    def words(self, notice: Notice, about: Tournament, title: str) -> TournamentWords:
        """When it begins, what is played, and that seats are given and games started by themselves."""
        count = about.round_count
        told = [
            _(
                "You've entered. When entries close, we draw the first round and your game starts right away: "
                "you'll get an email when it's your turn. If you can't play after all, leave on the tournament's page."
            )
        ]
        rounds = ngettext("%(n)s round", "%(n)s rounds", count) % {"n": count}
        facts = [
            f"{_game_title(about)}, {rounds}",
            f"{_('Pace:')} {dict(pace.paces()).get(about.pace, about.pace)}",
            _("Entries close: %(moment)s") % {"moment": letters.moment(about.closes_at)},
        ]
        return TournamentWords(_("You've entered %(tournament)s") % {"tournament": title}, told, facts)


@composes("tournament_bye", gettext_lazy("You sit out a round"), forms=LETTER, topic=TOURNAMENTS)
class SitsOut(TournamentLetter):
    """Tells that one has a bye."""

    def why_stale(self, about: Tournament, entrant: Entrant | None) -> str:
        """Stale when the tournament is over, or for who has left."""
        if entrant is None or not entrant.is_in:
            return NOT_IN_TOURNAMENT
        return TOURNAMENT_OVER if about.is_over else ""

    def words(self, notice: Notice, about: Tournament, title: str) -> TournamentWords:
        """Why, and what it counts."""
        facts = {"tournament": title, "round": notice.data.get("round", "")}
        told = [
            _(
                "The number of players doesn't fit the tables, so you sit out this round. It counts as a win: 1 point. "
                "You'll be seated again in the next round."
            )
        ]
        return TournamentWords(_("You sit out round %(round)s of %(tournament)s") % facts, told, [])


@composes("tournament_removed", gettext_lazy("You were removed from a tournament"), forms=LETTER, topic=TOURNAMENTS)
class Removed(TournamentLetter):
    """Tells that the host has removed one, and why."""

    def words(self, notice: Notice, about: Tournament, title: str) -> TournamentWords:
        """The reason as it was typed."""
        entrant = _entrant(about, notice)
        told = [_("You won't be seated in further rounds. A game that has started goes on.")]
        subject = _("You were removed from %(tournament)s") % {"tournament": title}
        return TournamentWords(subject, told, [], letters.unlinked(entrant.reason) if entrant else "")


@composes("tournament_off", gettext_lazy("The tournament was called off"), forms=LETTER, topic=TOURNAMENTS)
class CalledOff(TournamentLetter):
    """Tells that the tournament does not take place, or ends early."""

    def words(self, notice: Notice, about: Tournament, title: str) -> TournamentWords:
        """By whom, and why."""
        told = [about.get_called_off_by_display()]
        if about.started_at is not None:
            told.append(_("There won't be another round. Games that have started go on as ordinary games."))
        subject = _("%(tournament)s was called off") % {"tournament": title}
        return TournamentWords(subject, told, [], letters.unlinked(about.reason))


@composes("tournament_over", gettext_lazy("The tournament is over"), forms=LETTER, topic=TOURNAMENTS)
class Over(TournamentLetter):
    """The final standings."""

    def words(self, notice: Notice, about: Tournament, title: str) -> TournamentWords:
        """The winners, the reader's own place, and everybody's."""
        rows = tournaments.standings(about)
        own = next((row for row in rows if row.entrant.user.recipient_id == notice.recipient_id), None)
        winners = ", ".join(_name(row.entrant) for row in rows if row.place == 1)
        told = [_("%(tournament)s is over. The winner: %(names)s.") % {"tournament": title, "names": winners}]
        if own is not None and own.place is not None:
            facts = {"place": own.place, "of": sum(row.place is not None for row in rows)}
            told.append(_("Your place: %(place)s of %(of)s.") % facts)
        return TournamentWords(
            _("%(tournament)s: the final standings") % {"tournament": title},
            told,
            [],
            standings=[_line(row, is_own=row is own) for row in rows[:MOST_LINES]],
        )


def _line(row: tournaments.RankedEntrant, *, is_own: bool) -> dict[str, object]:
    points = floatformat(row.shown_points, -2)
    place = "–" if row.place is None else f"{row.place}."
    return {"place": place, "name": _name(row.entrant), "points": points, "wins": row.wins, "is_own": is_own}


def _name(entrant: Entrant) -> str:
    return isolated(letters.unlinked(one_line(entrant.display_name, 40)))


def _game_title(about: Tournament) -> str:
    rules = rules_named(about.rules_name)
    return rules.say(rules.title, current_language(), [])


def _mail(notice: Notice, about: Tournament, words: TournamentWords) -> MailMessage:
    out = exit_of(notice)
    context = {
        **frame(words.subject, words.told[0]),
        "heading": words.subject,
        "words": words,
        "tournament_url": tournaments.tournament_url(about),
        "stop_url": out.url,
        "is_stranger": out.is_stranger,
    }
    return MailMessage(
        subject=words.subject,
        text=render("games/letters/tournament.txt", context),
        html=render("games/letters/tournament.html", context),
        list_id=f"{about.ref}.tournaments.games.{settings.MAIL_DOMAIN}",
        unsubscribe_url=out.url,
        has_one_click=out.has_one_click,
    )


def _find(notice: Notice) -> Tournament | None:
    ref = notice.subject.removeprefix("tournament:")
    return Tournament.objects.filter(ref=ref).select_related("host__recipient").first()


def _entrant(about: Tournament, notice: Notice) -> Entrant | None:
    return about.entrants.filter(user__recipient=notice.recipient_id).first()


def _occasion(game: Game) -> Occasion | None:
    table = tournaments.table_of(game)
    if table is None:
        return None
    tournament = table.round.tournament
    facts = {
        "round": table.round.number,
        "of": tournament.round_count,
        "tournament": one_line(tournament.display_title, 60),
    }
    place = _("This is round %(round)s of %(of)s of the tournament %(tournament)s.") % facts
    end = _("What isn't finished by %(moment)s counts as a tie.") % {"moment": letters.moment(table.round.ends_at)}
    return Occasion(tournament.ref, f"{place} {end}", tournaments.tournament_url(tournament))


occasions.append(_occasion)
