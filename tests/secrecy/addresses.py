"""Every address of the house: which are collected in each world and with which queries, and why the others are not.

`test_addresses` fails for an address that stands in neither list.
"""

ANY = ("",)
CHANGES = "it only takes what is sent there; what it answers is collected where players act"
STILL = "it shows nothing of any game"
ELSEWHERE = "it is collected by a way of its own in `collecting`"
NOBODYS = "it is about something that is not in these worlds, and belongs to its owner alone"
PLACES = "it shows who sits where, and the places of games that are over"
LOGGED = "a look at a hand is written down, and refused to who plays at the table"

# By the name of the address: the queries with which it is asked.
PAGES: dict[str, tuple[str, ...]] = {
    "table": ANY,
    "home": ANY,
    "waiting": ANY,
    "my_games": ANY,
    "lobby": ANY,
    "new_table": ANY,
    "tournaments": ANY,
    "new_tournament": ANY,
    "orders": ANY,
    "history": (
        "",
        "?step=1",
        "?step=2",
        "?step=999999",
        "?step=999999&scene=1",
        "?since=1",
        "?since=999999",
        "?turns",
    ),
    "scenes": ("", "?since=1", "?since=20", "?since=1&replay", "?since=1&replay&turns", "?since=999999"),
    "table_cards": ANY,
    "table_preview": ANY,
    "board_svg": ("", "?step=1"),
    "board_png": ANY,
    "table_feed": ANY,
    "archive_feed": ANY,
    "embed": ANY,
    "verify": ANY,
    "record": ANY,
    "archive": ANY,
    "rankings": ANY,
    "ranking": ANY,
    "seat_player": ANY,
    "player": ANY,
    "people": ANY,
    "blocked": ANY,
    "club": ANY,
    "last_tally": ANY,
    "statistics": ANY,
    "review": ANY,
    "care": ANY,
    "presets": ANY,
    "resign": ANY,
    "settings": ANY,
    "table_mail": ANY,
    "told": ANY,
    "mail_settings": ANY,
    "webhooks": ANY,
    "webhook_page": ANY,
    "table_webhooks": ANY,
    "club_webhooks": ANY,
    "signed_in": ANY,
    "bots": ANY,
    "tokens": ANY,
    "own_data": ANY,
    "ready": ANY,
}

PAGES_LEFT_OUT: dict[str, str] = {
    **dict.fromkeys(
        (
            "film", "table_act", "add_order", "change_order", "hide_comment", "talk_read", "note", "end", "pause",
            "say", "hour", "agree_end", "steward", "take_back", "seek_successor", "wish_for_absent",
            "come_back", "take_seat", "invitation_as_me", "club_invitation_as_me", "invite", "withdraw_invitation",
            "add_bot", "remove_seat", "start", "close_table",
            "leave_table", "agree_settings", "withdraw_host_offer", "take_host_role", "rename_preset", "delete_preset",
            "play_again", "remove_import", "change_hours", "plan_vacation", "end_vacation",
            "change_zone", "change_address", "take_copy", "leave", "stay", "begin_lesson", "play_now", "play_on",
            "import_game", "found_club", "act_on_club", "ask_friend", "answer_friend", "push_devices", "push_device",
            "hear_bots", "enter_tournament", "leave_tournament", "enter_bot", "start_tournament", "end_round",
            "call_off_tournament", "remove_entrant", "report_tournament", "puzzle_mails",
        ),
        CHANGES,
    ),
    **dict.fromkeys(
        (
            "rules_index", "rules", "rules_in", "rules_setup", "learn", "puzzle", "by_mail", "by_mail_in", "verifier",
            "choose_game", "package_verifier", "how_to_play", "puzzles", "daily_puzzle", "one_puzzle",
            "second_factor", "privacy", "privacy_in", "live", "sign_in_link", "sign_in_again", "begin_sign_up",
            "manifest", "service_worker", "offline", "robots", "sitemap", "preview",
            "tournament_feed", "tournament_calendar", "bot_directory", "new_match",
        ),
        STILL,
    ),
    **dict.fromkeys(("act", "calendar", "api_schema", "api_docs"), ELSEWHERE),
    **dict.fromkeys(
        ("join", "invitation", "agreement", "host_offer", "appeal",
         "back", "agree_to_hour", "confirm_reply", "not_me", "mails", "confirm_address", "bot", "never_write",
         "join_club", "club_invitation", "friend_request", "block_player", "block_author", "puzzle_mail",
         "mailed_puzzle"),
        NOBODYS,
    ),
    **dict.fromkeys(("samples", "mailbox", "mailbox_mail"), "only where somebody develops: 404 in a real house"),
    "metrics": "for who runs the machine, who can read the database: 404 without the token of its settings",
    **dict.fromkeys(("admin_lists", "admin_find"), ELSEWHERE),
    "change_table": "a table before its game has nothing to hide; a running one has no such page",
    **dict.fromkeys(("tournament", "match", "match_csv"), PLACES),
    "tournament_webhooks": NOBODYS,
    "importing": "an import belongs to its importer alone, and tells of a game that is over",
}  # fmt: skip

API: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "api_read_waiting", "api_list_reports", "api_read_settings", "api_list_host_offers", "api_list_presets",
            "api_list_tournaments", "api_list_public_tables", "api_list_public_archive", "api_list_public_tournaments",
            "api_read_public_record", "api_read_public_ranking",
            "api_read_me", "api_list_tokens", "api_list_bots", "api_list_my_invitations", "api_read_hours",
            "api_list_vacations", "api_read_mail",
            "api_list_friends", "api_list_blocks", "api_list_clubs", "api_read_club",
            "api_list_webhooks", "api_read_webhook", "api_list_table_webhooks", "api_list_club_webhooks",
            "api_read_record",
            "api_read_ranking", "api_read_player",
            "api_read_game", "api_events", "api_my_events", "api_list_decisions", "api_read_orders",
            "api_list_comments", "api_read_note",
            "api_read_table_mail", "api_list_invitations", "api_read_seat_player", "api_list_care",
            "api_read_statistics", "api_read_review",
            "api_read_story",
            "api_read_tally",
            *("api_read_queue", "api_read_moderated_game", "api_read_forecast", "api_list_steps"),
            *("api_read_learned", "api_read_person"),
        ),
        ANY,
    ),
    "api_list_told": ("", "?limit=1"),
    "api_list_webhook_calls": ("", "?limit=1"),
    "api_list_archive": ("", "?limit=1"),
    "api_list_tables": ("", "?limit=1"),
    "api_list_games": ("", "?limit=1", "?status=running"),
    "api_read_log": ("", "?limit=1", "?after=1"),
    "api_read_step": ("", "?step=1", "?step=999999", "?step=999999&scene=1"),
    "api_find_people": ("?q=ben",),
}  # fmt: skip

API_LEFT_OUT: dict[str, str] = {
    **dict.fromkeys(
        (
            "api_list_rules",
            "api_read_rulebook",
            "api_list_lessons",
            "api_list_public_rules",
            "api_read_public_rulebook",
            "api_list_public_bots",
            "api_list_public_matches",
            "api_list_public_puzzles",
            "api_read_public_puzzle",
            "api_read_puzzle",
        ),
        STILL,
    ),
    "api_read_bot": NOBODYS,
    "api_read_preset": NOBODYS,
    "api_list_tournament_webhooks": NOBODYS,
    **dict.fromkeys(
        ("api_read_tournament", "api_read_public_tournament", "api_read_match", "api_read_public_match"), PLACES
    ),
    "api_export_me": ELSEWHERE,
    "api_read_import": "an import belongs to its importer alone, and tells of a game that is over",
}
"""Those that are read at all; the others only change something."""

ADMIN_PAGES: tuple[str, ...] = (
    "games_game_moderate", "games_game_steps", "games_game_step", "games_game_forecast", "games_user_moderate",
    "games_report_moderate", "notifications_endpoint_moderate",
)  # fmt: skip
ADMIN_LEFT_OUT: dict[str, str] = {"games_game_hand": LOGGED, "games_tournament_moderate": PLACES}
"""Pages of the admin site beside its index, its lists and the pages behind them, which are found there."""
