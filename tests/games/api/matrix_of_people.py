"""The rows of the matrix about players, friends and clubs."""

from tests.games.api.rows import ALL, NOBODY, WATCHERS, Change, Read

READS_OF_PEOPLE: dict[str, Read] = {
    "api_list_friends": Read(
        ALL,
        """
        friends friends.name friends.player_ref friends.ref friends.since received received.name
        received.player_ref received.ref received.since sent sent.name sent.player_ref sent.ref sent.since
        """,
    ),
    "api_list_blocks": Read(
        ALL,
        """
        items items.name items.player_ref items.ref items.since next
        """,
    ),
    "api_list_clubs": Read(
        ALL,
        """
        items items.name items.ref next
        """,
    ),
    "api_read_club": Read(
        NOBODY,
        """
        about join_url members members.name members.player_ref name owner_ref ref standings standings.beaten
        standings.games standings.met standings.player_ref standings.wins tables tables.ref tables.rules
        tables.status tables.title
        """,
    ),
    "api_read_puzzle": Read(
        NOBODY,
        """
        ask board choices choices.label choices.value grade hint kind ref rules rules_version seat solved
        solved.chances solved.chosen solved.is_right solved.share solved.solution solved.told solved.tried view
        """,
    ),
    "api_read_player": Read(
        ALL,
        """
        games games.items games.items.finished_at games.items.place games.items.ref games.items.rules
        games.items.title games.next head_to_head head_to_head.ahead head_to_head.behind head_to_head.games
        hours hours.begin hours.end hours.often is_friend name owner ratings ratings.curve ratings.curve.at
        ratings.curve.game_ref ratings.curve.points ratings.curve.tournament_ref ratings.games ratings.points
        ratings.rules ratings.wins ref reliability reliability.asked reliability.in_time sums sums.played
        sums.rules sums.won
        """,
    ),
    "api_read_seat_player": Read(
        WATCHERS,
        """
        games games.items games.items.finished_at games.items.place games.items.ref games.items.rules
        games.items.title games.next head_to_head head_to_head.ahead head_to_head.behind head_to_head.games
        hours hours.begin hours.end hours.often is_friend name owner ratings ratings.curve ratings.curve.at
        ratings.curve.game_ref ratings.curve.points ratings.curve.tournament_ref ratings.games ratings.points
        ratings.rules ratings.wins ref reliability reliability.asked reliability.in_time sums sums.played
        sums.rules sums.won
        """,
    ),
}
CHANGES_OF_CLUBS: dict[tuple[str, str], Change] = {
    ("POST", "api_list_friends"): Change(ALL),
    ("POST", "api_list_clubs"): Change(ALL),
    ("POST", "api_read_puzzle"): Change(NOBODY, body={"answer": "0"}),
    ("POST", "api_list_blocks"): Change(ALL),
    ("DELETE", "api_unblock_player"): Change(NOBODY),
    ("POST", "api_block_inviter"): Change(NOBODY),
    ("POST", "api_report_club"): Change(NOBODY, body={"text": "x"}),
    ("POST", "api_report_tournament"): Change(NOBODY, body={"text": "x"}),
    **{("POST", f"api_{name}"): Change(NOBODY) for name in ("accept_friend", "decline_friend")},
    ("DELETE", "api_end_friendship"): Change(NOBODY),
    ("DELETE", "api_leave_club"): Change(NOBODY),
    ("PUT", "api_read_club"): Change(NOBODY, body={"name": "Stolen"}),
    ("DELETE", "api_read_club"): Change(NOBODY),
    ("POST", "api_join_club"): Change(NOBODY),
    ("POST", "api_invite_to_club"): Change(NOBODY, body={"address": "gil@example.org"}),
    ("DELETE", "api_remove_member"): Change(NOBODY),
    ("POST", "api_hand_over_club"): Change(NOBODY, body={"player_ref": "nobody"}),
}
