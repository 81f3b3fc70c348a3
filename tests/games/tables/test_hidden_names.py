"""Names hidden until the end: called by seats at the table, in its talk and letters; shown to all when it is over."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.errors import Conflict, SameOwner
from games.lobby import bot_accounts, hosting, lifecycle
from games.models import Game, User
from games.moderation import entries
from games.moderation.tables import offer_seat
from games.people import blocks, staff
from games.play import absences, game_moves, notify, table_talk
from games.tables import audit
from notifications import outbox
from notifications.channels.mail import suppressions
from notifications.models import DeliveryState
from tests.games.api.conftest import Program
from tests.games.clubs.founding import found
from tests.games.conftest import deliveries, fresh, new_table, open_rows, running, seat_of, to_placing
from tests.games.lobby.test_changed_settings import changed


@pytest.fixture
def hidden(anna: User, ben: User, carla: User, now: dt.datetime) -> Game:
    """A running game of the three that hides names."""
    game = new_table(anna, now, hides_names=True, is_watchable=True)
    for user in (ben, carla):
        lifecycle.join(game_id=game.pk, user=user, now=now)
    table_talk.say(game_id=game.pk, user=ben, text="I like to be first.", now=now)
    return fresh(lifecycle.start(game_id=game.pk, host=anna, now=now))


def end(game: Game, now: dt.datetime) -> Game:
    """Ends a game: everybody but one resigns, and that one ends it."""
    for number in (1, 2):
        game_moves.resign(game_id=game.pk, seat=number, actor=None, source="web", now=now)
    game_moves.end_by_wish(game_id=game.pk, seat=0, actor=game.seats.get(number=0).user, source="web", now=now)
    return fresh(game)


def test_at_the_table_people_are_called_by_their_seats_until_the_game_is_over(
    hidden: Game, ben: User, now: dt.datetime
) -> None:
    assert hidden.seat_names() == ["Player 1", "Player 2", "Player 3"]
    assert not (hidden.stops_at_night or hidden.stops_on_weekends or hidden.allows_vacation)
    said = table_talk.say(game_id=hidden.pk, user=ben, text="Hello, @Ben", now=now)
    assert [row.speaker for row in hidden.comments.order_by("pk")] == [
        "A player",
        f"Player {seat_of(hidden, ben).number + 1}",
    ]
    assert table_talk.mentioned(said.text, hidden.seated()) == []
    for language in ("en", "de", "es"):
        with override(language):
            second = table_talk.mentioned("@player 2 and @Spieler 2, hear @Jugador 3", hidden.seated())
        assert [seat.number for seat in second] == [1, 2], language
    over = end(hidden, now)
    assert sorted(over.seat_names()) == ["Anna", "Ben", "Carla"]
    assert {row.speaker for row in over.comments.all()} == {"Ben"}


def test_nothing_leads_from_a_seat_to_its_person(
    hidden: Game, anna: User, ben: User, now: dt.datetime, client: Client
) -> None:
    User.objects.filter(pk=ben.pk).update(has_profile=True)
    number = seat_of(hidden, ben).number
    blocks.block(by=anna.recipient, other=ben, now=now)
    said = table_talk.say(game_id=hidden.pk, user=ben, text="Hello", now=now)
    program = Program.with_scopes(anna, "play", "account")
    for path in (f"games/{hidden.ref}/seats/{number}/player/", f"games/{hidden.ref}/players/{number}/"):
        program.get(path, 404)
    program.post(f"games/{hidden.ref}/talk/{said.ref}/block/", {}, 404)
    rows = [said]
    table_talk.fold(rows, anna)
    assert not rows[0].is_folded
    assert hosting.host_candidates(hidden) == []
    with pytest.raises(Conflict):
        hosting.offer_role(game_id=hidden.pk, host=anna, seat=number, now=now)
    client.force_login(anna)
    response = client.get(reverse("seat_player", args=[hidden.ref, number]), follow=True)
    assert response.redirect_chain == [(reverse("table", args=[hidden.ref]), 302)]
    assert b"Ben" not in response.content


def test_of_a_bot_account_nobody_learns_whose_it_is(anna: User, ben: User, now: dt.datetime, client: Client) -> None:
    game = new_table(anna, now, hides_names=True, allows_own_bots=True)
    bot = bot_accounts.create(owner=anna, name="Robo", is_for_all=False, now=now)
    seat = lifecycle.add_bot(game_id=game.pk, host=anna, bot=bot.name, now=now)
    assert (seat.display_name, seat.owner_name, seat.is_bot) == ("Player 2", None, True)
    client.force_login(anna)
    assert b"bot of" not in client.get(reverse("table", args=[game.ref])).content
    guarded = new_table(anna, now, hides_names=True)
    lifecycle.join(game_id=guarded.pk, user=ben, now=now)
    bens = bot_accounts.create(owner=ben, name="Ada", is_for_all=True, now=now)
    with pytest.raises(SameOwner) as refusal:
        lifecycle.add_bot(game_id=guarded.pk, host=anna, bot=bens.name, now=now)
    assert "Player 2" not in str(refusal.value) and "Ada" not in str(refusal.value)
    assert lifecycle.add_bot(game_id=game.pk, host=anna, bot="greedy", now=now).display_name == "Nur"


def test_a_host_changes_it_before_the_game_and_who_takes_a_seat_over_stays_hidden(
    anna: User, hidden: Game, david: User, now: dt.datetime
) -> None:
    open_table = new_table(anna, now)
    changed(open_table, anna, now, hides_names=True)
    assert fresh(open_table).seat_names() == ["Player 1"]
    said = table_talk.say(game_id=open_table.pk, user=anna, text="Shall we?", now=now)
    changed(fresh(open_table), anna, now, hides_names=False)
    assert fresh(open_table).seat_names() == ["Anna"]
    assert open_table.comments.get(pk=said.pk).speaker == "Anna"
    seat = hidden.seats.exclude(user=anna).first()
    assert seat is not None
    absences.seek_successor(seat_id=seat.pk, is_wanted=True, now=now)
    assert absences.take_over(seat_id=seat.pk, user=david, now=now).display_name == f"Player {seat.number + 1}"


def test_a_host_offers_no_seat_to_a_certain_person(hidden: Game, anna: User, ben: User, now: dt.datetime) -> None:
    absences.leave(absences.locked_seat(seat_of(hidden, ben).pk), now)
    with pytest.raises(Conflict, match="Names are hidden"):
        offer_seat(seat=seat_of(hidden, ben), address="david@example.org", by=anna, reason="away", now=now)
    assert not hidden.invitations.exists()


def test_a_moderator_reads_who_sits_where_unless_he_plays_there(
    hidden: Game, ben: User, carla: User, client: Client, now: dt.datetime
) -> None:
    eva = staff.make_administrator("eva@example.org")
    seat, mail = seat_of(hidden, ben), ben.email
    subject = notify.seat_subject(seat)
    row = audit.record_entry(
        audit.Action.TO_BOT, by=eva, game=hidden, seat=seat.number, user=ben, reason="Gone.", now=now
    )
    news = outbox.Notification(recipient=ben.recipient, kind="bot_absent", subject=subject, dedupe_key="x")
    outbox.notify(news, now)
    notice = ben.recipient.notices.get(kind="started")
    assert notice.subject == subject
    deliveries().filter(notice__subject=subject).update(state=DeliveryState.QUARANTINED, attempt_after=None)
    suppressions.suppress(mail, suppressions.BOUNCED)
    open_rows(hidden)[0].extensions.create(reason="not_told", old_due_at=now, new_due_at=now, created_at=now)
    hidden.decisions.update(is_sealed=False)
    offered = {"seat": seat, "inviter": eva, "recipient": eva.recipient, "address": "heir@example.org"}
    hidden.invitations.create(**offered)
    places = {
        reverse("admin:games_game_moderate", args=[hidden.pk]): "Ben",
        reverse("admin:games_game_change", args=[hidden.pk]): "Ben",
        f"{reverse('admin:games_game_change', args=[hidden.pk])}?": "heir@example.org",
        reverse("admin:games_extension_changelist"): "field-seat_name",
        reverse("admin:games_invitation_changelist"): "heir@example.org",
        f"{reverse('admin:games_seat_changelist')}?q={mail}": "field-number",
        f"{reverse('admin:notifications_notice_changelist')}?q={mail}": subject,
        f"{reverse('admin:notifications_delivery_changelist')}?q={subject}": "field-recipient",
        f"{reverse('admin_find')}?q={notice.ref}": subject,
        f"{reverse('admin:games_moderationentry_changelist')}?q={mail}": row.in_words,
        reverse("admin:games_moderationentry_change", args=[row.pk]): "Gone.",
        reverse("admin:games_user_moderate", args=[ben.pk]): row.in_words,
        reverse("admin:index"): row.in_words,
    }
    for user, is_told in ((eva, True), (staff.make_administrator(carla.email), False)):
        client.force_login(user)
        shown = {page: words in client.get(page, follow=True).content.decode() for page, words in places.items()}
        assert shown == dict.fromkeys(places, is_told)
        program = Program.with_scopes(user, "moderate")
        assert bool(program.get(f"moderation/people/{ben.ref}/")["entries"]) == is_told
        queue = program.get("moderation/queue/")
        assert [seat["game_ref"] for seat in queue["unreachable"]] == [hidden.ref] * is_told
        assert bool(queue["given_up"]) == is_told
    assert list(entries.nameless_games(User.objects.get(pk=carla.pk))) == [hidden]
    Game.objects.filter(pk=hidden.pk).update(status=Game.Status.FINISHED)
    assert not entries.nameless_games(carla)


def test_names_are_hidden_from_whoever_has_played_or_whose_bot_plays(
    hidden: Game, anna: User, carla: User, david: User, now: dt.datetime
) -> None:
    absences.leave(absences.locked_seat(seat_of(hidden, carla).pk), now)
    bot_accounts.create(owner=david, name="Robo", is_for_all=True, now=now)
    assert list(entries.nameless_games(carla)) == [hidden] and not entries.nameless_games(david)
    table = new_table(anna, now, hides_names=True)
    lifecycle.add_bot(game_id=table.pk, host=anna, bot="Robo", now=now)
    assert list(entries.nameless_games(david)) == [table]


def test_a_clubs_page_says_whom_its_running_tables_wait_for(
    anna: User, ben: User, carla: User, now: dt.datetime, client: Client
) -> None:
    club = found(anna, ben, carla)
    game = to_placing(running(anna, [ben, carla], now, club=club.ref, hides_names=True), now)
    client.force_login(ben)
    page = client.get(reverse("club", args=[club.ref])).content.decode()
    asked = open_rows(game)[0].seat
    assert f"Waiting for Player {asked.number + 1}" in page and page.count("Waiting for") == 1
