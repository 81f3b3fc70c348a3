"""Sample letters of every kind, for those who work on them; nothing is stored.

The game is really opened, played and ended, inside a transaction that is taken back: the letters are what people get.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.urls import reverse_lazy
from django.utils.translation import override

from engine.core import ActionForm, Choice
from engine.orders.model import MOST_ANSWERS, OrderFired
from games.accounts import address_changes, bot_accounts, webhooks
from games.accounts.sign_in import sign_in_links
from games.clubs import clubs
from games.clubs import invitations as club_invitations
from games.friends import friends
from games.inbox import handler
from games.letters import tournament_samples
from games.letters.sample_game import HOSTING, MOST_STEPS, AnotherTable, SampleGame, create_user
from games.models import AddressChange, Decision, Extension, RatingChange, Seat, User
from games.moderation import people, reports
from games.moderation.games import earlier_steps
from games.moderation.games import tables as moderation_tables
from games.orders import standing_orders
from games.play import queries
from games.play.notify import seat_subject, thread_of
from games.tables import invitations, lifecycle
from games.tables.plans import TablePlan
from games.talk import table_talk
from games.timing import absences, clocks, pauses
from games.tournaments.notify import subject_of
from notifications.channels.webhook.webhooks import SILENT
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Inbound, Notice, Recipient

HOUR = timedelta(hours=1)
SEATED = ("started", "paused", "resumed", "rolled_back", "absent", "taken_over", "orders")
ASKED = ("due", "reminder", "excused", "extended", "passed")
SECURITY = {  # with what they tell of
    "signed_in": {"browser": "Firefox", "system": "Linux", "network": "192.0.2."},
    "token_made": {"name": "My bot"},
    "password_changed": {"what": "password_changed"},
    "second_factor": {"what": "set"},
    "copy_taken": {},
    "erasure_asked": {"due_at": "2026-03-11T12:00:00+00:00"},
}
ACCOUNT = ("address_asked", "address_changed", *SECURITY, "mail_test")
LEFT, KIND, RUDE, SHALL, PEARL, WRONG, WELCOME = SAID = (  # what people have typed stays as it is in every language
    "Two of you have left.",
    "Please be kind at the table.",
    "Ben calls everybody names.",
    "@Ben, shall we wait for Carla?",
    "Do I have a pearl?",
    "Carla answered for Ben by mistake.",
    "We play on Thursdays.",
)
# "cancelled" is a table that was closed in the middle of its game
MODERATION = ("cancelled", "moderated", "reported", "report_settled", "appeal_received")
WEBHOOK = ("webhook_failing", "webhook_off")
PEOPLE = ("friend_asked", "club_invited", "weekly")
TABLE = ("bot_absent", "invited", *HOSTING, "closed", "game_over", "talk", "heard")
ALONE = (*MODERATION, *TABLE, *PEOPLE, *tournament_samples.KINDS, *ACCOUNT, *WEBHOOK, "together")
# Sent at once and by another way than notices: allauth asks for them by these names.
SIGN_IN: dict[str, dict[str, object]] = {
    "login_code": {"code": "MB3K7Q"},
    "email_confirmation": {"code": "MB3K7Q"},
    "account_already_exists": {},
    "unknown_account": {"signup_url": reverse_lazy("account_signup")},
    "password_reset_key": {"password_reset_url": reverse_lazy("account_reset_password")},
}
KINDS = (*ASKED, *SEATED, *ALONE, *SIGN_IN)


def sample(kind: str, language: str, rules_name: str = "aladdins-dragons") -> MailMessage:
    """The letter of a kind (of KINDS) as Ben gets it in a language. Nothing stays in the database."""
    return samples(kind, (language,), rules_name)[language]


def samples(kind: str, languages: Sequence[str], rules_name: str = "aladdins-dragons") -> dict[str, MailMessage]:
    """Returns the same letter in several languages; what players write in it is in the first of them."""
    with transaction.atomic():
        try:
            with override(languages[0]):
                made = SampleGame(rules_name, languages[0])
                notices = [] if kind in SIGN_IN else _subjects(kind, made)
            return {language: _compose(kind, notices, language, made) for language in languages}
        finally:
            transaction.set_rollback(True)


def _compose(kind: str, notices: Sequence[Notice], language: str, made: SampleGame) -> MailMessage:
    with override(language):
        if kind in SIGN_IN:
            return _sign_in(kind, made)
        if len(notices) > 1:
            from games.letters.digest import together

            return together(notices, language)
        message = composer_for(notices[0].kind).compose(notices[0], language, Form.LETTER)
        assert isinstance(message, MailMessage), kind
        return message


def _subjects(kind: str, made: SampleGame) -> list[Notice]:
    """The notices a sample is composed of; never stored."""
    if kind in ALONE:
        return _ALONE[kind](made)
    row = made.play()
    if kind == "passed":
        made.answer(row)
    if kind == "extended" and row.due_at is not None:
        clocks.record_extension(row, Extension.Reason.OUTAGE, row.due_at - HOUR, made.now)
    if kind in SEATED:
        _happen(kind, row, made)
    return [_notice(kind, row.subject if kind in ASKED else seat_subject(row.seat), made)]


def _happen(kind: str, row: Decision, made: SampleGame) -> None:
    """Makes the event happen that the letter reports."""
    if kind in ("paused", "resumed"):
        numbers = [made.game.seats.get(user=user).number for user in made.users[:2]]
        for number in numbers:
            pauses.set_wish(game_id=made.game.pk, seat=number, is_wanted=True, now=made.now)
        if kind == "resumed":
            pauses.set_wish(game_id=made.game.pk, seat=numbers[0], is_wanted=False, now=made.now)
    elif kind == "rolled_back":
        moderator = User.objects.create_superuser("moderator@sample.invalid", name="Eva")
        earlier_steps.roll_back(game=made.game, step=4, by=moderator, reason=WRONG, now=made.now)
    elif kind == "orders":
        _order(row, made)
    elif kind in ("absent", "taken_over"):
        absences.make_absent(row.seat, row, made.now)
    if kind == "taken_over":
        absences.hand_over(row.seat, create_user("David", made.ben.recipient.language), made.now)


def _order(row: Decision, made: SampleGame) -> None:
    """Ben answers, says in advance what he will answer to the next question of this kind, and it is asked."""
    access = queries.Access(row.game, row.seat)
    kind = next(one for one in row.game.rules.order_kinds(queries.view_of(access)) if one.name == row.kind)
    answers = [answer for form in kind.answers for answer in _filled(form)]
    made.answer(row)
    sheet = {"orders": [{"kind": row.kind, "answers": answers[:MOST_ANSWERS]}]}
    standing_orders.give(
        game_id=row.game_id, seat=row.seat.number, raw=sheet, source="web", now=made.now, actor=made.ben
    )
    for _step in range(MOST_STEPS):
        if made.game.moves.filter(events__contains=OrderFired.__name__).exists():
            return
        made.answer(made.asked())
    raise AssertionError("the order never answers")


def _filled(form: ActionForm) -> list[dict[str, object]]:
    """All answers of a form that asks for one thing at most."""
    match form.fields:
        case []:
            return [{"type": form.type}]
        case [Choice() as field]:
            return [{"type": form.type, field.name: option.value} for option in field.options]
    return []


def _sign_in(kind: str, made: SampleGame) -> MailMessage:
    from games.accounts.sign_in.adapters import (  # it needs the letters that this module is a part of
        WITH_LINK,
        AccountAdapter,
    )

    context: dict[str, object] = {name: str(value) for name, value in SIGN_IN[kind].items()}
    for name in ("signup_url", "password_reset_url"):
        if name in context:
            context[name] = f"{settings.SITE_URL}{context[name]}"
    context |= {"link": sign_in_links.link(made.ben)} if kind in WITH_LINK else {}
    context |= {"site_name": settings.SITE_NAME, "site_url": settings.SITE_URL}
    mail = AccountAdapter(None).render_mail(f"account/email/{kind}", made.ben.email, context)
    html = str(mail.alternatives[0][0]) if isinstance(mail, EmailMultiAlternatives) else ""
    return MailMessage(str(mail.subject), str(mail.body), html, headers=dict(mail.extra_headers))


def _notice(kind: str, subject: str, made: SampleGame, recipient: Recipient | None = None) -> Notice:
    to = recipient or made.ben.recipient
    return Notice(kind=kind, subject=subject, recipient=to, thread=thread_of(made.game), created_at=made.now)


def _invited(made: SampleGame) -> list[Notice]:
    game = made.open("cave-of-wonders", "Friday")
    row = invitations.invite(game_id=game.pk, host=made.users[0], address="eva@sample.invalid", now=made.now)
    return [_notice("invited", f"invitation:{row.ref}", made, row.recipient)]


def _of_host(kind: str, made: SampleGame) -> list[Notice]:
    subject, data = HOSTING[kind](made)
    notice = _notice(kind, subject, made)
    notice.data = data
    return [notice]


def _closed(made: SampleGame) -> list[Notice]:
    return [_notice("closed", f"game:{made.game.ref}", made)]


def _cancelled(made: SampleGame) -> list[Notice]:
    made.play()
    moderator = User.objects.create_superuser("moderator@sample.invalid", name="Eva")
    moderation_tables.cancel(game=made.game, by=moderator, reason=LEFT, now=made.now)
    return _closed(made)


def _moderated(made: SampleGame) -> list[Notice]:
    moderator = User.objects.create_superuser("moderator@sample.invalid", name="Eva")
    people.warn(user=made.ben, by=moderator, reason=KIND, now=made.now)
    return [_notice("moderated", f"moderation:{made.ben.moderation.get().pk}", made)]


def _friend_asked(made: SampleGame) -> list[Notice]:
    row = friends.ask(user=made.users[0], other=made.ben, now=made.now)
    return [_notice("friend_asked", f"friendship:{row.ref}", made)]


def _club_invited(made: SampleGame) -> list[Notice]:
    club = clubs.found(user=made.users[0], name="Lamp & Genie", about=WELCOME, now=made.now)
    row = club_invitations.invite(club=club, by=made.users[0], address="eva@sample.invalid", now=made.now)
    return [_notice("club_invited", f"club_invitation:{row.ref}", made, row.recipient)]


def _weekly(made: SampleGame) -> list[Notice]:
    made.play()
    made.end()
    RatingChange.objects.create(
        user=made.ben, rules_name=made.game.rules_name, game=made.game, points=1040, rated_at=made.now
    )
    AnotherTable(made, "Friday").play()
    club = clubs.found(user=made.users[0], name="Lamp & Genie", about=WELCOME, now=made.now)
    clubs.join(club=club, user=made.ben, now=made.now)
    plan = TablePlan(title="Saturday", rules_name="cave-of-wonders", seat_count=3, club=club.ref)
    lifecycle.open_table(host=made.users[0], plan=plan, now=made.now)
    _friend_asked(made)
    return [_notice("weekly", f"user:{made.ben.ref}", made)]


def _bot_absent(made: SampleGame) -> list[Notice]:
    bot = bot_accounts.create(owner=made.ben, name="Robo", is_for_all=True, now=made.now)
    game = made.open("cave-of-wonders", "Friday")
    number = lifecycle.add_bot(game_id=game.pk, host=made.users[0], bot=bot.name, now=made.now).number
    game.seats.filter(user=bot).update(status=Seat.Status.ABSENT)
    return [_notice("bot_absent", f"seat:{game.ref}:{number}", made)]


def _reported(made: SampleGame) -> list[Notice]:
    row = reports.file_report(game=made.game, by=made.users[0], text=RUDE, now=made.now)
    return [_notice("reported", f"report:{row.ref}", made)]


def _report_settled(made: SampleGame) -> list[Notice]:
    moderator = User.objects.create_superuser("moderator@sample.invalid", name="Eva")
    row = reports.file_report(game=made.game, by=made.ben, text=RUDE, now=made.now)
    reports.settle_report(report=row, by=moderator, outcome="acted", reason=KIND, now=made.now)
    return [_notice("report_settled", f"report:{row.ref}", made)]


def _appeal_received(made: SampleGame) -> list[Notice]:
    _moderated(made)
    row = reports.appeal(entry=made.ben.moderation.get(), text=WRONG, now=made.now)
    return [_notice("appeal_received", f"report:{row.ref}", made)]


def _game_over(made: SampleGame) -> list[Notice]:
    made.play()
    made.end()
    return [_notice("game_over", seat_subject(made.game.seats.get(user=made.ben)), made)]


def _talk(made: SampleGame) -> list[Notice]:
    comment = table_talk.say(game_id=made.game.pk, user=made.users[0], text=SHALL, now=made.now)
    notice = _notice("talk", seat_subject(made.game.seats.get(user=made.ben)), made)
    notice.data = {"comment": comment.ref}
    return [notice]


def _address(kind: str) -> Callable[[SampleGame], list[Notice]]:
    def asked(made: SampleGame) -> list[Notice]:
        change = address_changes.request_change(user=made.ben, new_address="ben@new.invalid", now=made.now)
        AddressChange.objects.filter(pk=change.pk).update(old_confirmed_at=made.now, new_confirmed_at=made.now)
        return [_notice(kind, f"address:{change.pk}:{address_changes.OLD}", made)]

    return asked


def _heard(made: SampleGame) -> list[Notice]:
    row = made.play()
    facts = {"recipient": made.ben.recipient, "subject": row.subject, "key": row.ref, "received_at": made.now}
    inbound = Inbound.objects.create(line=PEARL, **facts)
    inbound.state = handler.handle(inbound, made.now)
    inbound.save()
    notice = _notice("heard", row.subject, made)
    notice.data = {"inbound": inbound.ref}
    return [notice]


def _mail_test(made: SampleGame) -> list[Notice]:
    return [_notice("mail_test", f"user:{made.ben.ref}", made)]


def _security(kind: str) -> Callable[[SampleGame], list[Notice]]:
    def told(made: SampleGame) -> list[Notice]:
        notice = _notice(kind, f"user:{made.ben.ref}", made)
        notice.data = SECURITY[kind]
        return [notice]

    return told


def _webhook(kind: str) -> Callable[[SampleGame], list[Notice]]:
    def told(made: SampleGame) -> list[Notice]:
        wanted = webhooks.WebhookSettings("https://hooks.sample.invalid/x", "our channel")
        row = webhooks.create(user=made.users[0], wanted=wanted, game=made.game, now=made.now)
        row.failing_since, row.is_enabled, row.disabled_reason = made.now, kind == "webhook_failing", SILENT
        row.save()
        return [_notice(kind, f"endpoint:{row.pk}", made)]

    return told


def _tournament(kind: str, made: SampleGame) -> list[Notice]:
    row = tournament_samples.sample_tournament(kind, made, LEFT)
    notice = _notice(kind, subject_of(row), made)
    notice.data = {"round": 1}
    return [notice]


def _together(made: SampleGame) -> list[Notice]:
    first, other, third = (
        _notice("due", made.play().subject, made),
        AnotherTable(made, "Friday"),
        AnotherTable(made, "Sunday"),
    )
    second = _notice("due", (row := other.play()).subject, other)
    lifecycle.start(game_id=third.game.pk, host=third.users[0], now=third.now)
    return [first, second, _notice("started", seat_subject(row.seat), other)]


_ALONE: dict[str, Callable[[SampleGame], list[Notice]]] = {
    "invited": _invited,
    **{kind: partial(_of_host, kind) for kind in HOSTING},
    "closed": _closed,
    "cancelled": _cancelled,
    "moderated": _moderated,
    "bot_absent": _bot_absent,
    "friend_asked": _friend_asked,
    "club_invited": _club_invited,
    "weekly": _weekly,
    **{kind: partial(_tournament, kind) for kind in tournament_samples.KINDS},
    "reported": _reported,
    "report_settled": _report_settled,
    "appeal_received": _appeal_received,
    "game_over": _game_over,
    "talk": _talk,
    "heard": _heard,
    "address_asked": _address("address_asked"),
    "address_changed": _address("address_changed"),
    **{kind: _security(kind) for kind in SECURITY},
    **{kind: _webhook(kind) for kind in WEBHOOK},
    "mail_test": _mail_test,
    "together": _together,
}
