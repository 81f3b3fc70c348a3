"""The rows of the matrix about players, friends and clubs."""

from tests.games.api.rows import ALL, NOBODY, WATCHERS, Change, Read

READS_OF_PEOPLE: dict[str, Read] = {
    "api_list_friends": Read(
        ALL,
        """
        friends friends.name friends.player friends.ref friends.since received received.name received.player
        received.ref received.since sent sent.name sent.player sent.ref sent.since
        """,
    ),
    "api_list_blocks": Read(ALL, "blocked blocked.name blocked.player blocked.ref blocked.since"),
    "api_list_clubs": Read(ALL, "name ref"),
    "api_read_club": Read(
        NOBODY,
        """
        about join_url members members.name members.player name owner ref standings standings.beaten standings.games
        standings.met standings.player standings.wins tables tables.ref tables.rules tables.status tables.title
        """,
    ),
    "api_read_player": Read(
        ALL,
        """
        games games.finished_at games.place games.ref games.rules games.title head_to_head head_to_head.ahead
        head_to_head.behind head_to_head.games hours hours.begin hours.end hours.often is_friend name next owner ratings
        ratings.curve ratings.curve.at ratings.curve.game ratings.curve.points ratings.curve.tournament
        ratings.games ratings.points ratings.rules ratings.wins ref reliability reliability.asked reliability.in_time
        sums sums.played sums.rules sums.won
        """,
    ),
    "api_read_seat_player": Read(
        WATCHERS,
        """
        games games.finished_at games.place games.ref games.rules games.title head_to_head head_to_head.ahead
        head_to_head.behind head_to_head.games hours hours.begin hours.end hours.often is_friend name next owner ratings
        ratings.curve ratings.curve.at ratings.curve.game ratings.curve.points ratings.curve.tournament
        ratings.games ratings.points ratings.rules ratings.wins ref reliability reliability.asked reliability.in_time
        sums sums.played sums.rules sums.won
        """,
    ),
}
CHANGES_OF_CLUBS: dict[tuple[str, str], Change] = {
    ("POST", "api_list_friends"): Change(ALL),
    ("POST", "api_list_clubs"): Change(ALL),
    ("POST", "api_list_blocks"): Change(ALL),
    ("DELETE", "api_unblock_player"): Change(NOBODY),
    ("POST", "api_block_inviter"): Change(NOBODY),
    ("POST", "api_report_club"): Change(NOBODY, body={"text": "x"}),
    ("POST", "api_report_tournament"): Change(NOBODY, body={"text": "x"}),
    **{
        ("POST", f"api_{name}"): Change(NOBODY)
        for name in ("accept_friend", "decline_friend", "end_friendship", "leave_club")
    },
    ("PUT", "api_read_club"): Change(NOBODY, body={"name": "Stolen"}),
    ("DELETE", "api_read_club"): Change(NOBODY),
    ("POST", "api_join_club"): Change(NOBODY),
    ("POST", "api_invite_to_club"): Change(NOBODY, body={"address": "gil@example.org"}),
    ("POST", "api_remove_member"): Change(NOBODY, body={"player": "nobody"}),
    ("POST", "api_hand_over_club"): Change(NOBODY, body={"player": "nobody"}),
}
