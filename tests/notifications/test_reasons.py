"""Rows and programs hold the code of a reason; its words are made for whoever reads them."""

import pytest
from django.utils import translation

from notifications import reasons
from notifications.delivery.policy import QUIET


def test_a_reason_is_read_in_the_language_of_its_reader():
    assert (QUIET, reasons.in_words(QUIET)) == ("quiet_hours", "these are your quiet hours")
    with translation.override("es"):
        assert reasons.in_words(QUIET) not in ("quiet_hours", "these are your quiet hours")


def test_what_another_server_said_is_shown_as_it_came_and_has_no_code():
    said = "550 5.7.1 go away"
    assert (reasons.in_words(said), reasons.in_english(said), reasons.code_of(said)) == (said, said, "")
    assert reasons.in_words("") == "" and reasons.code_of("") == ""


def test_a_code_stands_for_one_thing():
    assert reasons.declare(QUIET, "these are your quiet hours") == QUIET
    with pytest.raises(ValueError, match="quiet_hours"):
        reasons.declare(QUIET, "it is night")


@pytest.mark.parametrize("code", [*reasons.declared()])
def test_a_code_is_a_word_for_programs_that_fits_its_column(code):
    assert code.replace("_", "a").isalpha() and code == code.lower() and len(code) <= 40
