"""What becomes of a report, appeals against a decision, notes of moderators and ready-made reasons."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.errors import Conflict, Forbidden, Illegal
from games.models import Decision, Game, ModerationEntry, ModeratorNote, Report, User
from games.moderation import people, repair, reports, tables
from games.people import notification_preferences, staff
from games.play import queries
from games.tables import audit
from notifications.composers import composer_for
from notifications.inbound import receiving
from notifications.inbound import receiving as dispatch
from notifications.messages import Form, MailMessage
from notifications.models import Notice
from tests.games.conftest import make_user
from tests.games.web.filling import words

DAY = dt.timedelta(days=1)


@pytest.fixture
def eva(db: None) -> User:
    """A moderator who plays nowhere."""
    return staff.make_moderator("eva@example.org")


@pytest.fixture
def fay(db: None) -> User:
    """Another one."""
    return staff.make_moderator("fay@example.org")


def letter(kind: str, user: User, language: str = "en") -> MailMessage:
    """The newest email of this kind to somebody."""
    notice = Notice.objects.filter(kind=kind, recipient=user.recipient).latest("pk")
    assert composer_for(kind).is_current(notice) == ""
    with override(language):
        made = composer_for(kind).compose(notice, language, Form.LETTER)
    assert isinstance(made, MailMessage)
    return made


# Reports


def test_who_reports_is_told_the_outcome_and_the_answer(game: Game, ben: User, eva: User, now: dt.datetime) -> None:
    row = reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    reports.settle_report(report=row, by=eva, outcome="no_breach", reason="I read all of it.", now=now)
    mail = letter("report_settled", ben)
    assert mail.subject.strip() == "Thursday: what came of your report"
    assert "no rule was broken" in mail.text and "I read all of it." in mail.text and "Anna is rude." in mail.text
    row.refresh_from_db()
    assert row.outcome == Report.Outcome.NO_BREACH


@pytest.mark.parametrize("outcome", ["", "revised", "whatever"])
def test_a_report_has_an_outcome_of_reports(game: Game, ben: User, eva: User, now: dt.datetime, outcome: str) -> None:
    row = reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    with pytest.raises(Illegal):
        reports.settle_report(report=row, by=eva, outcome=outcome, reason="x", now=now)
    assert not Report.objects.get().settled_at and not Notice.objects.filter(kind="report_settled").exists()


# Appeals


@pytest.fixture
def warned(eva: User, ben: User, now: dt.datetime) -> ModerationEntry:
    """Ben was warned by Eva."""
    people.warn(user=ben, by=eva, reason="Be kind.", now=now)
    return ModerationEntry.objects.get()


def test_a_reply_to_a_decision_is_an_appeal_that_another_moderator_decides(
    warned: ModerationEntry, ben: User, eva: User, fay: User, now: dt.datetime, settings: object
) -> None:
    settings.REPLY_ADDRESS = "reply-{token}@example.org"  # type: ignore[attr-defined]
    mail = letter("moderated", ben)
    content = f"From: {ben.email}\nMessage-ID: <1@example.org>\nSubject: Re\n\nThat was Anna, not me.\n\n> Be kind."
    receiving.receive(content=content.encode(), to=mail.headers["Reply-To"], envelope_sender=ben.email, now=now)
    assert dispatch.handle_one(now)
    row = Report.objects.get()
    assert (row.text, row.against, row.reporter) == ("That was Anna, not me.", warned, ben)
    assert "We have your appeal." in letter("appeal_received", ben).text
    assert {one.recipient for one in Notice.objects.filter(kind="reported")} == {fay.recipient}
    with pytest.raises(Conflict, match="another moderator must look"):
        reports.settle_report(report=row, by=eva, outcome="upheld", reason="No.", now=now)
    with pytest.raises(Illegal):
        reports.settle_report(report=row, by=fay, outcome="acted", reason="No.", now=now)
    reports.settle_report(report=row, by=fay, outcome="revised", reason="You were right.", now=now)
    told = letter("report_settled", ben)
    assert told.subject.strip() == "Your appeal: what we decided" and "the decision was changed" in told.text


def test_who_is_closed_out_appeals_by_the_page_of_the_email_and_once(
    eva: User, fay: User, ben: User, now: dt.datetime, client: Client
) -> None:
    people.suspend(user=ben, by=eva, reason="Three accounts.", now=now)
    url = reports.appeal_url(Notice.objects.get(kind="moderated"))
    assert url in letter("moderated", ben).text
    assert "Three accounts." in words(client.get(url))
    assert client.post(url, {"text": " "}).status_code == 422
    assert "We have your appeal." in words(client.post(url, {"text": "I have one account alone."}))
    again = client.post(url, {"text": "I say it again."})
    assert again.status_code == 409 and "already appealed" in words(again)
    assert Report.objects.get().text == "I have one account alone."
    assert url not in letter("moderated", ben).text, "there is nothing left to offer"
    assert client.get(url.replace(url[-6:], "aaaaa/")).status_code == 404


def test_the_one_moderator_there_is_decides_on_his_own_decisions(
    warned: ModerationEntry, eva: User, now: dt.datetime
) -> None:
    row = reports.appeal(entry=warned, text="No!", now=now)
    reports.settle_report(report=row, by=eva, outcome="upheld", reason="I have read it again.", now=now)


def test_what_is_no_decision_against_somebody_is_not_appealed(
    warned: ModerationEntry, game: Game, ben: User, eva: User, now: dt.datetime
) -> None:
    tables.extend(game=game, by=eva, hours=1, reason="x", now=now)
    with pytest.raises(Conflict):
        reports.appeal(entry=ModerationEntry.objects.get(action="extend"), text="No!", now=now)
    people.mute(user=ben, by=eva, reason="x", now=now, until=now + DAY)
    people.unmute(user=ben, by=eva, reason="x", now=now)
    assert "Appeal" not in letter("moderated", ben).html


# Notes


def test_notes_are_read_by_other_moderators_and_nobody_else(
    game: Game, anna: User, ben: User, eva: User, fay: User, now: dt.datetime
) -> None:
    people.add_note(about=ben, by=eva, text="He has been warned by word of mouth.", now=now)
    people.add_note(about=game, by=eva, text="Look at round 3.", now=now)
    assert [one.text for one in people.readable_notes(ben.moderator_notes.all(), fay)] == [
        "He has been warned by word of mouth."
    ]
    staff.make_moderator(ben.email)
    ben = User.objects.get(pk=ben.pk)
    assert people.readable_notes(ModeratorNote.objects.all(), ben) == [], "not about himself, nor about his own table"
    assert queries.moderation(queries.access_game(anna, game.ref)) == []
    for about, by in ((ben, ben), (ben, anna), (game, ben)):
        with pytest.raises((Forbidden, Conflict)):
            people.add_note(about=about, by=by, text="x", now=now)
    with pytest.raises(Illegal):
        people.add_note(about=game, by=eva, text=" ", now=now)


def test_a_note_is_left_and_read_on_the_pages_of_a_game_and_a_person(
    game: Game, ben: User, eva: User, fay: User, client: Client
) -> None:
    for act, page in (
        ("note", reverse("admin:games_game_moderate", args=[game.pk])),
        ("note_person", reverse("admin:games_user_moderate", args=[ben.pk])),
    ):
        client.force_login(eva)
        client.post(page, {"act": act, f"{act}-reason": "Ask Fay about <this>."})
        client.force_login(fay)
        assert "Ask Fay about &lt;this&gt;." in client.get(page).content.decode()


# Ready-made reasons


def test_a_ready_made_reason_is_read_in_the_readers_language(
    ben: User, eva: User, client: Client, now: dt.datetime
) -> None:
    client.force_login(eva)
    sent = {"act": "warn", "warn-ready": audit.PEOPLE[0], "warn-reason": "On Thursday."}
    client.post(reverse("admin:games_user_moderate", args=[ben.pk]), sent)
    assert audit.PEOPLE[0] in letter("moderated", ben).text
    spanish = letter("moderated", ben, "es").text
    assert "On Thursday." in spanish and audit.PEOPLE[0] not in spanish


def test_a_ready_made_reason_or_own_words_are_needed(ben: User, eva: User, client: Client) -> None:
    client.force_login(eva)
    page = reverse("admin:games_user_moderate", args=[ben.pk])
    assert client.post(page, {"act": "warn"}).status_code == 400
    assert client.post(page, {"act": "warn", "warn-ready": "Because I say so."}).status_code == 400
    assert not ModerationEntry.objects.exists()
    client.post(page, {"act": "warn", "warn-ready": audit.PEOPLE[1]})
    assert ModerationEntry.objects.get().reason == audit.PEOPLE[1]


def test_every_ready_made_reason_with_own_words_fits(db: None) -> None:
    assert max(map(len, audit.ALL)) + len(audit.SEPARATOR) + 200 <= 300


# A sandbox


def test_nobody_at_the_table_reads_of_a_sandbox(placing: Game, anna: User, eva: User, now: dt.datetime) -> None:
    repair.copy_to_sandbox(game=placing, step=1, seat=0, by=eva, reason="To try it.", now=now)
    assert queries.moderation(queries.access_game(anna, placing.ref)) == []
    assert not Notice.objects.filter(subject__contains="sandbox").exists()
    assert ModerationEntry.objects.get().action == ModerationEntry.Action.SANDBOX, "the log of moderators has it"


def test_who_was_deleted_is_not_opened_again(eva: User, now: dt.datetime) -> None:
    gone = make_user("Gone")
    User.objects.filter(pk=gone.pk).update(is_active=False, erased_at=now)
    with pytest.raises(Conflict, match="deleted"):
        people.lift_suspension(user=gone, by=eva, reason="x", now=now)


# Being told of what waits

HOUR = dt.timedelta(hours=1)


def told_of_desk(user: User) -> list[Notice]:
    return list(Notice.objects.filter(kind="desk_waits", recipient=user.recipient).order_by("pk"))


def test_a_moderator_is_told_once_of_what_waits_longer_than_he_chose(
    game: Game, ben: User, eva: User, fay: User, now: dt.datetime
) -> None:
    with pytest.raises(Forbidden):
        reports.choose_desk_hours(user=ben, hours=4, now=now)
    with pytest.raises(Illegal):
        reports.choose_desk_hours(user=eva, hours=5, now=now)
    Game.objects.filter(pk=game.pk).update(paused_at=now)
    Decision.objects.update(due_at=now + DAY)
    reports.choose_desk_hours(user=eva, hours=4, now=now)
    row = reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    assert reports.tell_one(now) and not reports.tell_one(now), "one look in ten minutes"
    assert reports.tell_one(now + 3 * HOUR) and told_of_desk(eva) == []
    for hours in (4, 5, 6):
        assert reports.tell_one(now + hours * HOUR)
    (notice,) = told_of_desk(eva)
    assert told_of_desk(fay) == [], "who chose nothing is told nothing"
    mail = letter("desk_waits", eva)
    assert mail.subject == "1 thing waits on the desk" and "Thursday" in mail.text and "/admin/" in mail.text
    assert "rude" not in mail.text + mail.html, "the words are read on the desk"
    assert mail.unsubscribe_url and mail.has_one_click
    german = letter("desk_waits", eva, "de")
    assert "1 Sache wartet" in german.subject and "Meldung" in german.text
    push = composer_for("desk_waits").compose_push(notice, "en")  # type: ignore[attr-defined]
    assert push is not None and push.text == "1 thing waits on the desk"
    another = reports.file_report(game=game, by=ben, text="Again.", now=now + 6 * HOUR)
    assert reports.tell_one(now + 11 * HOUR)
    assert [len(notice.data["keys"]) for notice in told_of_desk(eva)] == [1, 1], "each thing once"
    for report in (row, another):
        reports.settle_report(report=report, by=fay, outcome="acted", reason="I wrote to her.", now=now + 11 * HOUR)
    assert composer_for("desk_waits").is_current(notice), "nothing waits any more"
    reports.choose_desk_hours(user=eva, hours=None, now=now)
    assert not reports.tell_one(now + 20 * HOUR)


def test_who_moderates_no_more_is_told_nothing_of_the_desk(game: Game, ben: User, eva: User, now: dt.datetime) -> None:
    reports.choose_desk_hours(user=eva, hours=1, now=now)
    reports.file_report(game=game, by=ben, text="Anna is rude.", now=now)
    User.objects.filter(pk=eva.pk).update(is_staff=False)
    eva.groups.clear()
    assert reports.tell_one(now + 2 * HOUR) and told_of_desk(eva) == []


def test_the_hours_are_chosen_in_the_settings_and_ended_by_the_mails_link(eva: User, client: Client) -> None:
    client.force_login(eva)
    page = reverse("mail_settings")
    assert client.post(page, {"do": "desk", "hours": "5"}).status_code == 422
    assert client.post(page, {"do": "desk", "hours": "12"}).status_code == 302
    assert User.objects.get(pk=eva.pk).desk_after == 12
    stop = notification_preferences.mails_url(eva, "desk")
    client.post(stop, {"List-Unsubscribe": "One-Click"})
    eva.recipient.refresh_from_db()
    assert eva.recipient.muted == ["desk"]
    client.post(page, {"do": "choose", "rhythm": "each", "daily_at": "08:00", "wanted": ["talk"]})
    eva.recipient.refresh_from_db()
    assert "desk" in eva.recipient.muted, "it is not among the boxes there"
    client.post(page, {"do": "desk", "hours": "1"})
    eva.recipient.refresh_from_db()
    assert "desk" not in eva.recipient.muted
    client.force_login(make_user("gus@example.org"))
    assert 'id="desk"' not in client.get(page).content.decode()
    assert client.post(page, {"do": "desk", "hours": "1"}).status_code == 403
