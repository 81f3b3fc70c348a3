"""Refuses passwords that are guessed soon, even by somebody who knows the site and the person."""

import re

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from engine.registry import RULES
from games.people.models import User

FEWEST_GUESSES = 10_000_000
LONGEST_JUDGED = 40  # letters; the time it takes grows with their square
WORD = re.compile(r"\w{3,}")


class HardToGuess:
    """Estimates how many guesses a password takes (zxcvbn).

    Guesses include common passwords, words, names, keyboard rows, dates, and the names of site, games and person.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Raises ValidationError for a password that is guessed soon."""
        from zxcvbn import zxcvbn  # here, because its lists take half a second that only few need

        judged = zxcvbn(password[:LONGEST_JUDGED], user_inputs=[*words_of_this_place(), *_words_of(user)])
        if judged["guesses"] < FEWEST_GUESSES:
            raise ValidationError(
                _(
                    "This password is too easy to guess: it is common, or made of common words, your name, or the "
                    "names of this site and its games. Try several words that have nothing to do with each other."
                ),
                code="password_too_easy",
            )

    def get_help_text(self) -> str:
        """Returns the hint beside the form field."""
        return _("Several unrelated words are hard to guess and easy to remember.")


def words_of_this_place() -> list[str]:
    """The site's name and host, and the names of the games, whole and in pieces."""
    names = [settings.SITE_NAME, settings.SITE_HOST, *(name for name, _version in RULES)]
    return [word for name in names for word in _pieces(name)]


def _words_of(user: User | None) -> list[str]:
    return [word for name in (user.email, user.name) for word in _pieces(name)] if user else []


def _pieces(name: str) -> list[str]:
    lowered = name.lower()
    return [lowered, re.sub(r"\W", "", lowered), *WORD.findall(lowered)]
