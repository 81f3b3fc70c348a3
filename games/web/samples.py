"""The game of the sample letters: opened, played and ended like any other."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils.translation import override

from engine.core import ActionForm, Choice
from engine.core.rng import commitment
from engine.orders.model import MOST_ANSWERS, OrderFired
from games.archive.models import RatingChange
from games.clubs import clubs
from games.clubs import invitations as club_invitations
from games.inbox import handler
from games.links import page_url
from games.lobby import bot_accounts, hosting, invitations, lifecycle, puzzles
from games.moderation import people, repair, reports, tables
from games.people import accounts, friends, sign_in
from games.people.models import AddressChange, User
from games.people.sign_in import WITH_LINK, AccountAdapter
from games.play import absences, automatic_answers, clocks, game_moves, pauses, queries, standing_orders, table_talk
from games.play.digest import together
from games.play.models import Decision, Extension
from games.play.notify import seat_subject
from games.tables import webhooks
from games.tables.models import Game
from games.tables.seats import Seat
from games.tables.settings import TablePlan, agreed_of
from games.tournaments import rounds, tournaments
from games.tournaments.models import Tournament, TournamentTable
from games.tournaments.tournaments import TournamentPlan
from notifications.channels.webhook.webhooks import SILENT
from notifications.clock import present
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Inbound, Notice, Recipient

PLAYERS = ("Anna", "Ben", "Carla")
MOST_STEPS = 150  # answers after which what the sample waits for has happened
SEED = bytes(32)  # always the same game: in others what a letter tells of may never happen
STEPS = 15  # answers before the sample mail: enough to have news, and no game is over by then
LEFT, KIND, RUDE, SHALL, PEARL, WRONG, WELCOME = SAID = (  # what people have typed stays as it is in every language
    "Two of you have left.",
    "Please be kind at the table.",
    "Ben calls everybody names.",
    "@Ben, shall we wait for Carla?",
    "Do I have a pearl?",
    "Carla answered for Ben by mistake.",
    "We play on Thursdays.",
)


class SampleGame:
    """The sample game and its people."""

    def __init__(self, rules_name: str, language: str) -> None:
        self.now = present.now()
        self.users = [create_user(name, language) for name in PLAYERS]
        self.game = self.open(rules_name, "Thursday")
        for guest in self.users[1:]:
            lifecycle.join(game_id=self.game.pk, user=guest, now=self.now)

    @property
    def ben(self) -> User:
        """Returns the reader of the letters."""
        return self.users[1]

    def open(self, rules_name: str, title: str) -> Game:
        """Open a table for three, with a known seed."""
        plan = TablePlan(title=title, rules_name=rules_name, seat_count=3)
        game = lifecycle.open_table(host=self.users[0], plan=plan, now=self.now)
        game.server_seed, game.commitment = SEED.hex(), commitment(SEED)
        game.save(update_fields=["server_seed", "commitment"])
        return game

    def play(self) -> Decision:
        """Start, play some moves, and stop where Ben is asked."""
        lifecycle.start(game_id=self.game.pk, host=self.users[0], now=self.now)
        for step in range(MOST_STEPS):
            row = self.asked()
            if step >= STEPS and row.seat.user == self.ben:
                return row
            self.answer(row)
        raise AssertionError("Ben is never asked")

    def asked(self) -> Decision:
        """Returns the next question, after whatever goes by itself."""
        while game_moves.advance_one(self.now) or automatic_answers.answer_one(self.now):
            pass
        rows = Decision.objects.filter(game=self.game, status=Decision.Status.OPEN)
        return rows.select_related("seat__user", "seat__game", "game").order_by("pk")[0]

    def answer(self, row: Decision) -> None:
        """Answer as the bot does that stands in for people."""
        game_moves.submit(
            game_id=row.game_id,
            seat=row.seat.number,
            decision=row.code,
            action=automatic_answers.bot_action(Game.objects.get(pk=row.game_id), row, automatic_answers.SUBSTITUTE),
            source="web",
            received_at=self.now,
            actor=row.seat.user,
        )

    def end(self) -> None:
        """Lets all but Ben resign, and Ben end the game."""
        seats = {seat.user_id: seat.number for seat in self.game.seated()}
        for user in self.users:
            if user != self.ben:
                game_moves.resign(game_id=self.game.pk, seat=seats[user.pk], actor=user, source="web", now=self.now)
        game_moves.end_by_wish(
            game_id=self.game.pk, seat=seats[self.ben.pk], actor=self.ben, source="web", now=self.now
        )

    def notice(
        self, kind: str, subject: str, data: Mapping[str, object] | None = None, recipient: Recipient | None = None
    ) -> Notice:
        """Returns a notice for Ben, or another recipient, as the service would write it; never stored."""
        to, thread = recipient or self.ben.recipient, self.game.thread
        return Notice(
            kind=kind, subject=subject, recipient=to, thread=thread, created_at=self.now, data=dict(data or {})
        )


class AnotherTable(SampleGame):
    """A further table of the same people."""

    def __init__(self, sample: SampleGame, title: str) -> None:
        self.now, self.users = sample.now, sample.users
        self.game = self.open("cave-of-wonders", title)
        for guest in self.users[1:]:
            lifecycle.join(game_id=self.game.pk, user=guest, now=self.now)


def create_user(name: str, language: str) -> User:
    """Create a member with a mail address that reaches nobody."""
    user = User.objects.create_user(f"{name.lower()}@sample.invalid", name=name)
    Recipient.objects.filter(pk=user.recipient_id).update(language=language, zone="Europe/Madrid")
    user.recipient.refresh_from_db()
    return user


def create_moderator() -> User:
    """Create one who may do what moderators do."""
    return User.objects.create_superuser("moderator@sample.invalid", name="Eva")


Sample = Callable[[SampleGame], list[Notice]]
"""Makes that happen of which a letter tells, and returns the notices it is composed of."""


# Samples about an account: its address, its safety, its webhooks.

SECURITY: dict[str, dict[str, object]] = {  # with what they tell of
    "signed_in": {"browser": "Firefox", "system": "Linux", "network": "192.0.2."},
    "token_made": {"name": "My bot"},
    "password_changed": {"what": "password_changed"},
    "second_factor": {"what": "set"},
    "copy_taken": {},
    "erasure_asked": {"due_at": "2026-03-11T12:00:00+00:00"},
}


def _address(kind: str, sample: SampleGame) -> list[Notice]:
    change = accounts.request_address_change(user=sample.ben, new_address="ben@new.invalid", now=sample.now)
    AddressChange.objects.filter(pk=change.pk).update(old_confirmed_at=sample.now, new_confirmed_at=sample.now)
    return [sample.notice(kind, f"address:{change.pk}:{accounts.OLD}")]


def _security(kind: str, sample: SampleGame) -> list[Notice]:
    return [sample.notice(kind, f"user:{sample.ben.ref}", SECURITY[kind])]


def _webhook(kind: str, sample: SampleGame) -> list[Notice]:
    wanted = webhooks.WebhookSettings("https://hooks.sample.invalid/x", "our channel")
    row = webhooks.create(user=sample.users[0], wanted=wanted, source=sample.game, now=sample.now)
    row.failing_since, row.is_enabled, row.disabled_reason = sample.now, kind == "webhook_failing", SILENT
    row.save()
    return [sample.notice(kind, f"endpoint:{row.pk}")]


def _mail_test(sample: SampleGame) -> list[Notice]:
    return [sample.notice("mail_test", f"user:{sample.ben.ref}")]


ACCOUNT: dict[str, Sample] = {
    **{kind: partial(_address, kind) for kind in ("address_asked", "address_changed")},
    **{kind: partial(_security, kind) for kind in SECURITY},
    "mail_test": _mail_test,
    **{kind: partial(_webhook, kind) for kind in ("webhook_failing", "webhook_off")},
}


# Samples about a table: invited to it, run by its host, talked at, closed, played to its end.


def _invited(sample: SampleGame) -> list[Notice]:
    game = sample.open("cave-of-wonders", "Friday")
    row = invitations.invite(game_id=game.pk, host=sample.users[0], address="eva@sample.invalid", now=sample.now)
    return [sample.notice("invited", f"invitation:{row.ref}", recipient=row.recipient)]


def _settings_changed(sample: SampleGame) -> list[Notice]:
    wanted = {**agreed_of(sample.game), "pace": "brisk", "is_watchable": True}
    plan = TablePlan(title="", rules_name=sample.game.rules_name, **wanted)
    game = hosting.change_settings(game_id=sample.game.pk, host=sample.users[0], plan=plan, now=sample.now)
    return [
        sample.notice("settings_changed", f"player:{game.ref}:{sample.ben.ref}", {"version": game.settings_version})
    ]


def _host_offered(sample: SampleGame) -> list[Notice]:
    seat = sample.game.seats.get(user=sample.ben).number
    row = hosting.offer_role(game_id=sample.game.pk, host=sample.users[0], seat=seat, now=sample.now)
    return [sample.notice("host_offered", f"host_offer:{row.ref}")]


def _host_changed(sample: SampleGame) -> list[Notice]:
    Game.objects.filter(pk=sample.game.pk).update(host=sample.users[2])
    return [sample.notice("host_changed", f"player:{sample.game.ref}:{sample.ben.ref}", {"host": sample.users[2].pk})]


def closed(sample: SampleGame) -> list[Notice]:
    """The table is closed."""
    return [sample.notice("closed", f"game:{sample.game.ref}")]


def _bot_absent(sample: SampleGame) -> list[Notice]:
    bot = bot_accounts.create(owner=sample.ben, name="Robo", is_for_all=True, now=sample.now)
    game = sample.open("cave-of-wonders", "Friday")
    lifecycle.add_bot(game_id=game.pk, host=sample.users[0], bot=bot.name, now=sample.now)
    number = game.seats.get(user=bot).number
    game.seats.filter(user=bot).update(status=Seat.Status.ABSENT)
    return [sample.notice("bot_absent", f"seat:{game.ref}:{number}")]


def _game_over(sample: SampleGame) -> list[Notice]:
    sample.play()
    sample.end()
    return [sample.notice("game_over", seat_subject(sample.game.seats.get(user=sample.ben)))]


def _talk(sample: SampleGame) -> list[Notice]:
    comment = table_talk.say(game_id=sample.game.pk, user=sample.users[0], text=SHALL, now=sample.now)
    return [sample.notice("talk", seat_subject(sample.game.seats.get(user=sample.ben)), {"comment": comment.ref})]


def _next(sample: SampleGame) -> list[Notice]:
    """Somebody is asked, and Ben is the one after."""
    seat = sample.play().seat
    for _step in range(MOST_STEPS):
        game = Game.objects.get(pk=sample.game.pk)
        if game.rules.next_seat(game.rules.view(game.load_state(), None)) == seat.number:
            break
        sample.answer(sample.asked())
    return [sample.notice("next", seat_subject(seat))]


def _hour(sample: SampleGame) -> list[Notice]:
    sample.play()
    anna, ben = (sample.game.seats.get(user=user) for user in (sample.users[0], sample.ben))
    starts_at = sample.now + 48 * HOUR
    pauses.agree_on_hour(game_id=sample.game.pk, seat=anna.number, starts_at=starts_at, now=sample.now)
    starts_at = starts_at.replace(second=0, microsecond=0)
    return [sample.notice("hour", seat_subject(ben), {"at": starts_at.isoformat(), "is_off": False})]


def _heard(sample: SampleGame) -> list[Notice]:
    row = sample.play()
    facts = {"recipient": sample.ben.recipient, "subject": row.subject, "key": row.ref, "received_at": sample.now}
    inbound = Inbound.objects.create(line=PEARL, **facts)
    inbound.state = handler.handle(inbound, sample.now)
    inbound.save()
    return [sample.notice("heard", row.subject, {"inbound": inbound.ref})]


TABLES: dict[str, Sample] = {
    "bot_absent": _bot_absent,
    "invited": _invited,
    "settings_changed": _settings_changed,
    "host_offered": _host_offered,
    "host_changed": _host_changed,
    "closed": closed,
    "game_over": _game_over,
    "talk": _talk,
    "next": _next,
    "hour": _hour,
    "heard": _heard,
}


# Samples of what moderators do and answer.


def _cancelled(sample: SampleGame) -> list[Notice]:
    sample.play()
    moderator = create_moderator()
    tables.cancel(game=sample.game, by=moderator, reason=LEFT, now=sample.now)
    return closed(sample)


def _moderated(sample: SampleGame) -> list[Notice]:
    moderator = create_moderator()
    people.warn(user=sample.ben, by=moderator, reason=KIND, now=sample.now)
    return [sample.notice("moderated", sample.ben.moderation.get().subject)]


def _reported(sample: SampleGame) -> list[Notice]:
    row = reports.file_report(game=sample.game, by=sample.users[0], text=RUDE, now=sample.now)
    return [sample.notice("reported", f"report:{row.ref}")]


def _report_settled(sample: SampleGame) -> list[Notice]:
    moderator = create_moderator()
    row = reports.file_report(game=sample.game, by=sample.ben, text=RUDE, now=sample.now)
    reports.settle_report(report=row, by=moderator, outcome="acted", reason=KIND, now=sample.now)
    return [sample.notice("report_settled", f"report:{row.ref}")]


def _appeal_received(sample: SampleGame) -> list[Notice]:
    _moderated(sample)
    row = reports.appeal(entry=sample.ben.moderation.get(), text=WRONG, now=sample.now)
    return [sample.notice("appeal_received", f"report:{row.ref}")]


def _desk_waits(sample: SampleGame) -> list[Notice]:
    moderator = create_moderator()
    row = reports.file_report(game=sample.game, by=sample.ben, text=RUDE, now=sample.now)
    data = {"keys": [need.key for need in reports.needs(moderator, sample.now)]}
    return [sample.notice("desk_waits", f"report:{row.ref}", recipient=moderator.recipient, data=data)]


MODERATION: dict[str, Sample] = {
    "cancelled": _cancelled,  # closed in the middle of its game
    "moderated": _moderated,
    "reported": _reported,
    "report_settled": _report_settled,
    "appeal_received": _appeal_received,
    "desk_waits": _desk_waits,
}


# Samples about friends and clubs, and of a person's week.


def _friend_asked(sample: SampleGame) -> list[Notice]:
    row = friends.ask(user=sample.users[0], other=sample.ben, now=sample.now)
    return [sample.notice("friend_asked", f"friendship:{row.ref}")]


def _club_invited(sample: SampleGame) -> list[Notice]:
    club = clubs.found(user=sample.users[0], name="Lamp & Genie", about=WELCOME, now=sample.now)
    row = club_invitations.invite(club=club, by=sample.users[0], address="eva@sample.invalid", now=sample.now)
    return [sample.notice("club_invited", f"club_invitation:{row.ref}", recipient=row.recipient)]


def _weekly(sample: SampleGame) -> list[Notice]:
    sample.play()
    sample.end()
    RatingChange.objects.create(
        user=sample.ben, rules_name=sample.game.rules_name, game=sample.game, points=1040, rated_at=sample.now
    )
    AnotherTable(sample, "Friday").play()
    club = clubs.found(user=sample.users[0], name="Lamp & Genie", about=WELCOME, now=sample.now)
    clubs.join(club=club, user=sample.ben, now=sample.now)
    plan = TablePlan(title="Saturday", rules_name="cave-of-wonders", seat_count=3, club=club.ref)
    lifecycle.open_table(host=sample.users[0], plan=plan, now=sample.now)
    _friend_asked(sample)
    return [sample.notice("weekly", f"user:{sample.ben.ref}")]


def _puzzle_asked(sample: SampleGame) -> list[Notice]:
    with transaction.atomic():
        solver = puzzles.solver_of(sample.ben.recipient)
    return [sample.notice("puzzle_asked", f"solver:{solver.ref}")]


def _puzzle(sample: SampleGame) -> list[Notice]:
    puzzles.choose_mail(recipient=sample.ben.recipient, is_wanted=True, now=sample.now)
    puzzle = puzzles.of_day(puzzles.today(sample.now))
    return [sample.notice("puzzle", f"puzzle:{puzzle.ref}", data={"puzzle": puzzle.ref})]


PEOPLE: dict[str, Sample] = {
    "friend_asked": _friend_asked,
    "club_invited": _club_invited,
    "weekly": _weekly,
    "puzzle_asked": _puzzle_asked,
    "puzzle": _puzzle,
}


# Samples of what somebody is asked at a running table, and of what happens there to his seat.

HOUR = timedelta(hours=1)
ASKED = ("due", "reminder", "excused", "extended", "passed")
SEATED = ("started", "paused", "resumed", "rolled_back", "absent", "taken_over", "orders")


def _asked(kind: str, sample: SampleGame) -> list[Notice]:
    row = sample.play()
    if kind == "passed":
        sample.answer(row)
    if kind == "extended" and row.due_at is not None:
        clocks.record_extension(row, Extension.Reason.OUTAGE, row.due_at - HOUR, sample.now)
    if kind in SEATED:
        _happen(kind, row, sample)
    return [sample.notice(kind, row.subject if kind in ASKED else seat_subject(row.seat))]


def _happen(kind: str, row: Decision, sample: SampleGame) -> None:
    """Makes the event happen that the letter reports."""
    if kind in ("paused", "resumed"):
        numbers = [sample.game.seats.get(user=user).number for user in sample.users[:2]]
        for number in numbers:
            pauses.set_wish(game_id=sample.game.pk, seat=number, is_wanted=True, now=sample.now)
        if kind == "resumed":
            pauses.set_wish(game_id=sample.game.pk, seat=numbers[0], is_wanted=False, now=sample.now)
    elif kind == "rolled_back":
        repair.roll_back(game=sample.game, step=4, by=create_moderator(), reason=WRONG, now=sample.now)
    elif kind == "orders":
        _order(row, sample)
    elif kind in ("absent", "taken_over"):
        absences.make_absent(row.seat, row, sample.now)
    if kind == "taken_over":
        absences.hand_over(row.seat, create_user("David", sample.ben.recipient.language), sample.now)


def _order(row: Decision, sample: SampleGame) -> None:
    """Ben answers, says in advance what he will answer to the next question of this kind, and it is asked."""
    access = queries.Access(row.game, row.seat)
    kinds = row.game.rules.vocabulary.kinds(queries.view_of(access))
    kind = next(kind for kind in kinds if kind.name == row.kind)
    answers = [answer for form in kind.answers for answer in _filled(form)]
    sample.answer(row)
    sheet = {"orders": [{"kind": row.kind, "answers": answers[:MOST_ANSWERS]}]}
    standing_orders.give(
        game_id=row.game_id, seat=row.seat.number, raw=sheet, source="web", now=sample.now, actor=sample.ben
    )
    for _step in range(MOST_STEPS):
        if sample.game.moves.filter(events__contains=OrderFired.__name__).exists():
            return
        sample.answer(sample.asked())
    raise AssertionError("the order never answers")


def _filled(form: ActionForm) -> list[dict[str, object]]:
    """Returns the answers of a form that asks for one thing at most."""
    match form.fields:
        case []:
            return [{"type": form.type}]
        case [Choice() as field]:
            return [{"type": form.type, field.name: option.value} for option in field.options]
    return []


QUESTIONS: dict[str, Sample] = {kind: partial(_asked, kind) for kind in (*ASKED, *SEATED)}


# Samples of the emails for signing in: sent at once, and by another way than notices.

SIGN_IN: dict[str, dict[str, str]] = {  # allauth asks for them by these names; what it gives, of an address its page
    "login_code": {"code": "MB3K7Q"},
    "email_confirmation": {"code": "MB3K7Q"},
    "account_already_exists": {},
    "unknown_account": {"signup_url": "account_signup"},
    "password_reset_key": {"password_reset_url": "account_reset_password"},
}


def sign_in_email(kind: str, sample: SampleGame) -> MailMessage:
    """Returns the email of a kind of SIGN_IN to Ben, in the active language."""
    given = {name: page_url(value) if name.endswith("_url") else value for name, value in SIGN_IN[kind].items()}
    link = {"link": sign_in.sign_in_link(sample.ben)} if kind in WITH_LINK else {}
    context: dict[str, object] = {**given, **link, "site_name": settings.SITE_NAME, "site_url": settings.SITE_URL}
    mail = AccountAdapter(None).render_mail(f"account/email/{kind}", sample.ben.email, context)
    html = str(mail.alternatives[0][0])
    return MailMessage(str(mail.subject), str(mail.body), html, headers=dict(mail.extra_headers))


# A tournament for the sample letters: entered, drawn, called off or played to its end by the sample game's people.


def _in_which(kind: str, sample: SampleGame) -> Tournament:
    """Returns a tournament in which that has happened of which the letter of this kind tells Ben."""
    host, now = sample.users[0], sample.now
    plan = TournamentPlan(
        title="Cup",
        rules_name="cave-of-wonders",
        table_size=3,
        rounds=1,
        fewest=3,
        closes_at=now + timedelta(days=7),
    )
    row = tournaments.open_tournament(host=host, plan=plan, now=now)
    players = sample.users[1:] if kind == "tournament_removed" else sample.users  # a host who plays can remove nobody
    entrants = [tournaments.enter(tournament_id=row.pk, user=user, now=now) for user in players]
    if kind == "tournament_removed":
        tournaments.remove_entrant(tournament_id=row.pk, by=host, entrant=entrants[0].ref, reason=LEFT, now=now)
    elif kind == "tournament_off":
        tournaments.call_off(tournament_id=row.pk, by=host, reason=LEFT, now=now)
    elif kind != "tournament_entered":
        tournaments.start_now(tournament_id=row.pk, by=host, now=now)
    if kind == "tournament_over":
        table = TournamentTable.objects.get(round__tournament=row)
        places = {entrant.pk: place for place, entrant in enumerate(entrants, start=1)}
        rounds.set_places(table, places, TournamentTable.State.DONE)
        rounds.step_one(now)
    return row


def _tournament(kind: str, sample: SampleGame) -> list[Notice]:
    return [sample.notice(kind, _in_which(kind, sample).thread, {"round": 1})]


TOURNAMENTS: dict[str, Sample] = {
    kind: partial(_tournament, kind)
    for kind in ("tournament_entered", "tournament_bye", "tournament_removed", "tournament_off", "tournament_over")
}


# Makes sample letters of every kind.


def _digest(sample: SampleGame) -> list[Notice]:
    """News of three tables in one email."""
    first = sample.notice("due", sample.play().subject)
    other, third = AnotherTable(sample, "Friday"), AnotherTable(sample, "Sunday")
    second = other.notice("due", (row := other.play()).subject)
    lifecycle.start(game_id=third.game.pk, host=third.users[0], now=third.now)
    return [first, second, other.notice("started", seat_subject(row.seat))]


_SAMPLES: dict[str, Sample] = {
    **QUESTIONS,
    **MODERATION,
    **TABLES,
    **PEOPLE,
    **TOURNAMENTS,
    **ACCOUNT,
    "together": _digest,
}
KINDS = (*_SAMPLES, *SIGN_IN)


def sample(kind: str, language: str, rules_name: str = "aladdins-dragons") -> MailMessage:
    """Returns the letter of a kind (of KINDS) as Ben gets it in a language. Nothing stays in the database."""
    return samples(kind, (language,), rules_name)[language]


def samples(kind: str, languages: Sequence[str], rules_name: str = "aladdins-dragons") -> dict[str, MailMessage]:
    """Returns the same letter in several languages; what players write in it is in the first of them."""
    with transaction.atomic():
        try:
            with override(languages[0]):
                sample = SampleGame(rules_name, languages[0])
                notices = notices_of(kind, sample)
            return {language: compose(kind, notices, language, sample) for language in languages}
        finally:
            transaction.set_rollback(True)


def notices_of(kind: str, sample: SampleGame) -> list[Notice]:
    """Makes happen what a kind of letter tells; returns the notices of it, [] for a kind of SIGN_IN."""
    return [] if kind in SIGN_IN else _SAMPLES[kind](sample)


def compose(kind: str, notices: Sequence[Notice], language: str, sample: SampleGame) -> MailMessage:
    """Returns the letter of what `notices_of` has returned, in a language."""
    with override(language):
        if kind in SIGN_IN:
            return sign_in_email(kind, sample)
        if len(notices) > 1:
            return together(notices, language)
        message = composer_for(notices[0].kind).compose(notices[0], language, Form.LETTER)
        assert isinstance(message, MailMessage), kind
        return message
