"""The personal data of an account, table by table; `notifications.privacy.personal_data` lists those of a recipient."""

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.db.models import F, Q
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

from games.models import (
    AddressChange,
    ApiToken,
    Comment,
    Erasure,
    Game,
    Import,
    Invitation,
    Keyed,
    Look,
    ModerationEntry,
    Move,
    Note,
    OrderDate,
    Rating,
    Report,
    SealedProposal,
    SealedTOTPDevice,
    Seat,
    Session,
    SignIn,
    TrustedDevice,
    User,
    Vacation,
)
from notifications.privacy.personal_data import ALL, OURS, POWER, PersonalData

OTHERS = "it is about somebody else"
OF_THE_TABLE = "it belongs to the table; the game's own pages show what you may see of it"
OF_OTHERS = ("owner", "is_for_all", "paused_at", "is_guest")
WATCHED = ModerationEntry.Action.LOOK, ModerationEntry.Action.SETTLE  # between staff and the moderators

PERSONAL_DATA: tuple[PersonalData[User], ...] = (
    PersonalData(
        "account",
        lambda user: User.objects.filter(pk=user.pk),
        ("ref", "email", "name", "remind_before", "has_profile", "is_ranked", "proposals_shown", "is_active",
         "closed_until", "silent_until", "is_staff", "is_superuser", "date_joined", "last_login", "erased_at"),
        {"id": OURS, "password": POWER, "recipient": "told under mail_settings",
         **dict.fromkeys(OF_OTHERS, "of bots and guests")},
        is_erased=False,
    ),
    PersonalData("bots", lambda user: User.objects.filter(owner=user),
                 ("ref", "name", "is_for_all", "paused_at", "is_active", "date_joined", "erased_at"), {ALL: OURS},
                 is_erased=False),  # each is deleted as an account
    PersonalData("addresses", lambda user: EmailAddress.objects.filter(user=user), ("email", "verified", "primary"),
                 {"id": OURS, "user": OURS}),
    PersonalData(
        "address_changes",
        lambda user: AddressChange.objects.filter(user=user),
        ("new_address", "created_at", "old_confirmed_at", "new_confirmed_at", "done_at"),
        {"id": OURS, "user": OURS},
    ),
    PersonalData("api_tokens", lambda user: ApiToken.objects.filter(user=user),
                 ("ref", "name", "scopes", "created_at", "last_used_at", "revoked_at"),
                 {"id": OURS, "user": OURS, "digest": POWER}),
    PersonalData("request_keys", lambda user: Keyed.objects.filter(user=user), ("ref", "created_at"),
                 {"id": OURS, "user": OURS, "key": POWER, "request": OURS}),
    PersonalData("imports", lambda user: Import.objects.filter(user=user),
            ("ref", "state", "moves", "checked", "refusal", "game__ref", "is_new", "created_at", "settled_at"),
            {"id": OURS, "user": OURS, "data": "the file that was sent; it is gone when it is checked", "tries": OURS,
             "leased_until": OURS}),
    PersonalData("sessions", lambda user: Session.objects.filter(user=user), ("expire_date",), {ALL: POWER}),
    PersonalData("sign_ins", lambda user: SignIn.objects.filter(user=user), ("kind", "at"),
                 {"id": OURS, "user": OURS, "mark": "a keyed hash that nobody can read"}),
    PersonalData("trusted_devices", lambda user: TrustedDevice.objects.filter(user=user),
                 ("ref", "browser", "system", "trusted_at", "used_on"), {"id": OURS, "user": OURS, "digest": POWER}),
    PersonalData("second_factors", lambda user: SealedTOTPDevice.objects.filter(user=user),
                 ("name", "confirmed", "created_at", "last_used_at"), {ALL: POWER}),
    PersonalData("written_codes", lambda user: StaticToken.objects.filter(device__user=user), ("device__name",),
                 {ALL: POWER}),
    PersonalData("written_code_sheets", lambda user: StaticDevice.objects.filter(user=user),
                 ("name", "confirmed", "created_at", "last_used_at"), {ALL: POWER}),
    PersonalData("vacations", lambda user: Vacation.objects.filter(user=user),
                 ("ref", "first_day", "last_day", "begins_at", "ends_at", "created_at"), {"id": OURS, "user": OURS}),
    PersonalData("wish_to_leave", lambda user: Erasure.objects.filter(user=user), ("takes_words", "asked_at", "due_at"),
                 {"id": OURS, "user": OURS}),
    PersonalData("tables_hosted", lambda user: Game.objects.filter(host=user),
                 ("ref", "title", "rules_name", "status", "created_at", "started_at", "finished_at"),
                 {ALL: OF_THE_TABLE},
                 is_erased=False),
    PersonalData(
        "seats",
        lambda user: Seat.objects.filter(user=user),
        ("game__ref", "game__title", "game__rules_name", "game__status", "number", "name", "status", "entropy",
         "misses", "is_excused", "bank", "remind_before", "steward_hours", "wants_pause", "wants_end", "joined_at"),
        {"id": OURS, "user": OURS, "bot": OURS, "owner": OURS, "stand_in": OURS, "played_since": OURS,
         "link_generation": OURS},
        is_erased=False,
    ),
    PersonalData(
        "moves",
        lambda user: Move.objects.filter(actor=user, source__in=Move.PEOPLE),  # as a moderator he moves for others
        ("game__ref", "kind", "seat", "decision", "action", "source", "received_at", "made_at"),
        {"id": OURS, "seq": OF_THE_TABLE, "actor": OURS, "events": OF_THE_TABLE, "first_public": OF_THE_TABLE,
         "chain": OF_THE_TABLE, "idempotency_key": OURS},
        is_erased=False,  # the game would not be what was played
        as_data=("action",),
    ),
    PersonalData("ratings", lambda user: Rating.objects.filter(user=user),
                 ("rules_name", "mu", "sigma", "points", "games", "wins", "rated_at"), {"id": OURS, "user": OURS}),
    PersonalData("ends_of_orders", lambda user: OrderDate.objects.filter(seat__user=user),
                 ("seat__game__ref", "order", "ends_at"), {"id": OURS}),
    PersonalData("proposals", lambda user: SealedProposal.objects.filter(
                     decision__seat__user=user, link_generation=F("decision__seat__link_generation")),
                 ("decision__game__ref", "decision__code", "answer", "reason", "made_at"),
                 {"id": OURS, "decision": OF_THE_TABLE, "opened_at": OURS, "link_generation": OURS, "branch": OURS,
                  "is_first": OURS},
                 as_data=("answer", "reason")),
    PersonalData("notes", lambda user: Note.objects.filter(user=user), ("game__ref", "text", "changed_at"),
                 {"id": OURS, "user": OURS}),
    PersonalData("read_until", lambda user: Look.objects.filter(user=user),
                 ("game__ref", "since", "until", "looked_at"),
                 {"id": OURS, "user": OURS}),
    PersonalData("said_at_tables", lambda user: Comment.objects.filter(author=user),
                 ("game__ref", "name", "text", "created_at", "hidden_at"),
                 {"id": OURS, "ref": OURS, "author": OURS, "hidden_by": OTHERS}, is_erased=False),
    PersonalData("invitations_sent", lambda user: Invitation.objects.filter(inviter=user),
                 ("game__ref", "name", "words", "status", "created_at"), {ALL: OTHERS}),
    PersonalData("invitations_received", lambda user: Invitation.objects.filter(recipient=user.recipient),
                 ("game__ref", "game__title", "address", "words", "status", "created_at"), {ALL: OTHERS}),
    PersonalData("reports_made", lambda user: Report.objects.filter(reporter=user),
                 ("game__ref", "seat", "text", "created_at", "settled_at"), {"id": OURS, "ref": OURS, "reporter": OURS},
                 is_erased=False),  # what is settled goes in its time
    PersonalData("acts_of_moderators", lambda user: ModerationEntry.objects.filter(~Q(action__in=WATCHED), user=user),
                 ("action", "game__ref", "seat", "reason", "until", "created_at"), {ALL: OTHERS}, is_erased=False),
    PersonalData("acts_as_host_or_moderator", lambda user: ModerationEntry.objects.filter(actor=user),
                 ("action", "game__ref", "seat", "reason", "until", "created_at"), {ALL: OTHERS}, is_erased=False),
    PersonalData("changes_on_the_admin_site", lambda user: LogEntry.objects.filter(user=user),
                 ("action_time", "action_flag", "change_message"), {ALL: OTHERS}),
)  # fmt: skip
