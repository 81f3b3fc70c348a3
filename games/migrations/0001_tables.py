"""All tables, in one step; installations that took the steps of `replaces` have them."""

import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.manager
import games.ids
import games.people.models
import notifications.clock.present
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_the_one_clock"),
        ("games", "0003_the_fair_clock"),
        ("games", "0004_standing_orders"),
        ("games", "0005_a_clock_keeps_its_hours"),
        ("games", "0006_tables_that_are_not_over"),
        ("games", "0007_table_talk_and_history"),
        ("games", "0008_moderation"),
        ("games", "0009_people_with_their_recipients"),
        ("games", "0010_receipts"),
        ("games", "0011_what_a_game_waits_on"),
        ("games", "0012_reminders_of_a_table"),
        ("games", "0013_wishes_to_end"),
        ("games", "0014_moderated_webhooks"),
        ("games", "0015_lessons"),
        ("games", "0016_profiles_watchers_and_once_more"),
        ("games", "0017_roll_back_and_sandboxes"),
        ("games", "0018_silence_and_more_acts"),
        ("games", "0019_lessons_to_remove"),
        ("games", "0020_sign_ins"),
        ("games", "0021_token_scopes"),
        ("games", "0022_deleted_accounts"),
        ("games", "0023_games_of_elsewhere"),
        ("games", "0024_ratings"),
        ("games", "0025_what_grows"),
        ("games", "0026_bot_accounts"),
        ("games", "0027_request_keys"),
        ("games", "0028_outages_given_back_by_steps"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("notifications", "0001_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("code", models.CharField(max_length=80)),
                ("kind", models.CharField(max_length=40)),
                ("is_sealed", models.BooleanField(default=False)),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "open"), ("answered", "answered"), ("withdrawn", "no longer asked")],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("is_automatic", models.BooleanField(default=False)),
                ("opened_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("allowed_until", models.DateTimeField(blank=True, null=True)),
                ("hours", models.CharField(blank=True, default="", max_length=100)),
                ("left", models.DurationField(blank=True, null=True)),
                ("remind_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("kept_answer", models.TextField(blank=True, default="")),
            ],
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, unique=True)),
                ("beat_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("email", models.EmailField(max_length=254, unique=True, verbose_name="mail address")),
                ("name", models.CharField(max_length=40, verbose_name="name")),
                ("remind_before", models.JSONField(blank=True, null=True)),
                ("has_profile", models.BooleanField(default=True)),
                ("is_ranked", models.BooleanField(default=False)),
                ("is_for_all", models.BooleanField(default=False)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("is_active", models.BooleanField(default=True)),
                ("closed_until", models.DateTimeField(blank=True, null=True)),
                ("silent_until", models.DateTimeField(blank=True, null=True)),
                ("is_staff", models.BooleanField(default=False)),
                ("date_joined", models.DateTimeField(default=notifications.clock.present.now, editable=False)),
                ("erased_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="bots",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
                (
                    "recipient",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="user",
                        to="notifications.recipient",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("closed_until__isnull", False)),
                        fields=["closed_until"],
                        name="user_to_open",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("name"),
                        condition=models.Q(("owner__isnull", False), models.Q(("name", ""), _negated=True)),
                        name="one_bot_per_name",
                    )
                ],
            },
            managers=[
                ("people", django.db.models.manager.Manager()),
                ("objects", games.people.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="AddressChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("new_address", models.EmailField(max_length=254)),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("old_confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("new_confirmed_at", models.DateTimeField(blank=True, null=True)),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="address_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("scopes", models.JSONField(default=games.people.models.everyday_scopes)),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("takes_words", models.BooleanField(default=False)),
                ("asked_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("due_at", models.DateTimeField()),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="erasure", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["due_at"], name="erasure_due")],
            },
        ),
        migrations.CreateModel(
            name="Extension",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("excused", "the first missed deadline is excused"),
                            ("outage", "the service gave more time"),
                            ("not_told", "the service gave more time"),
                            ("vacation", "a player is on vacation"),
                            ("pause", "the game was paused"),
                            ("host", "the host gave more time"),
                            ("moderator", "a moderator gave more time"),
                        ],
                        max_length=10,
                    ),
                ),
                ("old_due_at", models.DateTimeField()),
                ("new_due_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                (
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="extensions", to="games.decision"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("recorded_as", models.CharField(blank=True, default="", editable=False, max_length=12)),
                ("title", models.CharField(max_length=60, verbose_name="name of the table")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "waiting for players"),
                            ("running", "running"),
                            ("finished", "finished"),
                            ("closed", "closed without a result"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("is_listed", models.BooleanField(default=False)),
                ("is_watchable", models.BooleanField(default=False)),
                ("is_lesson", models.BooleanField(default=False)),
                ("rules_name", models.CharField(max_length=40)),
                ("rules_version", models.PositiveIntegerField()),
                ("options", models.JSONField(default=dict)),
                ("seat_count", models.PositiveSmallIntegerField()),
                ("pace", models.CharField(max_length=20)),
                ("stops_at_night", models.BooleanField(default=True)),
                ("stops_on_weekends", models.BooleanField(default=False)),
                ("allows_vacation", models.BooleanField(default=True)),
                (
                    "on_timeout",
                    models.CharField(
                        choices=[("pass", "the move is passed"), ("bot", "a bot makes the move")],
                        default="pass",
                        max_length=10,
                    ),
                ),
                ("is_first_miss_excused", models.BooleanField(default=True)),
                ("absent_after", models.PositiveSmallIntegerField(default=3)),
                (
                    "absent_seats",
                    models.CharField(
                        choices=[
                            ("pass", "passed at once"),
                            ("bot", "played by a bot"),
                            ("takeover", "passed, and offered to others"),
                        ],
                        default="pass",
                        max_length=10,
                    ),
                ),
                ("state", models.TextField(blank=True, default="")),
                ("seq", models.PositiveIntegerField(default=0)),
                ("branch", models.PositiveSmallIntegerField(default=0)),
                ("public_events", models.PositiveIntegerField(default=0)),
                ("chain", models.CharField(blank=True, default="", max_length=64)),
                ("commitment", models.CharField(max_length=64)),
                ("server_seed", models.CharField(max_length=64)),
                ("advance_at", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                (
                    "paused_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("vote", "the players"),
                            ("moderator", "a moderator"),
                            ("lesson", "nobody: a lesson has no clock"),
                            ("sandbox", "nobody: a sandbox has no clock"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("pause_ends_at", models.DateTimeField(blank=True, null=True)),
                ("quarantined_at", models.DateTimeField(blank=True, null=True)),
                ("outcome", models.JSONField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("expires_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("rated_at", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "again_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="sequels",
                        to="games.game",
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hosted_games",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sandbox_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sandboxes",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("advance_at__isnull", False), ("quarantined_at__isnull", True)),
                        fields=["advance_at"],
                        name="game_to_advance",
                    ),
                    models.Index(
                        condition=models.Q(("pause_ends_at__isnull", False)),
                        fields=["pause_ends_at"],
                        name="pause_to_end",
                    ),
                    models.Index(
                        condition=models.Q(("status__in", ("open", "running"))), fields=["status"], name="game_alive"
                    ),
                    models.Index(
                        condition=models.Q(("is_lesson", True), ("sandbox_of__isnull", False), _connector="OR"),
                        fields=["expires_at"],
                        name="practice_to_remove",
                    ),
                    models.Index(
                        condition=models.Q(("is_listed", True), ("status", "finished")),
                        fields=["finished_at"],
                        name="game_archived",
                    ),
                    models.Index(
                        condition=models.Q(("is_listed", True), ("rated_at__isnull", True), ("status", "finished")),
                        fields=["finished_at"],
                        name="game_to_rate",
                    ),
                    models.Index(
                        condition=models.Q(("absent_seats", "takeover"), ("is_listed", True), ("status", "running")),
                        fields=["started_at"],
                        name="game_with_offers",
                    ),
                    models.Index(condition=models.Q(("status", "open")), fields=["expires_at"], name="table_to_expire"),
                ],
            },
        ),
        migrations.AddField(
            model_name="decision",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="decisions", to="games.game"
            ),
        ),
        migrations.CreateModel(
            name="Comment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("name", models.CharField(blank=True, max_length=40)),
                ("text", models.CharField(max_length=1000)),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("hidden_at", models.DateTimeField(blank=True, null=True)),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="comments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "hidden_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
                "indexes": [models.Index(fields=["author", "created_at"], name="comments_of_a_day")],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("address", models.EmailField(max_length=254)),
                ("name", models.CharField(blank=True, default="", max_length=40)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("sent", "invited"),
                            ("joined", "joined"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="sent",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="games.game"
                    ),
                ),
                (
                    "inviter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations_sent",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recipient",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations",
                        to="notifications.recipient",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["inviter", "created_at"], name="invitations_of_a_day")],
                "constraints": [models.UniqueConstraint(fields=("game", "address"), name="one_invitation_per_address")],
            },
        ),
        migrations.CreateModel(
            name="Keyed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=64)),
                ("request", models.CharField(max_length=64)),
                ("ref", models.CharField(blank=True, default="", max_length=12)),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="keyed", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["created_at"], name="keys_to_forget")],
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="one_thing_per_key")],
            },
        ),
        migrations.CreateModel(
            name="Look",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.PositiveIntegerField(default=0)),
                ("until", models.PositiveIntegerField(default=0)),
                ("looked_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="looks", to="games.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="looks", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "user"), name="one_look_per_person")],
            },
        ),
        migrations.CreateModel(
            name="ModerationEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("pause", "paused the game"),
                            ("resume", "let the game go on"),
                            ("extend", "gave more time"),
                            ("nudge", "reminded everybody who is waited for"),
                            ("force", "answered the open questions by default"),
                            ("to_bot", "handed the seat to a bot"),
                            ("give_back", "gave the seat back to its player"),
                            ("replace", "gave the seat to somebody else"),
                            ("roll_back", "took the game back"),
                            ("sandbox", "copied the game to a sandbox"),
                            ("cancel", "ended the game without a result"),
                            ("release", "released the game from quarantine"),
                            ("look", "looked at a hand"),
                            ("warn", "warned"),
                            ("mute", "silenced"),
                            ("unmute", "let speak again"),
                            ("suspend", "closed the account"),
                            ("lift", "opened the account again"),
                            ("settle", "settled a report"),
                            ("mail_again", "sent a player what is asked again"),
                            ("try_again", "had a message tried again that was given up"),
                            ("resend", "sent a webhook's message again"),
                            ("hook_off", "switched a webhook off"),
                            ("hook_on", "switched a webhook on"),
                        ],
                        max_length=12,
                        verbose_name="what",
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat")),
                ("reason", models.CharField(max_length=300, verbose_name="why")),
                ("until", models.DateTimeField(blank=True, null=True, verbose_name="until")),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now, verbose_name="when")),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moderated",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moderation",
                        to="games.game",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="moderation",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "moderation entry",
                "verbose_name_plural": "moderation entries",
                "permissions": (
                    ("moderate_game", "Can moderate games"),
                    ("moderate_user", "Can warn people and close accounts"),
                    ("look_at_hands", "Can look at what players hide, which is written down"),
                ),
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("start", "start"),
                            ("answer", "answer"),
                            ("advance", "next phase"),
                            ("resign", "resignation"),
                            ("end", "end"),
                            ("orders", "orders"),
                            ("branch", "roll-back"),
                        ],
                        max_length=10,
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("decision", models.CharField(blank=True, default="", max_length=80)),
                ("action", models.TextField(blank=True, default="")),
                ("events", models.TextField(default="[]")),
                ("first_public", models.PositiveIntegerField()),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("web", "web page"),
                            ("link", "link in a mail"),
                            ("mail", "reply by mail"),
                            ("api", "API"),
                            ("bot", "bot"),
                            ("deadline", "deadline"),
                            ("absent", "nobody waited for"),
                            ("advance", "the service"),
                            ("moderator", "moderator"),
                            ("record", "a player elsewhere"),
                        ],
                        max_length=10,
                    ),
                ),
                ("received_at", models.DateTimeField()),
                ("made_at", models.DateTimeField(default=notifications.clock.present.now)),
                ("idempotency_key", models.CharField(blank=True, default="", max_length=80)),
                ("chain", models.CharField(max_length=64)),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="moves", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ("game", "seq"),
                "constraints": [
                    models.UniqueConstraint(fields=("game", "seq"), name="moves_in_sequence"),
                    models.UniqueConstraint(
                        condition=models.Q(("idempotency_key", ""), _negated=True),
                        fields=("game", "idempotency_key"),
                        name="one_move_per_key",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.TextField(blank=True, default="", max_length=4000)),
                ("changed_at", models.DateTimeField(default=notifications.clock.present.now)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notes", to="games.game"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notes", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "user"), name="one_note_per_person")],
            },
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("began_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField()),
                ("upto", models.BigIntegerField(default=0)),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("settled_at__isnull", True)), fields=["settled_at"], name="outage_unsettled"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rules_name", models.CharField(max_length=40)),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("points", models.IntegerField()),
                ("games", models.PositiveIntegerField(default=0)),
                ("wins", models.PositiveIntegerField(default=0)),
                ("rated_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["rules_name", "-points"], name="rating_by_points")],
                "constraints": [models.UniqueConstraint(fields=("user", "rules_name"), name="one_rating_per_person")],
            },
        ),
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("received_at", models.DateTimeField()),
                (
                    "decision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="receipts", to="games.decision"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("seat", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="seat")),
                ("text", models.CharField(max_length=1000, verbose_name="what happened")),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now, verbose_name="when")),
                ("settled_at", models.DateTimeField(blank=True, null=True, verbose_name="settled")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="games.game"
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
                "indexes": [
                    models.Index(
                        condition=models.Q(("settled_at__isnull", True)), fields=["created_at"], name="report_open"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, max_length=40)),
                ("bot", models.CharField(blank=True, default="", max_length=20)),
                (
                    "status",
                    models.CharField(
                        choices=[("active", "playing"), ("absent", "absent"), ("resigned", "resigned")],
                        default="active",
                        max_length=10,
                    ),
                ),
                ("stand_in", models.CharField(blank=True, default="", max_length=20)),
                ("entropy", models.CharField(blank=True, default="", max_length=64)),
                ("misses", models.PositiveSmallIntegerField(default=0)),
                ("is_excused", models.BooleanField(default=False)),
                ("bank", models.DurationField(blank=True, null=True)),
                ("remind_before", models.JSONField(blank=True, null=True)),
                ("wants_pause", models.BooleanField(default=False)),
                ("wants_end", models.BooleanField(default=False)),
                ("played_since", models.PositiveIntegerField(default=0)),
                ("link_generation", models.PositiveIntegerField(default=0)),
                ("joined_at", models.DateTimeField(default=notifications.clock.present.now)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.game"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("status", "absent")), fields=["game"], name="seat_absent")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="one_seat_per_number"),
                    models.UniqueConstraint(
                        condition=models.Q(("user__isnull", False)), fields=("game", "user"), name="one_seat_per_person"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OrderDate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.CharField(max_length=12)),
                ("ends_at", models.DateTimeField()),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="order_dates", to="games.seat"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["ends_at"], name="order_to_end")],
                "constraints": [models.UniqueConstraint(fields=("seat", "order"), name="one_date_per_order")],
            },
        ),
        migrations.AddField(
            model_name="decision",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="decisions", to="games.seat"
            ),
        ),
        migrations.CreateModel(
            name="SignIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=[("network", "network"), ("browser", "browser")], max_length=10)),
                ("mark", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_ins",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["mark"], name="sign_ins_alike"),
                    models.Index(fields=["at"], name="sign_ins_to_forget"),
                ],
                "constraints": [models.UniqueConstraint(fields=("user", "kind", "mark"), name="one_mark_per_person")],
            },
        ),
        migrations.CreateModel(
            name="Snapshot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("state", models.TextField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="snapshots", to="games.game"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "seq"), name="one_snapshot_per_move")],
            },
        ),
        migrations.CreateModel(
            name="Vacation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ref", models.CharField(default=games.ids.random_ref, editable=False, max_length=12, unique=True)),
                ("first_day", models.DateField()),
                ("last_day", models.DateField()),
                ("begins_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=notifications.clock.present.now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vacations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["user", "ends_at"], name="vacation_of_a_person")],
            },
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(condition=models.Q(("status", "open")), fields=["game"], name="decision_open"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("is_automatic", False), ("status", "open")),
                fields=["due_at"],
                name="decision_overdue",
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("remind_at__isnull", False)), fields=["remind_at"], name="decision_to_remind"
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("is_automatic", True), ("status", "open")),
                fields=["opened_at"],
                name="decision_automatic",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(fields=("game", "code", "seat"), name="asked_once"),
        ),
    ]
