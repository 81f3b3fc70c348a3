"""No mail of the corpus makes a wrong move, and what programs write makes none."""

from functools import cache

import pytest

from games.inbox import order_lines
from games.play.keywords import Keyword
from games.play.reply_grammar import understand
from tests.games.inbox import clients, corpus, structures
from tests.games.inbox.test_grammar import DRAGONS, a_placement, naming
from tests.games.inbox.test_order_grammar import GRAMMARS
from tests.notifications.by_smtp import hear

pytestmark = pytest.mark.slow

AUTOMATS = list(corpus.automats())
MEANT = {"": None, "9 crowns": {"type": "place", "token": 9, "space": "cave-crown"}}


@cache
def people():
    """All mails of the corpus that a person wrote."""
    return [*corpus.people(), *structures.structured()]


def test_the_corpus_is_large_and_has_no_mail_twice():
    contents = {sample.content for sample in (*people(), *AUTOMATS)}
    assert len(contents) == len(people()) + len(AUTOMATS) >= 500
    assert len(AUTOMATS) >= 60


@cache
def heard_in(content):
    """What is heard in a mail of the corpus; several tests ask."""
    return hear(content)


@cache
def move_in(line):
    """The move that a line means; most mails say the same few."""
    return understand(line, a_placement(), naming(DRAGONS)).action


@cache
def acts(sample):
    """The move that a mail makes; what stands below quoted text makes it once its writer has confirmed it."""
    heard = heard_in(sample.content)
    return None if heard.automatic else move_in(heard.line)


def test_nobody_makes_a_move_he_does_not_mean():
    wrong = [(sample.name, acts(sample)) for sample in people() if acts(sample) not in (None, MEANT[sample.means])]
    assert wrong == []


def test_everybody_is_understood_who_writes_above_the_quote_or_below_a_marked_one():
    unheard = [sample.name for sample in people() if sample.must and acts(sample) != MEANT[sample.means]]
    assert unheard == []


def test_an_answer_right_above_what_each_program_puts_there_is_heard():
    samples = list(clients.everybody())
    assert len(samples) >= 200 and len({sample.content for sample in samples}) == len(samples)
    assert [sample.name for sample in samples if acts(sample) != MEANT[sample.means]] == []
    assert [sample.name for sample in samples if heard_in(sample.content).is_below] == []


def test_a_quoted_line_makes_no_move_however_a_program_broke_the_quotation():
    samples = list(clients.nobody())
    assert len(samples) >= 150
    assert [one.name for one in samples if acts(one) is not None and not heard_in(one.content).is_below] == []


def test_of_quotations_broken_in_several_ways_no_line_acts_and_the_answer_above_is_heard():
    samples = list(clients.mutilated(400))
    done = {one.name: None if heard_in(one.content).is_below else acts(one) for one in samples}
    assert [one.name for one in samples if done[one.name] != MEANT[one.means]] == []


def test_an_answer_below_quoted_text_waits_for_its_writer_and_one_above_it_does_not():
    below = {sample.name: heard_in(sample.content).is_below for sample in people() if sample.must}
    assert {name for name, is_below in below.items() if is_below} == {
        name for name in below if "bottom-" in name or name.startswith("inline")
    }


def test_the_corpus_has_mails_of_every_structure():
    assert len(structures.UNDERSTOOD) + len(structures.NOTHING) >= 45
    whole = "".join([*structures.UNDERSTOOD.values(), *structures.NOTHING.values()])
    for kind in ("mixed", "alternative", "related", "signed", "digest", "report"):
        assert f"multipart/{kind}" in whole


@pytest.mark.parametrize("sample", list(structures.structured()), ids=lambda sample: sample.name)
def test_of_several_parts_only_the_writers_own_is_read(sample):
    assert heard_in(sample.content).line == sample.means


@cache
def orders(line):
    """What a line does at once, and which orders it leaves; None if it does neither."""
    grammar = GRAMMARS["basic", "en"]
    wish = order_lines.find(line)
    if wish is not None:
        answer, meant = {"token": None}, grammar.read(wish.text) if wish.command == Keyword.ORDER else []
    else:
        answer, meant = order_lines.followed(line, a_placement(), naming(DRAGONS), lambda: grammar) or ({}, [])
    if not meant or any(one.unclear or one.is_ambiguous for one in meant):
        return None
    given = [order for one in meant for order in one.orders]
    return answer["token"], [(one.kind, one.answers[0].get("token", one.answers[0].get("limit"))) for one in given]


def ordered(sample):
    heard = heard_in(sample.content)
    return None if heard.automatic else orders(heard.line)


def test_nobody_gives_an_order_he_does_not_mean_and_clear_ones_are_understood():
    samples = list(corpus.ordered())
    meant = {sample.name: corpus.ORDERED.get(sample.means) for sample in samples}
    done = {sample.name: ordered(sample) for sample in samples}
    assert len(samples) > 400
    assert [name for name, found in done.items() if found not in (None, meant[name])] == []
    assert [one.name for one in samples if one.must and done[one.name] != meant[one.name]] == []


@pytest.mark.parametrize("sample", AUTOMATS, ids=lambda sample: sample.name)
def test_a_program_is_known_as_one(sample):
    assert heard_in(sample.content).automatic


def test_what_a_program_answers_with_an_order_is_an_order_no_more_than_a_move():
    """A program that repeats what was asked, its lines with orders among it."""
    told = [sample.content.replace(b"9 crowns", b"order 9 crowns, 5 guard") for sample in AUTOMATS]
    assert all(heard_in(content).automatic for content in told)


def test_the_null_sender_is_a_program_and_a_person_who_asks_for_no_automatic_answers_is_none():
    person = next(sample for sample in people() if sample.must)
    assert hear(person.content, "").automatic == "null sender"
    assert b"X-Auto-Response-Suppress: All" in person.content
    assert hear(person.content).automatic == ""
