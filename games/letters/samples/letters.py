"""Makes sample letters of every kind.

The game is really opened, played and ended, inside a transaction that is taken back: the letters are what people get.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import override

from games.letters.digest import together
from games.letters.samples import account, moderation, people, questions, tables, tournaments
from games.letters.samples.game import AnotherTable, Sample, SampleGame
from games.letters.samples.sign_in import SIGN_IN, sign_in_email
from games.lobby import lifecycle
from games.play.notify import seat_subject
from notifications.composers import composer_for
from notifications.messages import Form, MailMessage
from notifications.models import Notice


def _together(made: SampleGame) -> list[Notice]:
    """News of three tables in one email."""
    first = made.notice("due", made.play().subject)
    other, third = AnotherTable(made, "Friday"), AnotherTable(made, "Sunday")
    second = other.notice("due", (row := other.play()).subject)
    lifecycle.start(game_id=third.game.pk, host=third.users[0], now=third.now)
    return [first, second, other.notice("started", seat_subject(row.seat))]


_SAMPLES: dict[str, Sample] = {
    **questions.SAMPLES,
    **moderation.SAMPLES,
    **tables.SAMPLES,
    **people.SAMPLES,
    **tournaments.SAMPLES,
    **account.SAMPLES,
    "together": _together,
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
                made = SampleGame(rules_name, languages[0])
                notices = notices_of(kind, made)
            return {language: compose(kind, notices, language, made) for language in languages}
        finally:
            transaction.set_rollback(True)


def notices_of(kind: str, made: SampleGame) -> list[Notice]:
    """Makes happen what a kind of letter tells; returns the notices of it, [] for a kind of SIGN_IN."""
    return [] if kind in SIGN_IN else _SAMPLES[kind](made)


def compose(kind: str, notices: Sequence[Notice], language: str, made: SampleGame) -> MailMessage:
    """Returns the letter of what `notices_of` has returned, in a language."""
    with override(language):
        if kind in SIGN_IN:
            return sign_in_email(kind, made)
        if len(notices) > 1:
            return together(notices, language)
        message = composer_for(notices[0].kind).compose(notices[0], language, Form.LETTER)
        assert isinstance(message, MailMessage), kind
        return message
