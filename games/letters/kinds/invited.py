"""An invitation to a table."""

from django.utils.translation import gettext as _

from games import links
from games.letters import phrases, reasons
from games.letters.base import Draft
from games.letters.pictures.board import DrawnBoard, game_picture
from games.letters.subjects import InvitationLetter
from games.play import queries
from games.tables import pace
from games.tables.names import isolated
from games.tables.seats import LONGEST_WORDS, Invitation
from notifications.channels.mail.letter import one_line
from notifications.models import Notice


class Invited(InvitationLetter):
    """May go to a stranger: says who invites, to what, and how to stop all emails."""

    template = "invited"

    def why_stale(self, notice: Notice, about: Invitation) -> str:
        """An invitation is sent for as long as it can be followed."""
        return "" if about.is_open else reasons.INVITATION_CLOSED

    def picture(self, about: Invitation) -> DrawnBoard:
        """What the game looks like."""
        rules = about.game.rules
        return game_picture(rules.name, queries.current_language(), queries.say(about.game, rules.title))

    def push_text(self, notice: Notice, about: Invitation) -> str:
        """Who invites to what."""
        game = about.game
        facts = {"name": isolated(one_line(about.inviter.name, 40)) or "?"}
        return _("%(name)s invites you to a game of %(game)s") % {**facts, "game": queries.say(game, game.rules.title)}

    def push_url(self, about: Invitation) -> str:
        """The invitation."""
        return links.invitation_url(about)

    def draft(self, notice: Notice, about: Invitation) -> Draft:
        """Who invites to what. What people have typed makes no link: the mail may go to a stranger."""
        game = about.game
        inviter = isolated(phrases.unlinked(one_line(about.inviter.name, 40))) or "?"
        title, rules = isolated(phrases.unlinked(game.title)), queries.say(game, game.rules.title)
        facts = {"name": inviter, "game": rules, "table": title}
        heading = _("%(name)s invites you to a game of %(game)s") % facts
        context = {
            "heading": heading,
            "title": title,
            "inviter": inviter,
            "words": phrases.unlinked(one_line(about.words, LONGEST_WORDS)),
            "about": queries.say(game, game.rules.lesson.about),
            "length": pace.days_in_words(days) if (days := pace.days(game)) is not None else "",
            "players": [phrases.unlinked(seat.display_name) for seat in game.seated()],
            "seat_count": game.seat_count,
            "pace": phrases.pace_in_words(game),
            "options": [*phrases.options_in_words(game), *phrases.agreed_in_words(game)],
            "join_url": links.invitation_url(about),
            "expires": phrases.moment(game.expires_at) if about.seat is None else "",
            "taken_over": isolated(phrases.unlinked(about.seat.display_name)) if about.seat else "",
        }
        preview = _("Table %(table)s: choose whether you would like to play.") % facts
        return Draft(heading, preview, context, links.invitation_url(about), _("Look at the invitation"))
