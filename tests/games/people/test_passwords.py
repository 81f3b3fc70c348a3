"""What a password may not be."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from games.models import User


@pytest.fixture
def queen(db: None) -> User:
    """Whose name and address are no secret."""
    return User(email="anna.haselnuss@example.org", name="Queen of Sheba")


@pytest.mark.slow
@pytest.mark.parametrize(
    "easy",
    [
        "caravanserai",
        "Caravanserai1!",
        "aladdinsdragons",
        "aladdins-dragons",
        "caveofwonders",
        "aladdins2026",
        "haselnuss1",
        "queenofsheba",
        "qwertyuiop12",
        "margarita1990",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "1q2w3e4r5t6y",
        "short",
    ],
)
def test_what_is_soon_guessed_is_refused(queen: User, easy: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(easy, queen)


@pytest.mark.slow
@pytest.mark.parametrize(
    "hard", ["blaue-Kamele-tanzen", "7 jars, no dune", "пустыня и верблюд", "x" * 3 + "h4Vq!z_" * 40]
)
def test_several_words_pass_however_many_and_in_whatever_letters(queen: User, hard: str) -> None:
    validate_password(hard, queen)
