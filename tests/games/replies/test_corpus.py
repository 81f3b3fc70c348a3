"""No mail of the corpus makes a wrong move, and what programs write makes none."""

import pytest

from games.replies.grammar import understand
from notifications.inbound.reading import read
from tests.games.replies import corpus
from tests.games.replies.test_grammar import DRAGONS, PLACE, naming

pytestmark = pytest.mark.slow

PEOPLE = list(corpus.people())
AUTOMATS = list(corpus.automats())
MEANT = {"": None, "9 crowns": {"type": "place", "token": 9, "space": "cave-crown"}}


def test_the_corpus_is_large_and_has_no_mail_twice():
    contents = {sample.content for sample in (*PEOPLE, *AUTOMATS)}
    assert len(contents) == len(PEOPLE) + len(AUTOMATS) >= 500
    assert len(AUTOMATS) >= 60


def acts(sample):
    heard = read(sample.content, "anna@example.org")
    return None if heard.automatic else understand(heard.line, PLACE, naming(DRAGONS)).action


def test_nobody_makes_a_move_he_does_not_mean():
    wrong = [(sample.name, acts(sample)) for sample in PEOPLE if acts(sample) not in (None, MEANT[sample.means])]
    assert wrong == []


def test_everybody_is_understood_who_writes_above_the_quote_or_below_a_marked_one():
    unheard = [sample.name for sample in PEOPLE if sample.must and acts(sample) != MEANT[sample.means]]
    assert unheard == []


@pytest.mark.parametrize("sample", AUTOMATS, ids=lambda sample: sample.name)
def test_a_program_is_known_as_one(sample):
    assert read(sample.content, "anna@example.org").automatic


def test_the_null_sender_is_a_program_and_a_person_who_asks_for_no_automatic_answers_is_none():
    person = next(sample for sample in PEOPLE if sample.must)
    assert read(person.content, "").automatic == "null sender"
    assert b"X-Auto-Response-Suppress: All" in person.content
    assert read(person.content, "anna@example.org").automatic == ""
    assert read(person.content, None).automatic == ""
