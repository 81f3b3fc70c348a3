"""What people are told, one file per kind of letter, and the topics about which they choose."""

from django.utils.translation import gettext_lazy as _

from notifications.composers import Topic
from notifications.messages import Form

LETTER, ANNOUNCEMENT = (Form.LETTER,), (Form.ANNOUNCEMENT,)

TURNS = Topic("turns", _("What waits for you: your moves, and what happens when you miss one"), is_needed=True)
REMINDERS = Topic("reminders", _("Reminders before your time ends"))
TABLES = Topic("tables", _("News of your tables: begun, paused, closed, deadlines that moved"))
RESULTS = Topic("results", _("The end of a game and its story"), is_alone=True)
ORDERS = Topic("orders", _("What became of your standing orders"))
TALK = Topic("talk", _("When somebody mentions you at a table"))
INVITATIONS = Topic("invitations", _("Invitations to new games"), is_by_thread=False)
PEOPLE = Topic("people", _("Requests to be friends, and invitations to clubs"), is_alone=True, is_by_thread=False)
TOURNAMENTS = Topic(
    "tournaments", _("Tournaments: entered, called off, final standings"), is_alone=True, is_by_thread=False
)
WEEKLY = Topic(
    "weekly",
    _("A summary of your week, on Mondays: games that wait, results, ratings, your clubs"),
    is_alone=True,
    is_by_thread=False,
    is_weekly=True,
)

# What the ledger calls the kinds.
NAMES = {
    "due": _("Your move"),
    "excused": _("More time for your move"),
    "extended": _("Your deadline was moved"),
    "passed": _("Your move was made for you"),
    "absent": _("You are marked as absent"),
    "bot_absent": _("Your bot isn't answering"),
    "reminder": _("Reminder of your move"),
    "started": _("The game has begun"),
    "paused": _("The game is paused"),
    "resumed": _("The game goes on"),
    "rolled_back": _("The game was rolled back"),
    "closed": _("The table was closed"),
    "taken_over": _("Your seat was taken over"),
    "orders": _("What became of your orders"),
    "game_over": _("The game is over"),
    "talk": _("Somebody mentioned you"),
    "invited": _("Invitation"),
    "friend_asked": _("Request to be friends"),
    "club_invited": _("Invitation to a club"),
    "settings_changed": _("The table's settings have changed"),
    "host_offered": _("You are asked to be the host"),
    "host_changed": _("Your table has another host"),
    "tournament_entered": _("You have entered a tournament"),
    "tournament_bye": _("You sit out a round"),
    "tournament_removed": _("You were removed from a tournament"),
    "tournament_off": _("The tournament was called off"),
    "tournament_over": _("The tournament is over"),
    "weekly": _("Your week"),
    "address_asked": _("Change of your account's address"),
    "address_changed": _("Your account has moved to another address"),
    "heard": _("Our answer to your reply"),
    "signed_in": _("New sign-in to your account"),
    "token_made": _("A new API token"),
    "password_changed": _("Your password"),
    "second_factor": _("Your second factor"),
    "copy_taken": _("A copy of your data was taken"),
    "erasure_asked": _("Your account will be deleted"),
    "mail_test": _("Test email"),
    "moderated": _("Message from the moderators"),
    "reported": _("A player asks for a moderator"),
    "report_settled": _("What came of your report"),
    "appeal_received": _("We have your appeal"),
    "ping": _("Test of your webhook"),
    "webhook_failing": _("Your webhook isn't working"),
    "webhook_off": _("Your webhook was switched off"),
}


def register_all() -> None:
    """Registers every kind of letter with `notifications`, and how several become one mail."""
    from games.letters import digest
    from notifications.composers import register_merger
    from notifications.ledger import name_kinds

    _register_turns()
    _register_news()
    _register_people()
    _register_tournaments()
    _register_account()
    register_merger(digest.together)
    name_kinds(NAMES)


def _register_turns() -> None:
    """About what somebody is asked, and what he answered."""
    from games.letters.kinds import absent, due, excused, extended, orders, passed, reminder, reply_answer
    from notifications.composers import register

    register("due", due.Due(), topic=TURNS)
    register("excused", excused.Excused(), topic=TURNS)
    register("extended", extended.Extended(), topic=TURNS)
    register("passed", passed.Passed(), topic=TURNS)
    register("absent", absent.Absent(), topic=TURNS)
    register("reminder", reminder.Reminder(), topic=REMINDERS)
    register("orders", orders.OrdersDone(), forms=LETTER, topic=ORDERS)  # his alone
    register("heard", reply_answer.Heard(), forms=LETTER)  # his alone; he waits for it, so it has no topic


def _register_news() -> None:
    """About a table."""
    from games.letters.kinds import closed, game_over, hosting, invited, paused, rolled_back, started, taken_over, talk
    from notifications.composers import register

    register("started", started.Started(), topic=TABLES)
    register("paused", paused.Paused(), topic=TABLES)
    register("resumed", paused.Resumed(), topic=TABLES)
    register("rolled_back", rolled_back.RolledBack(), topic=TURNS)  # his mails until then are void
    register("closed", closed.Closed(), topic=TABLES)
    register("taken_over", taken_over.TakenOver(), topic=TABLES)
    register("settings_changed", hosting.SettingsChanged(), forms=LETTER, topic=TURNS)  # the table waits for him
    register("host_offered", hosting.HostOffered(), forms=LETTER, topic=TABLES)
    register("host_changed", hosting.HostChanged(), forms=LETTER, topic=TABLES)
    register("game_over", game_over.GameOver(), topic=RESULTS)
    register("talk", talk.Talk(), forms=LETTER, topic=TALK)  # said to one person
    # What an invitation offers is a link for one person.
    register("invited", invited.Invited(), forms=LETTER, topic=INVITATIONS)


def _register_people() -> None:
    """About friends and clubs, and a person's week: what is offered is a link for one person."""
    from games.letters.kinds import people, weekly
    from notifications.composers import register

    register("friend_asked", people.FriendAsked(), forms=LETTER, topic=PEOPLE)
    register("club_invited", people.ClubInvited(), forms=LETTER, topic=PEOPLE)
    register("weekly", weekly.Weekly(), forms=LETTER, topic=WEEKLY)


def _register_tournaments() -> None:
    """About a tournament: each in an email of its own, since it belongs to no table."""
    from games.letters.kinds import tournaments
    from notifications.composers import register

    register("tournament_entered", tournaments.Entered(), forms=LETTER, topic=TOURNAMENTS)
    register("tournament_bye", tournaments.SitsOut(), forms=LETTER, topic=TOURNAMENTS)
    register("tournament_removed", tournaments.Removed(), forms=LETTER, topic=TOURNAMENTS)
    register("tournament_off", tournaments.CalledOff(), forms=LETTER, topic=TOURNAMENTS)
    register("tournament_over", tournaments.Over(), forms=LETTER, topic=TOURNAMENTS)


def _register_account() -> None:
    """About an account: sent at once, whatever somebody has chosen."""
    from games.letters.kinds import account, bots, moderation, security, webhooks
    from notifications.composers import register

    register("address_asked", account.AddressAsked(), forms=LETTER)
    register("address_changed", account.AddressChanged(), forms=LETTER)
    for kind in ("signed_in", "token_made", "password_changed", "second_factor", "copy_taken", "erasure_asked"):
        register(kind, security.Security(), forms=LETTER)
    register("moderated", moderation.Moderated(), forms=LETTER)
    register("reported", moderation.Reported(), forms=LETTER)
    register("report_settled", moderation.ReportSettled(), forms=LETTER)
    register("appeal_received", moderation.AppealReceived(), forms=LETTER)
    register("bot_absent", bots.BotAbsent(), forms=LETTER)
    register("mail_test", account.MailTest(), forms=LETTER)
    register("ping", webhooks.Ping(), forms=ANNOUNCEMENT)
    register("webhook_failing", webhooks.Failing(), forms=LETTER)
    register("webhook_off", webhooks.SwitchedOff(), forms=LETTER)
