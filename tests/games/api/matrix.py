"""The rows of the matrix of viewers and addresses: see `test_matrix`."""

from tests.games.api.matrix_of_people import CHANGES_OF_CLUBS, READS_OF_PEOPLE
from tests.games.api.rows import ALL, HOST, NOBODY, PLAYERS, STAFF, WATCHERS, Change, Read

WHY = {"reason": "Because of the storm."}
SEAT = {**WHY, "seat": 0}
AGREED = (
    "absent_after", "absent_seats", "allows_own_bots", "allows_vacation", "company", "hides_names",
    "is_first_miss_excused", "is_listed", "is_watchable", "missed", "options", "pace", "proposals", "seat_count",
    "stops_at_night", "stops_on_weekends", "welcomes_newcomers",
)  # fmt: skip
SETTINGS_FIELDS = "agreed has_agreed settings settings_version " + " ".join(
    f"{part}.{name}" for part in ("agreed", "settings") for name in AGREED
)
PRESET_FIELDS = " ".join(["created_at name ref rules settings", *(f"settings.{name}" for name in AGREED)])
TOURNAMENT = """about allows_bots closes_at fewest finished_at host is_mine most options pace ref round_days rounds
rules started_at status table_size taken title"""
ITEMS_OF_WEBHOOKS = """items items.club_ref items.events items.failing_since items.game_ref items.name items.reason
items.reason_code items.ref items.shape items.state items.switched_off_at items.tournament_ref items.url_host next"""
READS: dict[str, Read] = {
    **READS_OF_PEOPLE,
    "api_list_public_rules": Read(
        ALL,
        """
        items items.bots items.name items.options items.schema_url items.seat_counts items.title items.version
        next
        """,
        is_public=True,
    ),
    "api_read_public_rulebook": Read(
        ALL,
        """
        html language name title
        """,
        is_public=True,
    ),
    "api_list_public_tables": Read(
        ALL,
        """
        items items.allows_own_bots items.created_at items.expires_at items.host items.options items.pace
        items.ref items.rules items.seat_count items.seats items.seats.bot items.seats.name items.seats.number
        items.seats.owner items.seats.status items.seats.wants_end items.seats.wants_pause items.title next
        """,
        is_public=True,
    ),
    "api_list_public_archive": Read(
        ALL,
        """
        items items.commitment items.ending items.finished_at items.options items.places items.places.bot
        items.places.name items.places.owner items.places.place items.places.score items.places.seat items.ref
        items.rules items.rules_version items.started_at items.title next
        """,
        is_public=True,
    ),
    "api_read_public_record": Read(NOBODY, "", is_public=True),
    "api_read_public_ranking": Read(
        ALL,
        """
        count items items.games items.name items.place items.player_ref items.points items.wins next sums
        sums.games sums.hours sums.seat_count
        """,
        is_public=True,
    ),
    "api_list_public_tournaments": Read(
        ALL,
        """
        items items.about items.allows_bots items.closes_at items.fewest items.finished_at items.host
        items.is_mine items.most items.options items.pace items.ref items.round_days items.rounds items.rules
        items.started_at items.status items.table_size items.taken items.title next
        """,
        is_public=True,
    ),
    "api_read_public_tournament": Read(
        NOBODY,
        """
        about allows_bots closes_at entrants entrants.is_bot entrants.is_in entrants.name entrants.ref fewest
        finished_at host is_mine most options pace played played.byes played.ends_at played.finished_at
        played.number played.started_at played.tables played.tables.game_ref played.tables.number
        played.tables.seats played.tables.seats.name played.tables.seats.place played.tables.state ref
        round_days rounds rules standings standings.is_bot standings.is_in standings.name standings.opponents
        standings.place standings.points standings.wins started_at status table_size taken title
        """,
        is_public=True,
    ),
    "api_list_public_bots": Read(
        ALL,
        """
        items items.name items.owner items.player_ref items.ratings items.ratings.games items.ratings.points
        items.ratings.rules items.ratings.wins items.takes items.takes.answers_invitations items.takes.games
        items.takes.paces items.takes.rules items.takes.seat_counts next
        """,
        is_public=True,
    ),
    "api_list_public_matches": Read(
        ALL,
        """
        items items.bots items.created_at items.finished_at items.games items.options items.owner items.pace
        items.ref items.rules items.status next
        """,
        is_public=True,
    ),
    "api_read_public_match": Read(
        NOBODY,
        """
        bots created_at finished_at games options owner pace played played.finished_at played.game_ref played.number
        played.places played.places.name played.places.place played.places.seat played.started_at played.status ref
        results results.beaten results.games results.met results.name results.player_ref results.wins rules status
        """,
        is_public=True,
    ),
    "api_list_public_puzzles": Read(
        ALL,
        """
        items items.ask items.rules next
        """,
        is_public=True,
    ),
    "api_read_public_puzzle": Read(
        ALL,
        """
        ask board choices choices.label choices.value rules told view
        """,
        is_public=True,
    ),
    "api_list_archive": Read(
        ALL,
        """
        items items.commitment items.ending items.finished_at items.options items.places items.places.bot
        items.places.name items.places.owner items.places.place items.places.score items.places.seat items.ref
        items.rules items.rules_version items.started_at items.title next
        """,
    ),
    "api_read_ranking": Read(
        ALL,
        """
        count items items.games items.name items.place items.player_ref items.points items.wins next sums
        sums.games sums.hours sums.seat_count
        """,
    ),
    "api_read_me": Read(
        ALL,
        "address discord_id events_url curve_shown has_profile hours_shown is_ranked language lends_positions name "
        "owner proposals_shown ref zone",
    ),
    "api_list_tournaments": Read(
        ALL,
        """
        items items.about items.allows_bots items.closes_at items.fewest items.finished_at items.host
        items.is_mine items.most items.options items.pace items.ref items.round_days items.rounds items.rules
        items.started_at items.status items.table_size items.taken items.title next
        """,
    ),
    "api_read_tournament": Read(
        NOBODY,
        """
        about allows_bots closes_at entrants entrants.is_bot entrants.is_in entrants.name entrants.ref fewest
        finished_at host is_mine most options pace played played.byes played.ends_at played.finished_at
        played.number played.started_at played.tables played.tables.game_ref played.tables.number
        played.tables.seats played.tables.seats.name played.tables.seats.place played.tables.state ref
        round_days rounds rules standings standings.is_bot standings.is_in standings.name standings.opponents
        standings.place standings.points standings.wins started_at status table_size taken title
        """,
    ),
    "api_list_tokens": Read(
        ALL,
        """
        items items.created_at items.is_this items.last_used_at items.name items.ref items.scopes next
        """,
    ),
    "api_list_bots": Read(
        ALL,
        """
        items items.created_at items.is_for_all items.name items.playing items.ref items.state items.takes
        items.takes.answers_invitations items.takes.games items.takes.paces items.takes.rules items.takes.seat_counts
        items.token
        items.token.created_at items.token.last_used_at items.token.scopes next
        """,
    ),
    "api_read_bot": Read(
        NOBODY,
        """
        created_at is_for_all name playing ref state takes takes.answers_invitations takes.games takes.paces takes.rules
        takes.seat_counts token token.created_at token.last_used_at token.scopes
        """,
    ),
    "api_read_match": Read(
        NOBODY,
        """
        bots created_at finished_at games options owner pace played played.finished_at played.game_ref played.number
        played.places played.places.name played.places.place played.places.seat played.started_at played.status ref
        results results.beaten results.games results.met results.name results.player_ref results.wins rules status
        """,
    ),
    "api_list_my_invitations": Read(
        ALL,
        """
        items items.allows_own_bots items.created_at items.game_ref items.host items.options items.pace
        items.ref items.rules items.seat items.seat_count items.settings_version items.title next
        """,
    ),
    "api_read_hours": Read(ALL, "quiet_from quiet_until remind_before zone"),
    "api_list_vacations": Read(
        ALL,
        """
        items items.begins_at items.ends_at items.first_day items.last_day items.ref next
        """,
    ),
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
        items items.channels items.channels.at items.channels.channel items.channels.reason
        items.channels.reason_code items.channels.state items.channels.tries items.channels.tries.at
        items.channels.tries.code items.channels.tries.detail items.channels.tries.outcome
        items.channels.tries.reason_code items.channels.words items.created_at items.game_ref items.kind
        items.name next
        """,
    ),
    "api_list_webhooks": Read(ALL, ITEMS_OF_WEBHOOKS),
    "api_list_rules": Read(
        ALL,
        """
        items items.bots items.name items.options items.schema_url items.seat_counts items.title items.version
        next
        """,
    ),
    "api_read_rulebook": Read(ALL, "html language name title"),
    "api_list_lessons": Read(
        ALL,
        """
        items items.about items.game_ref items.rules next
        """,
    ),
    "api_list_tables": Read(
        ALL,
        """
        items items.allows_own_bots items.created_at items.expires_at items.host items.options items.pace
        items.ref items.rules items.seat_count items.seats items.seats.bot items.seats.name items.seats.number
        items.seats.owner items.seats.status items.seats.wants_end items.seats.wants_pause items.title next
        """,
    ),
    "api_list_games": Read(
        ALL,
        """
        items items.created_at items.finished_at items.ref items.rules items.seat items.status items.title
        items.unread_talk items.waits_for
        items.waiting items.waiting.code items.waiting.due_at items.waiting.is_sealed items.waiting.kind next
        """,
    ),
    "api_read_game": Read(
        WATCHERS,
        """
        absent_after absent_seats allows_own_bots allows_vacation bank_seconds board club_ref company created_at
        hides_names
        due_at expires_at extensions extensions.code extensions.due_at extensions.reason fairness
        fairness.chain fairness.commitment fairness.entropies fairness.server_seed finished_at host
        hour hour.seat hour.starts_at hour.status is_asleep
        is_first_miss_excused is_lesson is_listed is_watchable join_url last_number missed options outcome
        outcome.code outcome.ending outcome.places outcome.places.place outcome.places.score
        outcome.places.seat outcome.reason outcome.winners pace pause_ends_at paused_at paused_by proposals
        ref retractable rules rules_version seat seat_count seats
        seats.absent_wish seats.agrees_to_hour seats.seeks_successor seats.away_until seats.bot seats.has_agreed
        seats.name seats.number seats.owner seats.status seats.wants_end seats.wants_pause settings_version
        started_at status steward_hours stops_at_night stops_on_weekends title tournament tournament.ref
        tournament.round tournament.table tournament.title view waits_for
        welcomes_newcomers
        """,
    ),
    "api_read_log": Read(
        WATCHERS,
        """
        is_complete items items.at items.event items.is_taken_back items.number items.text last
        """,
    ),
    "api_list_comments": Read(
        WATCHERS,
        """
        items items.at items.is_folded items.is_hidden items.name items.ref items.text next
        """,
    ),
    "api_read_step": Read(
        WATCHERS,
        """
        at board count lines lines.at lines.event lines.is_taken_back lines.number lines.text scene scenes
        step view
        """,
    ),
    "api_list_reports": Read(
        PLAYERS,
        """
        items items.answer items.created_at items.outcome items.ref items.seat items.settled_at items.text
        next
        """,
    ),
    "api_list_care": Read(
        WATCHERS,
        """
        items items.action items.at items.reason items.seat items.until items.words next
        """,
    ),
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
        items items.actions items.actions.fields items.actions.fields.distinct items.actions.fields.kind
        items.actions.fields.label items.actions.fields.least items.actions.fields.name
        items.actions.fields.options items.actions.fields.same_as items.actions.fields.total
        items.actions.hint items.actions.label items.actions.takes_orders items.actions.type
        items.allowed_until items.code items.default items.default_code items.due_at items.hint
        items.is_sealed items.is_waiting items.kind items.opened_at items.proposal items.proposal.action
        items.proposal.mark items.proposal.reason items.proposal.text items.steward_at items.title next
        """,
    ),
    "api_read_note": Read(PLAYERS, "text"),
    "api_read_table_mail": Read(PLAYERS, "hears_all_talk hears_next muted remind_before rhythm snoozed_until ways"),
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
    "api_list_table_webhooks": Read(HOST, ITEMS_OF_WEBHOOKS),
    # Of no club and no tournament here.
    "api_list_club_webhooks": Read(NOBODY, ITEMS_OF_WEBHOOKS),
    "api_list_tournament_webhooks": Read(NOBODY, ITEMS_OF_WEBHOOKS),
    "api_list_invitations": Read(
        HOST,
        """
        items items.address items.created_at items.ref items.seat items.status next
        """,
    ),
    "api_read_waiting": Read(
        HOST,
        """
        items items.due_at items.question items.reminded_at items.seat items.since items.usual_seconds next
        """,
    ),
    "api_read_settings": Read(WATCHERS, SETTINGS_FIELDS),
    "api_list_host_offers": Read(
        ALL,
        """
        items items.created_at items.game_ref items.host items.ref items.title next
        """,
    ),
    "api_list_presets": Read(
        ALL,
        """
        items items.created_at items.name items.ref items.rules items.settings items.settings.absent_after
        items.settings.absent_seats items.settings.allows_own_bots items.settings.allows_vacation items.settings.company
        items.settings.hides_names
        items.settings.is_first_miss_excused items.settings.is_listed items.settings.is_watchable
        items.settings.missed items.settings.options items.settings.pace items.settings.proposals
        items.settings.seat_count items.settings.stops_at_night items.settings.stops_on_weekends
        items.settings.welcomes_newcomers next
        """,
    ),
    "api_read_preset": Read(NOBODY, PRESET_FIELDS),
    "api_read_statistics": Read(
        WATCHERS,
        """
        items items.code items.is_course items.params items.rows items.rows.code items.rows.label
        items.rows.numbers items.rows.params items.rows.ranks items.title next
        """,
        status=409,
    ),
    "api_read_review": Read(
        WATCHERS,
        """
        decisions decisions.answer decisions.best decisions.grade decisions.is_ours decisions.loss decisions.move
        decisions.question
        decisions.seat decisions.spread decisions.step made_at playouts points points.chances points.high points.low
        points.move seats seats.better seats.cost seats.looked_at seats.luck seats.seat seats.spread seconds
        turning_points turning_points.is_luck turning_points.move turning_points.step turning_points.text
        """,
        status=409,
    ),
    "api_read_record": Read(WATCHERS, "", status=409),
    "api_read_import": Read(
        NOBODY,
        """
        checked game_ref is_new moves ref refusal refusal_code state
        """,
    ),
    "api_read_webhook": Read(
        NOBODY,
        """
        club_ref events failing_since game_ref name reason reason_code ref shape state switched_off_at
        tournament_ref url_host
        """,
    ),
    "api_list_webhook_calls": Read(
        NOBODY,
        """
        items items.body items.created_at items.event items.id items.next_try_at items.reason
        items.reason_code items.state items.tries items.tries.code items.tries.detail items.tries.excerpt
        items.tries.milliseconds items.tries.reason_code items.tries.started_at items.words next
        """,
    ),
    "api_read_queue": Read(
        STAFF,
        """
        given_up given_up.channel given_up.kind given_up.message_id given_up.reason given_up.reason_code
        given_up.to overdue overdue.host overdue.quarantined_at overdue.ref overdue.title quarantined
        quarantined.host quarantined.quarantined_at quarantined.ref quarantined.title reports
        reports.appeal_against reports.club_ref reports.created_at reports.game_ref reports.person_ref
        reports.ref reports.reporter reports.seat reports.text reports.tournament_ref unreachable
        unreachable.game_ref unreachable.name unreachable.person_ref unreachable.seat
        """,
        refusal=403,
    ),
    "api_find_people": Read(
        STAFF,
        """
        items items.address items.is_open items.name items.ref next
        """,
        refusal=403,
        query="?q=ben",
    ),
    "api_read_person": Read(
        STAFF,
        """
        address bot_refs closed_until entries entries.action entries.actor entries.created_at entries.game_ref
        entries.person_ref entries.reason entries.seat entries.until hints hints.name hints.person_ref
        hints.signs is_open name notes notes.author notes.created_at notes.text owner_ref playing ref
        silent_until webhooks webhooks.name webhooks.ref webhooks.state webhooks.url_host
        """,
        refusal=403,
    ),
    "api_read_moderated_game": Read(
        STAFF,
        """
        entries entries.action entries.actor entries.created_at entries.game_ref entries.person_ref
        entries.reason entries.seat entries.until game game.absent_after game.absent_seats
        game.allows_own_bots game.allows_vacation game.bank_seconds game.board game.club_ref game.created_at
        game.due_at game.expires_at game.extensions game.extensions.code game.extensions.due_at
        game.extensions.reason game.fairness game.fairness.chain game.fairness.commitment
        game.fairness.entropies game.fairness.server_seed game.finished_at game.host game.is_asleep
        game.hour game.hour.seat game.hour.starts_at game.hour.status
        game.company game.hides_names game.welcomes_newcomers
        game.is_first_miss_excused game.is_lesson game.is_listed game.is_watchable game.join_url
        game.last_number game.missed game.options game.outcome game.outcome.code game.outcome.ending
        game.outcome.places game.outcome.places.place game.outcome.places.score game.outcome.places.seat
        game.outcome.reason game.outcome.winners game.pace game.pause_ends_at game.paused_at game.paused_by
        game.proposals game.ref game.retractable game.rules game.rules_version game.seat game.seat_count
        game.seats game.seats.absent_wish game.seats.agrees_to_hour
        game.seats.seeks_successor game.seats.away_until game.seats.bot game.seats.has_agreed game.seats.name
        game.seats.number game.seats.owner game.seats.status game.seats.wants_end game.seats.wants_pause
        game.settings_version game.started_at game.status game.steward_hours game.stops_at_night
        game.stops_on_weekends game.title game.tournament game.tournament.ref game.tournament.round
        game.tournament.table game.tournament.title game.view game.waits_for notes notes.author
        notes.created_at notes.text quarantined_at steps
        """,
        status=409,
        refusal=403,
    ),
    "api_read_forecast": Read(
        STAFF,
        """
        defaults defaults.default defaults.name is_whole lines
        """,
        status=409,
        refusal=403,
    ),
    "api_list_steps": Read(
        STAFF,
        """
        items items.at items.number items.text next
        """,
        status=409,
        refusal=403,
    ),
    "api_read_learned": Read(
        STAFF, "by_seat by_seat.lines by_seat.name by_seat.seat lines told", status=409, refusal=403
    ),
}
"""By the name of the address."""

ELSEWHERE = ("api_events", "api_my_events", "api_export_me")
"""Read by who may read the game, or by its owner: seen in `test_http`, `test_my_events` and the tests of privacy."""

CHANGES: dict[tuple[str, str], Change] = {
    # There is no tournament in this world.
    ("POST", "api_enter_tournament"): Change(NOBODY),
    ("DELETE", "api_enter_tournament"): Change(NOBODY),
    ("POST", "api_list_tournaments"): Change(ALL),
    ("POST", "api_enter_bot"): Change(NOBODY, body={"bot": "Robo"}),
    ("POST", "api_start_tournament"): Change(NOBODY),
    ("POST", "api_end_round"): Change(NOBODY),
    ("POST", "api_call_off_tournament"): Change(NOBODY, body=WHY),
    ("DELETE", "api_remove_entrant"): Change(NOBODY, query="?reason=storm"),
    # What everybody may do by himself.
    **{("PUT", name): Change(ALL) for name in ("api_read_hours", "api_read_mail")},
    ("PATCH", "api_read_me"): Change(ALL),
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
            "api_renew_webhook_secret",
            "api_renew_bot_token",
            "api_ping_webhook",
            "api_send_webhook_again",
        )
    },
    **CHANGES_OF_CLUBS,
    ("POST", "api_switch_webhook"): Change(NOBODY, body={"is_on": True}),
    ("POST", "api_switch_bot"): Change(NOBODY, body={"is_on": True}),
    ("PATCH", "api_read_preset"): Change(NOBODY, body={"name": "Club"}),
    ("DELETE", "api_read_preset"): Change(NOBODY),
    ("POST", "api_list_presets"): Change(NOBODY, body={"name": "Club", "game_ref": "k3v9pq2mzt7a"}),
    ("POST", "api_open_match"): Change(ALL),
    ("DELETE", "api_read_match"): Change(NOBODY),
    ("PATCH", "api_change_bot_takes"): Change(NOBODY),
    ("PATCH", "api_read_bot"): Change(NOBODY, body={"name": "Robo"}),
    ("DELETE", "api_read_bot"): Change(NOBODY),
    ("DELETE", "api_renew_bot_token"): Change(NOBODY),
    ("PATCH", "api_read_webhook"): Change(NOBODY),
    ("DELETE", "api_read_webhook"): Change(NOBODY),
    ("DELETE", "api_revoke_token"): Change(NOBODY),
    ("DELETE", "api_end_vacation"): Change(NOBODY),
    ("DELETE", "api_remove_imported"): Change(WATCHERS),  # a 409: this game was not imported
    # At a table: its players, whoever watches, its host.
    ("POST", "api_answer_decision"): Change(PLAYERS, body={"action": {"type": "forfeit"}}),
    ("DELETE", "api_take_back"): Change(PLAYERS),  # a 409: there are people beside them
    ("POST", "api_wish_pause"): Change(PLAYERS),
    ("DELETE", "api_wish_pause"): Change(PLAYERS),
    ("PUT", "api_agree_on_hour"): Change(PLAYERS, body={"starts_at": "2026-11-30T18:00Z"}),
    ("DELETE", "api_agree_on_hour"): Change(PLAYERS),
    ("PUT", "api_choose_steward"): Change(PLAYERS, body={"hours": 4}),
    ("POST", "api_wish_end"): Change(PLAYERS),
    ("DELETE", "api_wish_end"): Change(PLAYERS),
    **{
        ("POST", name): Change(PLAYERS)
        for name in (
            "api_come_back",
            "api_resign",
            "api_end_game",
            "api_play_again",
            "api_join_table",
            "api_take_seat",
        )
    },
    ("POST", "api_play_on"): Change(PLAYERS, body={"step": 1}),
    ("DELETE", "api_join_table"): Change(PLAYERS),
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
    ("POST", "api_mark_talk_read"): Change(PLAYERS),
    ("POST", "api_seek_successor"): Change(PLAYERS),
    ("DELETE", "api_seek_successor"): Change(PLAYERS),
    ("POST", "api_wish_for_absent"): Change(PLAYERS, body={"wish": "bot"}),
    ("DELETE", "api_hide_comment"): Change(("player", "staff")),
    ("POST", "api_block_author"): Change(WATCHERS),
    ("POST", "api_start_game"): Change(HOST),
    ("PATCH", "api_read_settings"): Change(HOST, body={"pace": "brisk"}),
    ("POST", "api_agree_settings"): Change(PLAYERS, body={"settings_version": 0}),
    ("POST", "api_offer_host_role"): Change(HOST, body={"seat": 1}),
    ("DELETE", "api_offer_host_role"): Change(HOST),
    ("POST", "api_take_host_role"): Change(PLAYERS),
    ("DELETE", "api_read_game"): Change(HOST),
    ("POST", "api_list_invitations"): Change(HOST, body={"address": "gil@example.org"}),
    ("DELETE", "api_withdraw_invitation"): Change(HOST),
    ("POST", "api_seat_bot"): Change(HOST, body={"bot": "greedy"}),
    ("DELETE", "api_remove_from_seat"): Change(HOST, query="?name=Ben"),
    ("POST", "api_list_table_webhooks"): Change(HOST, body={"url": "https://hooks.example.org/x"}),
    **{
        ("POST", f"api_list_{kind}_webhooks"): Change(NOBODY, body={"url": "https://hooks.example.org/x"})
        for kind in ("club", "tournament")
    },
    ("POST", "api_extend_deadlines"): Change(HOST, body={**WHY, "hours": 1}),
    ("POST", "api_nudge"): Change(HOST, body=WHY),
    ("POST", "api_replace_player"): Change(HOST, body={**WHY, "address": "fay@example.org"}),
    # Moderators: each act, and that the one who plays here moderates nothing here, are in `test_moderating`.
    ("POST", "api_moderate"): Change(STAFF, 403, WHY | {"act": "nudge", "ref": "nothing12345"}),
}
"""By method and name of the address."""
