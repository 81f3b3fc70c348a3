"""A record is true to itself, or the first thing in it that is not is named."""

import json
import re
import string
from calendar import monthrange
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.core import Text
from engine.core.language import catalogue
from engine.records import checking, model
from engine.records import checking as text
from engine.records import checking as words
from engine.records import model as strict
from engine.records.checking import DOMAIN, LOCALE
from engine.records.model import Fault, link
from tests import record_schema
from tests.engine.languages import LANGUAGES
from tests.engine.records.making import played
from tests.engine.records.tampering import SEEN_BY_THE_SCHEMA, TAMPERINGS, Tamper, name_of, tampered

CAVE = ("cave-of-wonders", 3)


def test_a_whole_game_with_roll_backs_orders_and_a_resignation_fits() -> None:
    record = played(*CAVE)
    kinds = {move.kind for move in record.moves}
    assert kinds == {"start", "answer", "advance", "orders", "branch", "resign"}
    done = checking.check(record)
    assert (done.moves, done.head) == (len(record.moves), record.moves[-1].chain)
    assert len(set(done.seeds)) == 3  # the first course of the game and two branches


@pytest.mark.slow
def test_so_does_one_of_dragons_in_waves() -> None:
    record = played("aladdins-dragons", 3, version="basic", placing="waves")
    assert checking.check(model.load(model.dump(record))).moves == len(record.moves)


@pytest.mark.parametrize(("tamper", "codes"), TAMPERINGS, ids=[name_of(tamper) for tamper, _codes in TAMPERINGS])
def test_whatever_is_changed_in_a_record_is_noticed(tamper: Tamper, codes: str) -> None:
    record = tampered(model.dump(played(*CAVE)), tamper)
    with pytest.raises(Fault) as refused:
        checking.check(model.load(record))
    assert refused.value.text.code in codes.split()


def test_a_record_is_written_and_read_without_loss() -> None:
    record = played(*CAVE)
    assert model.load(model.dump(record)) == record
    assert len(model.dump(record).splitlines()) == len(record.moves) + len(msgspec.structs.fields(record)) + 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"format":"caravanserai-record","format_version":3}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"x" * (model.MOST_BYTES + 1),
    ],
    ids=["nothing", "object", "list", "null", "no-utf-8", "of-the-future", "deep", "deep-objects", "large"],
)
def test_what_is_no_record_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(Fault) as refused:
        model.load(data)
    assert refused.value.text.code in ("record.malformed", "record.too-large", "record.version")


@pytest.mark.parametrize("text", ["\0", "a line\nand another", "\x7f", "\x85", "a\\\b"])
def test_a_control_character_anywhere_in_a_record_is_refused(text: str) -> None:
    data = json.loads(model.dump(played(*CAVE)))
    data["moves"][3]["events"].append({"told": ["\\n \\u0000"]})
    model.load(json.dumps(data).encode())  # a backslash is none
    for where in ({"told": [text]}, {text: 1}):
        data["moves"][3]["events"][-1] = where
        for is_ascii in (True, False):
            with pytest.raises(Fault) as refused:
                model.load(json.dumps(data, ensure_ascii=is_ascii).encode())
            assert refused.value.text.code == "record.malformed"


@pytest.mark.parametrize("action", ["[]", '{"type":[]}', '{"seq":"x"}', "{}", '{"type":"orders","orders":7}', "1e999"])
def test_an_action_that_is_none_is_a_move_that_is_not_possible(action: str) -> None:
    for kind in ("answer", "orders", "branch"):
        data = json.loads(model.dump(played(*CAVE)))
        next(move for move in data["moves"] if move["kind"] == kind)["action"] = "@"
        record = json.dumps(data).replace('"@"', action).encode()
        with pytest.raises(Fault) as refused:
            checking.check(model.load(record))
        assert refused.value.text.code in ("record.impossible", "record.malformed")


@pytest.mark.parametrize(
    ("there", "changed", "words"),
    [
        ('"rules_version":', '"rules_version":1,"rules_version":', "twice"),
        ('"number":2,', '"number":2,"number":2,', "twice"),
        ('"number":10,', '"number":10.0,', "10.0"),
        ('"number":10,', '"number":1e1,', "1e1"),
        ('"number":1,', '"number":true,', "bool"),
        ('"number":1,', '"number":-0,', "-0"),
        ('"number":1,', '"number":NaN,', "NaN"),
    ],
)
def test_json_that_readers_may_understand_otherwise_is_refused(there: str, changed: str, words: str) -> None:
    record = model.dump(played(*CAVE)).decode()
    assert there in record
    with pytest.raises(Fault) as refused:
        model.load(record.replace(there, changed, 1).encode())
    assert refused.value.text.code == "record.malformed" and words in refused.value.text.params["detail"]


class Counted(str):
    """A name that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)


def test_looking_for_a_name_that_is_there_twice_takes_one_pass() -> None:
    names = [Counted(number) for number in range(2000)]
    with pytest.raises(ValueError, match="'1999' is there twice"):
        strict.check_names([(name, 0) for name in [*names, Counted(1999)]])
    assert Counted.compared < 2 * len(names)


def test_a_record_is_as_its_schema_in_the_docs_says() -> None:
    assert record_schema.PATH.read_text() == record_schema.written(), "python -m tests.record_schema writes it"
    validator = Draft202012Validator(json.loads(record_schema.PATH.read_text()))
    record = model.dump(played(*CAVE))
    validator.validate(json.loads(record))
    malformed = {tamper for tamper, codes in TAMPERINGS if codes == "record.malformed"}
    assert len(malformed) > 3
    for tamper in malformed | SEEN_BY_THE_SCHEMA:
        assert not validator.is_valid(json.loads(tampered(record, tamper))), name_of(tamper)


def test_the_schema_knows_every_day_there_is() -> None:
    pattern = re.compile(f"^{model.DAY}{model.END}")
    for year in (1990, 1996, 2000, 2025, 2028, 2096, 2100, 2400, 9999):
        for month, day in product(range(14), range(33)):
            is_day = 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
            assert bool(pattern.search(f"{year}-{month:02}-{day:02}")) == is_day, (year, month, day)


def _without_positions(data: dict[str, Any]) -> None:
    for move in data["moves"]:
        del move["position"]


FORMER = [
    lambda data: data.update(format_version=1),
    _without_positions,
    lambda data: data.update(rules="aladdins-dragons", rules_version=1),
]


@pytest.mark.parametrize("former", FORMER, ids=["format", "positions", "rules"])
def test_a_record_from_before_is_refused_naming_the_release_that_reads_it(former: Callable[[Any], object]) -> None:
    data = json.loads(model.dump(played(*CAVE)))
    former(data)
    with pytest.raises(Fault) as refused:
        checking.check(model.load(json.dumps(data).encode()))
    assert checking.say(refused.value.text, "en") == (
        "This record is from before release 1.0. The verifier of release 0.1.0 reads it."
    )


def test_the_schema_takes_a_record_and_who_answered_is_in_its_hashes() -> None:
    record = played(*CAVE)
    Draft202012Validator(json.loads(record_schema.PATH.read_text())).validate(json.loads(model.dump(record)))
    assert checking.check(model.load(model.dump(record))).head == record.moves[-1].chain
    (tamper,) = [tamper for tamper, _codes in TAMPERINGS if name_of(tamper) == "another-hand"]
    with pytest.raises(Fault, match=r"record\.chain"):
        checking.check(model.load(tampered(model.dump(record), tamper)))


def test_the_last_hash_is_over_the_outcome() -> None:
    move = next(iter(played(*CAVE).played()))
    outcomes = [None, {"winners": [0]}, {"winners": [1]}]
    assert len({link("", move, b"{}", outcome) for outcome in outcomes}) == 3


# What can be wrong with a record, in every language.

SOURCES = [path.read_text() for path in Path(text.__file__).parent.glob("*.py") if path.name != "text.py"]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_is_translated_with_the_same_placeholders_and_there_is_no_other(language: str) -> None:
    spoken = catalogue(LOCALE, DOMAIN, language)
    for sentence in text.SENTENCES.values():
        assert spoken.gettext(sentence) != sentence
        assert placeholders(spoken.gettext(sentence)) == placeholders(sentence), sentence
    source = (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").read_text()
    known = {msgspec.json.decode(found) for found in re.findall(r'^msgid (".+")$', source, re.MULTILINE)}
    assert known == set(text.SENTENCES.values())


def test_every_fault_that_is_raised_has_words() -> None:
    raised = {code for source in SOURCES for code in re.findall(r'Fault\("(record\.[a-z-]+)"', source)}
    assert len(raised) > 8 and raised <= set(text.SENTENCES)


def test_a_fault_is_said_in_the_language_of_its_reader() -> None:
    fault = Text("record.chain", {"number": 12})
    assert words.say(fault, "en") == "The hash of move 12 is wrong."
    assert words.say(fault, "es-mx") == "El hash de la jugada 12 es incorrecto."
    assert words.say(fault, "../../etc") == words.say(fault, "")
