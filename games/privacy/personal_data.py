"""The personal data of an account, table by table; `notifications.privacy` lists those of a recipient."""

import json
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

from games.archive.models import GameReview, Import, Rating, RatingChange
from games.clubs.models import Club, ClubInvitation, Membership
from games.errors import check_rate
from games.lobby.models import BeatenBot, BotTerms, HostOffer, LentPuzzle, PuzzleAttempt, PuzzleSolver, TablePreset
from games.moderation.models import ModeratorNote, Report
from games.people import alerts
from games.people.idempotency import Keyed
from games.people.limits import mailbox_hash
from games.people.models import (
    AddressChange,
    AnonymousRequest,
    ApiToken,
    Block,
    Erasure,
    Friendship,
    SealedTOTPDevice,
    Session,
    SignIn,
    TrustedDevice,
    User,
)
from games.play.models import Comment, Look, Move, Note, OrderDate, SealedProposal, Vacation
from games.play.stored_moves import packed_moves_by
from games.tables.audit import ModerationEntry
from games.tables.models import Game
from games.tables.seats import Invitation, Seat, SeatTenure
from games.tournaments.models import Entrant, Match, Tournament, TournamentSeat
from notifications import privacy
from notifications.privacy import ALL, OURS, POWER, Expiry, PersonalData

OTHERS = "it is about somebody else"
OF_THE_TABLE = "it belongs to the table; the game's own pages show what you may see of it"
OF_TOURNAMENT = "it belongs to the tournament, whose page shows it"
UNTOLD = "who blocks somebody is promised that they are not told"
OF_OTHERS = ("owner", "is_for_all", "paused_at", "is_guest")
WATCHED = ModerationEntry.Action.LOOK, ModerationEntry.Action.SETTLE  # between staff and the moderators

MOVE_COLUMNS = ("kind", "seat", "decision", "action", "source", "received_at", "made_at")


def _invitations(before: datetime) -> "QuerySet[Invitation]":
    return Invitation.objects.filter(created_at__lt=before).exclude(game__status=Game.Status.OPEN)


def _requests_to_be_friends(before: datetime) -> "QuerySet[Friendship]":
    return Friendship.objects.filter(created_at__lt=before).exclude(status=Friendship.Status.FRIENDS)


def _called_off(before: datetime) -> "QuerySet[Tournament]":
    called_off = Tournament.objects.filter(status=Tournament.Status.CALLED_OFF, started_at=None)
    return called_off.filter(finished_at__lt=before)


def _reviews_asked(before: datetime) -> "QuerySet[GameReview]":
    return GameReview.objects.filter(asked_by__isnull=False, requested_at__lt=before)


def _forget_who_asked(keys: list[int]) -> None:
    GameReview.objects.filter(pk__in=keys).update(asked_by=None)


PERSONAL_DATA: tuple[PersonalData[User], ...] = (
    PersonalData(
        "account", User, lambda user: Q(pk=user.pk),
        ("ref", "email", "name", "remind_before", "has_profile", "is_ranked", "hours_shown", "curve_shown",
         "lends_positions", "proposals_shown", "hears_bots", "discord_id",
         "is_active", "closed_until", "silent_until", "desk_after", "is_staff", "is_superuser",
         "date_joined", "last_login", "erased_at"),
        {"id": OURS, "password": POWER, "recipient": "told under mail_settings",
         "desk_look_at": OURS, "is_kept": OURS, "desk_seen": "which things on the desk a moderator was told of",
         **dict.fromkeys(OF_OTHERS, "of bots and guests")},
        is_erased=False,
    ),
    PersonalData("bots", User, "owner",
                 ("ref", "name", "is_for_all", "paused_at", "is_active", "date_joined", "erased_at"), {ALL: OURS},
                 is_erased=False),  # each is deleted as an account
    PersonalData("addresses", EmailAddress, "user", ("email", "verified", "primary"),
                 {"id": OURS, "user": OURS}),
    PersonalData("address_changes", AddressChange, "user",
                 ("new_address", "created_at", "old_confirmed_at", "new_confirmed_at", "done_at"),
                 {"id": OURS, "user": OURS},
                 kept=Expiry("address_changes", _("changes of your account's email address"), "created_at")),
    PersonalData("api_tokens", ApiToken, "user",
                 ("ref", "name", "scopes", "created_at", "last_used_at", "revoked_at"),
                 {"id": OURS, "user": OURS, "digest": POWER},
                 kept=Expiry("revoked_tokens", _("the names of revoked API tokens"), "revoked_at")),
    PersonalData("request_keys", Keyed, "user", ("ref", "created_at"),
                 {"id": OURS, "user": OURS, "key": POWER, "request": OURS},
                 kept=Expiry("request_keys", _("the idempotency keys your programs used, as hashes"), "created_at")),
    PersonalData("imports", Import, "user",
            ("ref", "state", "moves", "checked", "refusal", "game__ref", "is_new", "created_at", "settled_at"),
            {"id": OURS, "user": OURS, "data": "the file that was sent; it is gone when it is checked", "tries": OURS,
             "leased_until": OURS},
                 kept=Expiry("imports", _("the game records you imported, and the result"), "settled_at")),
    PersonalData("sessions", Session, "user", ("expire_date",), {ALL: POWER}),
    PersonalData("sign_ins", SignIn, "user", ("kind", "at"),
                 {"id": OURS, "user": OURS, "mark": "a keyed hash that nobody can read"},
                 kept=Expiry("sign_ins",
                             _("which networks and kinds of browsers you've signed in from, as keyed hashes"), "at")),
    PersonalData("anonymous_requests", AnonymousRequest, lambda user: Q(address=mailbox_hash(user.email)),
                 ("kind", "at"), {ALL: "keyed hashes that nobody can read, and how they count"},
                 kept=Expiry("anonymous_requests",
                             _("sign-in emails and passwords that were asked for or tried, as keyed hashes of address "
                               "and network"),
                             "at")),
    PersonalData("trusted_devices", TrustedDevice, "user",
                 ("ref", "browser", "system", "trusted_at", "used_on"), {"id": OURS, "user": OURS, "digest": POWER},
                 kept=Expiry("trusted_devices",
                             _("the devices where one tap is enough, since you last used them"), "used_on")),
    PersonalData("second_factors", SealedTOTPDevice, "user",
                 ("name", "confirmed", "created_at", "last_used_at"), {ALL: POWER}),
    PersonalData("written_codes", StaticToken, "device__user", ("device__name",),
                 {ALL: POWER}),
    PersonalData("written_code_sheets", StaticDevice, "user",
                 ("name", "confirmed", "created_at", "last_used_at"), {ALL: POWER}),
    PersonalData("vacations", Vacation, "user",
                 ("ref", "first_day", "last_day", "begins_at", "ends_at", "created_at"), {"id": OURS, "user": OURS},
                 kept=Expiry("vacations", _("your vacations, after they end"), "ends_at")),
    PersonalData("wish_to_leave", Erasure, "user", ("takes_words", "asked_at", "due_at"),
                 {"id": OURS, "user": OURS}),
    PersonalData("tables_hosted", Game, "host",
                 ("ref", "title", "rules_name", "status", "created_at", "started_at", "finished_at"),
                 {ALL: OF_THE_TABLE},
                 is_erased=False),
    PersonalData(
        "seats", Seat, "user",
        ("game__ref", "game__title", "game__rules_name", "game__status", "number", "name", "status", "entropy",
         "misses", "is_excused", "bank", "remind_before", "hears_all_talk", "hears_next", "steward_hours",
         "wants_pause", "wants_end", "agrees_to_hour", "absent_wish", "seeks_successor", "agreed_version", "joined_at"),
        {"id": OURS, "user": OURS, "bot": OURS, "owner": OURS, "stand_in": OURS, "link_generation": OURS,
         "hides_name": OF_THE_TABLE},
        is_erased=False,
    ),
    PersonalData("seats_held", SeatTenure, "user",
                 ("seat__game__ref", "seat__number", "began_at", "ended_at", "is_by_absence"),
                 {"id": OURS, "user": OURS, "since_seq": OF_THE_TABLE}, is_erased=False),
    PersonalData("tournaments_hosted", Tournament, "host",
                 ("ref", "title", "about", "status", "reason", "created_at", "closes_at", "started_at", "finished_at",
                  "hidden_at"),
                 {ALL: OF_TOURNAMENT}, is_erased=False,
                 kept=Expiry("tournaments",
                             _("tournaments that were called off before they started, and who had entered them"),
                             _called_off)),
    PersonalData("tournaments_entered", Entrant, "user",
                 ("tournament__ref", "tournament__title", "name", "status", "reason", "entered_at", "left_at"),
                 {"id": OURS, "ref": OURS, "user": OURS, "lot": OF_TOURNAMENT, "is_bot": OURS}, is_erased=False),
    PersonalData("tournament_places", TournamentSeat, "entrant__user",
                 ("table__round__tournament__ref", "table__round__number", "table__game__ref", "place"),
                 {"id": OURS, "entrant": OURS}, is_erased=False),
    PersonalData("games_that_bots_take", BotTerms, lambda user: Q(bot=user) | Q(bot__owner=user),
                 ("bot__name", "takes_rules", "takes_paces", "takes_seat_counts", "takes_games", "answers_invitations"),
                 {"id": OURS, "bot": OURS}),
    PersonalData("matches_opened", Match, "owner",
                 ("ref", "rules_name", "options", "pace", "game_count", "status", "created_at", "finished_at"),
                 {"id": OURS, "owner": OURS, "look_at": OURS}, is_erased=False),
    PersonalData(
        "moves", Move, lambda user: Q(actor=user, source__in=Move.PEOPLE),  # as a moderator he moves for others
        ("game__ref", *MOVE_COLUMNS),
        {"id": OURS, "seq": OF_THE_TABLE, "actor": OURS, "events": OF_THE_TABLE, "first_public": OF_THE_TABLE,
         "chain": OF_THE_TABLE, "idempotency_key": OURS},
        is_erased=False,  # the game would not be what was played
        as_data=("action",),
        elsewhere=lambda user: packed_moves_by(user, MOVE_COLUMNS),
    ),
    PersonalData("reviews_asked", GameReview, "asked_by",
                 ("game__ref", "state", "requested_at"), {ALL: OF_THE_TABLE}, is_erased=False,
                 kept=Expiry("request_keys",
                             _("that you have asked for a game's review"), _reviews_asked, _forget_who_asked)),
    PersonalData("ratings", Rating, "user",
                 ("rules_name", "mu", "sigma", "points", "games", "wins", "rated_at"), {"id": OURS, "user": OURS}),
    PersonalData("rating_changes", RatingChange, "user",
                 ("rules_name", "game__ref", "points", "rated_at"), {"id": OURS, "user": OURS}),
    PersonalData("friends_asked", Friendship, "asker",
                 ("ref", "asked__name", "created_at"),
                 {"id": OURS, "asker": OURS, "status": OTHERS, "answered_at": OTHERS},
                 kept=Expiry("invitations",
                             _("requests to be friends that were not accepted"), _requests_to_be_friends)),
    PersonalData("friends_who_asked", Friendship, "asked",
                 ("ref", "asker__name", "status", "created_at", "answered_at"), {"id": OURS, "asked": OURS}),
    PersonalData("blocked", Block, lambda user: Q(recipient=user.recipient), ("ref", "name", "created_at"),
                 {"id": OURS, "recipient": OURS, "blocked": OTHERS}),
    PersonalData("blocked_by_others", Block, "blocked", (), {ALL: UNTOLD}),
    PersonalData("clubs_owned", Club, "owner",
                 ("ref", "name", "about", "created_at", "hidden_at"),
                 {"id": OURS, "owner": OURS, "link_generation": OURS}, is_erased=False),  # passed on before
    PersonalData("memberships", Membership, "user",
                 ("club__ref", "club__name", "joined_at"), {"id": OURS, "user": OURS}),
    PersonalData("club_invitations_sent", ClubInvitation, "inviter",
                 ("club__ref", "name", "created_at"), {ALL: OTHERS}),
    PersonalData("club_invitations_received", ClubInvitation, lambda user: Q(recipient=user.recipient),
                 ("club__ref", "club__name", "address", "status", "created_at"), {ALL: OTHERS},
                 kept=Expiry("invitations", _("invitations to clubs"), "created_at")),
    PersonalData("ends_of_orders", OrderDate, "seat__user",
                 ("seat__game__ref", "order", "ends_at"), {"id": OURS}),
    PersonalData("proposals", SealedProposal,
                 lambda user: Q(decision__seat__user=user, link_generation=F("decision__seat__link_generation")),
                 ("decision__game__ref", "decision__code", "answer", "reason", "made_at"),
                 {"id": OURS, "decision": OF_THE_TABLE, "opened_at": OURS, "link_generation": OURS, "branch": OURS,
                  "is_first": OURS},
                 as_data=("answer", "reason"),
                 kept=Expiry("proposals",
                             _("suggestions made to you, after the question was closed"), "decision__closed_at")),
    PersonalData("notes", Note, "user", ("game__ref", "text", "changed_at"),
                 {"id": OURS, "user": OURS}),
    PersonalData("read_until", Look, "user",
                 ("game__ref", "since", "until", "looked_at", "talk_read_at"),
                 {"id": OURS, "user": OURS},
                 kept=Expiry("looks", _("how far you've read in a finished game"), "game__finished_at")),
    PersonalData("said_at_tables", Comment, "author",
                 ("game__ref", "name", "text", "created_at", "hidden_at"),
                 {"id": OURS, "ref": OURS, "author": OURS, "hidden_by": OTHERS, "hidden_seat": OF_THE_TABLE},
                 is_erased=False),
    PersonalData("invitations_sent", Invitation, "inviter",
                 ("game__ref", "name", "words", "status", "created_at"), {ALL: OTHERS}),
    PersonalData("invitations_received", Invitation, lambda user: Q(recipient=user.recipient),
                 ("game__ref", "game__title", "address", "words", "status", "created_at"), {ALL: OTHERS},
                 kept=Expiry("invitations", _("invitations to tables that have started or closed"), _invitations)),
    PersonalData("host_offers", HostOffer, "user", ("game__ref", "created_at"),
                 {"id": OURS, "ref": POWER, "user": OURS},
                 kept=Expiry("invitations",
                             _("offers of the host role that nobody answered, after the game"), "game__finished_at")),
    PersonalData("table_presets", TablePreset, "owner",
                 ("ref", "name", "rules_name", "values", "created_at"), {"id": OURS, "owner": OURS}),
    PersonalData("beaten_bots", BeatenBot, "user", ("rules_name", "bot", "beaten_at"), {"id": OURS, "user": OURS}),
    PersonalData("puzzles", PuzzleSolver, lambda user: Q(recipient=user.recipient),
                 ("tried", "solved", "mu", "sigma", "streak", "best_streak", "last_day", "wants_mail", "mail_at",
                  "created_at"),
                 {"id": OURS, "ref": OURS, "recipient": OURS}),
    PersonalData("puzzle_answers", PuzzleAttempt, lambda user: Q(solver__recipient=user.recipient),
                 ("puzzle", "answer", "is_right", "made_at"), {"id": OURS, "solver": OURS}),
    PersonalData("puzzles_lent", LentPuzzle, "lenders", ("ref", "rules", "kind", "grade"), {ALL: OURS},
                 is_erased=False),  # withdrawn before
    PersonalData("reports_made", Report, "reporter",
                 ("game__ref", "club__ref", "tournament__ref", "against__action", "seat", "text", "created_at",
                  "settled_at", "outcome", "answer"),
                 {"id": OURS, "ref": OURS, "reporter": OURS},
                 is_erased=False,
                 kept=Expiry("reports",
                             _("your reports to the moderators, after they were resolved"),
                             "settled_at")),
    PersonalData("notes_of_moderators", ModeratorNote, "user", ("created_at",),
                 {"id": OURS, "user": OURS, "game": OTHERS, "author": OTHERS, "text": "written for moderators"},
                 kept=Expiry("reports", _("notes of the moderators"), "created_at")),
    PersonalData("acts_of_moderators", ModerationEntry, lambda user: ~Q(action__in=WATCHED) & Q(user=user),
                 ("action", "game__ref", "seat", "reason", "until", "created_at"), {ALL: OTHERS}, is_erased=False),
    PersonalData("acts_as_host_or_moderator", ModerationEntry, "actor",
                 ("action", "game__ref", "seat", "reason", "until", "created_at"), {ALL: OTHERS}, is_erased=False),
    PersonalData("changes_on_the_admin_site", LogEntry, "user",
                 ("action_time", "action_flag", "change_message"), {ALL: OTHERS},
                 kept=Expiry("admin_log", _("changes staff made on the admin site"), "action_time")),
)  # fmt: skip


# The export has of games the person's own moves and comments, but nothing that others hide.

MOST_A_DAY = 3
FORMAT = 1  # raised when a part changes its meaning


@transaction.atomic
def give(*, user: User, now: datetime) -> str:
    """Exports a person's data as JSON text, and notifies him by email. Raises TooMany after three exports in a day."""
    person = User.objects.select_for_update(of=("self",)).select_related("recipient").get(pk=user.pk)
    taken = person.recipient.notices.filter(kind=alerts.COPY_TAKEN)
    message = gettext("You've downloaded several copies today. Please try again tomorrow.")
    check_rate(taken, most=MOST_A_DAY, within=timedelta(days=1), now=now, message=message)
    alerts.copy_taken(user=person, now=now)
    return as_text(person, now)


def as_text(user: User, now: datetime) -> str:
    """Returns the data as JSON, each part under its name."""
    return json.dumps(_parts(user, now), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _parts(user: User, now: datetime) -> dict[str, object]:
    about = {"format": FORMAT, "site": settings.SITE_URL, "made_at": now}
    parts = {holding.name: holding.rows(user) for holding in PERSONAL_DATA if holding.shown}
    return about | parts | {holding.name: holding.rows(user.recipient) for holding in privacy.PERSONAL_DATA}


def file_name(now: datetime) -> str:
    """Returns the file name of the export."""
    return f"{settings.SITE_HOST.rsplit(':', 1)[0]}-{now:%Y-%m-%d}.json"
