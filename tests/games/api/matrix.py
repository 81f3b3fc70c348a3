"""The rows of the matrix of viewers and addresses: see `test_matrix`."""

from tests.games.api.matrix_of_people import CHANGES_OF_CLUBS, READS_OF_PEOPLE
from tests.games.api.rows import ALL, HOST, NOBODY, PLAYERS, STAFF, WATCHERS, Change, Read

WHY = {"reason": "Because of the storm."}
SEAT = {**WHY, "seat": 0}
AGREED = (
    "absent_after", "absent_seats", "allows_own_bots", "allows_vacation", "is_first_miss_excused", "is_listed",
    "is_watchable", "missed", "options", "pace", "proposals", "seats", "stops_at_night", "stops_on_weekends",
)  # fmt: skip
SETTINGS_FIELDS = "agreed has_agreed settings settings_version " + " ".join(
    f"{part}.{name}" for part in ("agreed", "settings") for name in AGREED
)
PRESET_FIELDS = " ".join(["created_at name ref rules settings", *(f"settings.{name}" for name in AGREED)])
TOURNAMENT = """about allows_bots closes_at fewest finished_at host is_mine most options pace ref round_days rounds
rules started_at status table_size taken title"""
READS: dict[str, Read] = {
    **READS_OF_PEOPLE,
    "api_list_archive": Read(
        ALL,
        """
        games games.commitment games.ending games.finished_at games.options games.places games.places.bot
        games.places.name games.places.owner games.places.place games.places.score games.places.seat games.ref
        games.rules games.rules_version games.started_at games.title next
        """,
    ),
    "api_read_ranking": Read(
        ALL,
        """
        count people people.games people.name people.place people.player people.points people.wins sums
        sums.games sums.hours sums.seats
        """,
    ),
    "api_read_me": Read(
        ALL,
        "address events_url curve_shown has_profile hours_shown is_ranked language name owner proposals_shown ref zone",
    ),
    "api_list_tournaments": Read(ALL, TOURNAMENT),
    "api_read_tournament": Read(
        NOBODY,
        f"""
        {TOURNAMENT} entrants entrants.is_bot entrants.is_in entrants.name played played.byes played.ends_at
        played.finished_at played.number played.started_at played.tables played.tables.game played.tables.number
        played.tables.seats played.tables.seats.name played.tables.seats.place played.tables.state standings
        standings.is_bot standings.is_in standings.name standings.opponents standings.place standings.points
        standings.wins
        """,
    ),
    "api_list_tokens": Read(ALL, "created_at is_this last_used_at name ref scopes"),
    "api_list_bots": Read(
        ALL,
        """
        created_at is_for_all name playing ref state token token.created_at token.last_used_at token.scopes
        """,
    ),
    "api_read_bot": Read(
        NOBODY,
        """
        created_at is_for_all name playing ref state token token.created_at token.last_used_at token.scopes
        """,
    ),
    "api_list_my_invitations": Read(
        ALL, "allows_own_bots created_at game host options pace ref rules seat seat_count settings_version title"
    ),
    "api_read_hours": Read(ALL, "quiet_from quiet_until remind_before zone"),
    "api_list_vacations": Read(ALL, "begins_at ends_at first_day last_day ref"),
    "api_read_mail": Read(
        ALL,
        """
        address calendar_url daily_at muted quiet_holds_all rhythm snoozed_until topics topics.is_by_game
        topics.is_needed topics.label topics.name trouble trouble_code wants_weekly
        ways
        """,
    ),
    "api_list_told": Read(
        ALL,
        """
        next notices notices.channels notices.channels.at notices.channels.channel notices.channels.reason
        notices.channels.reason_code notices.channels.state notices.channels.tries notices.channels.tries.at
        notices.channels.tries.code notices.channels.tries.detail notices.channels.tries.outcome
        notices.channels.tries.reason_code notices.channels.words notices.created_at notices.game notices.kind
        notices.name
        """,
    ),
    "api_list_webhooks": Read(
        ALL,
        """
        events failing_since game host name reason reason_code ref shape state switched_off_at
        """,
    ),
    "api_list_rules": Read(ALL, "bots name options schema_url seat_counts title version"),
    "api_read_rulebook": Read(ALL, "html language name title"),
    "api_list_lessons": Read(ALL, "about game rules"),
    "api_list_tables": Read(
        ALL,
        """
        next tables tables.allows_own_bots tables.created_at tables.expires_at tables.host tables.options tables.pace
        tables.ref tables.rules tables.seat_count tables.seats tables.seats.bot tables.seats.name tables.seats.number
        tables.seats.owner tables.seats.status tables.seats.wants_end tables.seats.wants_pause tables.title
        """,
    ),
    "api_list_games": Read(
        ALL,
        """
        games games.created_at games.finished_at games.ref games.rules games.seat games.status games.title
        games.waiting games.waiting.code games.waiting.due_at games.waiting.is_sealed games.waiting.kind next
        """,
    ),
    "api_read_game": Read(
        WATCHERS,
        """
        absent_after absent_seats allows_own_bots allows_vacation bank_seconds board club created_at due_at events
        expires_at
        extensions extensions.code extensions.due_at extensions.reason fairness fairness.chain fairness.commitment
        fairness.entropies fairness.server_seed finished_at host is_asleep is_first_miss_excused is_lesson
        is_listed is_watchable join_url missed options outcome outcome.code outcome.ending outcome.places
        outcome.places.place outcome.places.score outcome.places.seat outcome.reason outcome.winners pace
        pause_ends_at paused_at paused_by proposals ref rules rules_version seat seat_count seats seats.away_until
        seats.bot seats.has_agreed seats.name seats.number seats.owner seats.status seats.wants_end seats.wants_pause
        settings_version started_at status
        steward_hours
        stops_at_night stops_on_weekends title tournament tournament.ref tournament.round tournament.table
        tournament.title view waits_for
        """,
    ),
    "api_read_log": Read(
        WATCHERS,
        """
        is_complete last lines lines.at lines.event lines.is_taken_back lines.number lines.text
        """,
    ),
    "api_list_comments": Read(WATCHERS, "at is_folded is_hidden name ref text"),
    "api_read_step": Read(
        WATCHERS,
        """
        at board count lines lines.at lines.event lines.is_taken_back lines.number lines.text scene scenes
        step view
        """,
    ),
    "api_list_reports": Read(PLAYERS, "answer created_at outcome ref seat settled_at text"),
    "api_list_care": Read(WATCHERS, "action at reason seat until words"),
    "api_read_tally": Read(
        WATCHERS,
        """
        tally tally.code tally.is_course tally.params tally.rows tally.rows.code tally.rows.label tally.rows.numbers
        tally.rows.params tally.rows.ranks tally.title
        """,
    ),
    "api_read_story": Read(WATCHERS, "lines"),
    "api_list_decisions": Read(
        PLAYERS,
        """
        actions actions.fields actions.fields.distinct actions.fields.kind actions.fields.label
        actions.fields.least actions.fields.name actions.fields.options actions.fields.same_as
        actions.fields.total actions.hint actions.label actions.takes_orders actions.type allowed_until code
        default default_code due_at hint is_sealed is_waiting kind opened_at proposal proposal.action proposal.mark
        proposal.reason proposal.text steward_at title
        """,
    ),
    "api_read_note": Read(PLAYERS, "text"),
    "api_read_table_mail": Read(PLAYERS, "muted remind_before rhythm snoozed_until ways"),
    "api_read_orders": Read(
        PLAYERS,
        """
        facts facts.fields facts.fields.distinct facts.fields.kind facts.fields.label facts.fields.least
        facts.fields.name facts.fields.options facts.fields.same_as facts.fields.total facts.hint facts.label
        facts.takes_orders facts.type kinds kinds.answers kinds.answers.fields kinds.answers.fields.distinct
        kinds.answers.fields.kind kinds.answers.fields.label kinds.answers.fields.least
        kinds.answers.fields.name kinds.answers.fields.options kinds.answers.fields.same_as
        kinds.answers.fields.total kinds.answers.hint kinds.answers.label kinds.answers.takes_orders
        kinds.answers.type kinds.is_unasked kinds.label kinds.name kinds.topics kinds.topics.bars
        kinds.topics.group kinds.topics.hint kinds.topics.label kinds.topics.limit kinds.topics.value orders
        orders.answers orders.any_play orders.conditions orders.does orders.ends_at orders.even_so orders.forecast
        orders.id orders.kind orders.stays orders.stops orders.topic orders.until
        """,
    ),
    "api_list_table_webhooks": Read(
        HOST,
        """
        events failing_since game host name reason reason_code ref shape state switched_off_at
        """,
    ),
    "api_list_invitations": Read(HOST, "address created_at ref seat status"),
    "api_read_waiting": Read(HOST, "due_at question reminded_at seat since usual_seconds"),
    "api_read_settings": Read(WATCHERS, SETTINGS_FIELDS),
    "api_list_host_offers": Read(ALL, "created_at game host ref title"),
    "api_list_presets": Read(ALL, PRESET_FIELDS),
    "api_read_preset": Read(NOBODY, PRESET_FIELDS),
    "api_read_statistics": Read(
        WATCHERS,
        "code is_course params rows rows.code rows.label rows.numbers rows.params rows.ranks title",
        status=409,
    ),
    "api_read_review": Read(
        WATCHERS,
        """
        decisions decisions.answer decisions.best decisions.grade decisions.loss decisions.move decisions.question
        decisions.seat decisions.spread decisions.step made_at playouts points points.chances points.high points.low
        points.move seats seats.better seats.cost seats.looked_at seats.luck seats.seat seats.spread seconds
        turning_points turning_points.is_luck turning_points.move turning_points.step turning_points.text
        """,
        status=409,
    ),
    "api_read_record": Read(WATCHERS, "", status=409),
    "api_read_import": Read(NOBODY, "checked game is_new moves ref refusal refusal_code state"),
    "api_read_webhook": Read(
        NOBODY,
        """
        events failing_since game host name reason reason_code ref shape state switched_off_at
        """,
    ),
    "api_list_webhook_calls": Read(
        NOBODY,
        """
        calls calls.body calls.created_at calls.event calls.id calls.next_try_at calls.reason calls.reason_code
        calls.state calls.tries calls.tries.code calls.tries.detail calls.tries.excerpt calls.tries.milliseconds
        calls.tries.reason_code calls.tries.started_at calls.words next
        """,
    ),
    "api_read_queue": Read(
        STAFF,
        """
        given_up given_up.channel given_up.kind given_up.message_id given_up.reason
        given_up.reason_code given_up.to overdue overdue.host
        overdue.quarantined_at overdue.ref overdue.title quarantined quarantined.host quarantined.quarantined_at
        quarantined.ref quarantined.title reports reports.club reports.created_at reports.game reports.person
        reports.ref reports.appeal_against reports.reporter reports.seat reports.text reports.tournament
        unreachable unreachable.game unreachable.name unreachable.person unreachable.seat
        """,
        refusal=403,
    ),
    "api_find_people": Read(STAFF, "address is_open name ref", refusal=403, query="?q=ben"),
    "api_read_person": Read(
        STAFF,
        """
        address bots closed_until entries entries.action entries.actor entries.created_at entries.game entries.person
        entries.reason entries.seat entries.until notes notes.author
        notes.created_at notes.text hints hints.name hints.person hints.signs is_open name owner playing
        ref silent_until webhooks webhooks.host webhooks.name webhooks.ref webhooks.state
        """,
        refusal=403,
    ),
    "api_read_moderated_game": Read(
        STAFF,
        """
        entries entries.action entries.actor entries.created_at entries.game entries.person entries.reason
        entries.seat entries.until game game.absent_after game.absent_seats game.allows_own_bots game.allows_vacation
        game.bank_seconds game.board game.club game.created_at game.due_at game.events game.expires_at game.extensions
        game.extensions.code game.extensions.due_at game.extensions.reason game.fairness
        game.fairness.chain game.fairness.commitment
        game.fairness.entropies game.fairness.server_seed game.finished_at game.host game.is_asleep
        game.is_first_miss_excused game.is_lesson game.is_listed game.is_watchable game.join_url game.missed
        game.options game.outcome game.outcome.code game.outcome.ending game.outcome.places game.outcome.places.place
        game.outcome.places.score game.outcome.places.seat game.outcome.reason game.outcome.winners game.pace
        game.pause_ends_at game.paused_at game.paused_by game.proposals game.ref game.rules game.rules_version game.seat
        game.seat_count game.seats game.seats.away_until game.seats.bot game.seats.has_agreed game.seats.name
        game.seats.number game.settings_version
        game.seats.owner game.seats.status game.seats.wants_end game.seats.wants_pause game.started_at game.status
        game.steward_hours notes notes.author notes.created_at notes.text
        game.stops_at_night game.stops_on_weekends game.title game.tournament
        game.tournament.ref game.tournament.round game.tournament.table game.tournament.title game.view game.waits_for
        quarantined_at steps
        notes notes.author notes.created_at notes.text
        """,
        status=409,
        refusal=403,
    ),
    "api_read_forecast": Read(STAFF, "defaults defaults.default defaults.seat is_whole lines", status=409, refusal=403),
    "api_list_steps": Read(STAFF, "at number text", status=409, refusal=403),
    "api_read_learned": Read(
        STAFF, "by_seat by_seat.lines by_seat.name by_seat.seat lines told", status=409, refusal=403
    ),
}
"""By the name of the address."""

ELSEWHERE = ("api_events", "api_my_events", "api_export_me")
"""Read by who may read the game, or by its owner: seen in `test_http`, `test_my_events` and the tests of privacy."""

CHANGES: dict[tuple[str, str], Change] = {
    # There is no tournament in this world.
    **{("POST", name): Change(NOBODY) for name in ("api_enter_tournament", "api_leave_tournament")},
    # What everybody may do by himself.
    **{("PUT", name): Change(ALL) for name in ("api_read_hours", "api_read_mail", "api_read_me")},
    **{
        ("POST", name): Change(ALL)
        for name in (
            "api_change_address",
            "api_list_vacations",
            "api_snooze_mail",
            "api_send_test_mail",
            "api_reopen_address",
            "api_renew_calendar",
            "api_list_webhooks",
            "api_list_bots",
            "api_records",
            "api_list_games",
            "api_begin_lesson",
        )
    },
    # What is another's, whoever asks.
    **{
        ("POST", name): Change(NOBODY)
        for name in (
            "api_accept_host_role",
            "api_decline_host_role",
            "api_accept_invitation",
            "api_decline_invitation",
            "api_end_vacation",
            "api_renew_webhook_secret",
            "api_renew_bot_token",
            "api_ping_webhook",
            "api_send_webhook_again",
        )
    },
    **CHANGES_OF_CLUBS,
    ("POST", "api_switch_webhook"): Change(NOBODY, body={"is_on": True}),
    ("POST", "api_switch_bot"): Change(NOBODY, body={"is_on": True}),
    ("PUT", "api_read_preset"): Change(NOBODY, body={"name": "Club"}),
    ("DELETE", "api_read_preset"): Change(NOBODY),
    ("POST", "api_list_presets"): Change(NOBODY, body={"name": "Club", "game": "k3v9pq2mzt7a"}),
    ("PUT", "api_read_bot"): Change(NOBODY, body={"name": "Robo"}),
    ("DELETE", "api_read_bot"): Change(NOBODY),
    ("DELETE", "api_renew_bot_token"): Change(NOBODY),
    ("PUT", "api_read_webhook"): Change(NOBODY),
    ("DELETE", "api_read_webhook"): Change(NOBODY),
    ("DELETE", "api_revoke_token"): Change(NOBODY),
    ("DELETE", "api_remove_imported"): Change(WATCHERS),  # a 409: this game was not imported
    # At a table: its players, whoever watches, its host.
    ("POST", "api_answer_decision"): Change(PLAYERS, body={"action": {"type": "forfeit"}}),
    ("POST", "api_take_back"): Change(PLAYERS, path={"event": 1}),  # a 409: there are people beside them
    ("POST", "api_wish_pause"): Change(PLAYERS, body={"is_wanted": True}),
    ("PUT", "api_choose_steward"): Change(PLAYERS, body={"hours": 4}),
    ("POST", "api_wish_end"): Change(PLAYERS, body={"is_wanted": True}),
    **{
        ("POST", name): Change(PLAYERS)
        for name in (
            "api_come_back",
            "api_resign",
            "api_end_game",
            "api_leave_table",
            "api_play_again",
            "api_join_table",
            "api_take_seat",
        )
    },
    ("PUT", "api_read_orders"): Change(PLAYERS, body={"orders": []}),
    ("PUT", "api_read_note"): Change(PLAYERS, body={"text": "x"}),
    ("PUT", "api_read_table_mail"): Change(
        PLAYERS, body={"rhythm": "", "ways": "", "remind_before": None, "muted": []}
    ),
    ("POST", "api_snooze_table"): Change(PLAYERS, body={"until": None}),
    ("POST", "api_list_reports"): Change(PLAYERS, body={"text": "x"}),
    ("POST", "api_list_comments"): Change(PLAYERS, body={"text": "x"}),
    ("POST", "api_verify_game"): Change(WATCHERS),
    ("POST", "api_read_review"): Change(WATCHERS),
    ("POST", "api_hide_comment"): Change(("player", "staff")),
    ("POST", "api_block_author"): Change(WATCHERS),
    ("POST", "api_start_game"): Change(HOST),
    ("PUT", "api_read_settings"): Change(HOST, body={"pace": "brisk"}),
    ("POST", "api_agree_settings"): Change(PLAYERS, body={"settings_version": 0}),
    ("POST", "api_offer_host_role"): Change(HOST, body={"seat": 1}),
    ("POST", "api_withdraw_host_role"): Change(HOST),
    ("POST", "api_take_host_role"): Change(PLAYERS),
    ("POST", "api_close_table"): Change(HOST),
    ("POST", "api_list_invitations"): Change(HOST, body={"address": "gil@example.org"}),
    ("POST", "api_withdraw_invitation"): Change(HOST),
    ("POST", "api_seat_bot"): Change(HOST, body={"bot": "greedy"}),
    ("POST", "api_remove_from_seat"): Change(HOST, body={"name": "Ben"}),
    ("POST", "api_list_table_webhooks"): Change(HOST, body={"url": "https://hooks.example.org/x"}),
    ("POST", "api_extend_deadlines"): Change(HOST, body={**WHY, "hours": 1}),
    ("POST", "api_nudge"): Change(HOST, body=WHY),
    ("POST", "api_replace_player"): Change(HOST, body={**WHY, "address": "fay@example.org"}),
    # Moderators: each act, and that the one who plays here moderates nothing here, are in `test_moderating`.
    ("POST", "api_moderate"): Change(STAFF, 403, WHY | {"act": "nudge", "ref": "nothing12345"}),
}
"""By method and name of the address."""
