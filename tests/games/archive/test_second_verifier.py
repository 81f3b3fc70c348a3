"""The verifier in JavaScript (docs/examples/verify.mjs), and the exact bytes in docs/record.md."""

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from engine.records import checking, model
from tests.engine.records.making import played
from tests.engine.records.tampering import TAMPERINGS, name_of, tampered

DOCS = Path(__file__).resolve().parents[3] / "docs"
UNHASHED = {
    "another-event", "dropped-event", "no-events-at-all", "unknown-bot", "control-character-in-a-name", "unknown-field",
    "no-such-day", "no-such-hour", "over-before-it-began", "moved-after-the-end", "time-with-a-newline",
    "leap-day-of-another-year",
}  # fmt: skip
"""Tamperings with what no hash covers, or the rules alone can prove."""

GAMES = {
    "cave-of-wonders": {},
    "aladdins-dragons": {"most": 200, "version": "magic", "tally": "plan"},
}


@pytest.fixture
def node() -> None:
    """Is there, or the tests that ask for it are left out (tests/capabilities.py)."""


def verify(data: bytes, *arguments: str, place: Path) -> tuple[int, str]:
    """Runs the program on a record; its status and what it says."""
    (place / "record.json").write_bytes(data)
    command = ["node", DOCS / "examples" / "verify.mjs", place / "record.json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.mark.usefixtures("node")
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_it_accepts_true_records_and_refuses_whatever_a_hash_covers(name: str, tmp_path: Path) -> None:
    record = played(name, 3, **GAMES[name])
    data = model.dump(record)
    status, said = verify(data, record.commitment, record.moves[-1].chain, place=tmp_path)
    assert status == 0 and f"{len(record.moves)} moves fit" in said
    assert (
        verify(data, "0" * 64, place=tmp_path)[0] == verify(data, record.commitment, "0" * 64, place=tmp_path)[0] == 1
    )
    for tamper, _codes in TAMPERINGS:
        if name_of(tamper) not in UNHASHED:
            assert verify(tampered(data, tamper), place=tmp_path)[0] in (1, 2), name_of(tamper)


@pytest.mark.usefixtures("node")
def test_what_it_cannot_check_is_not_called_wrong(tmp_path: Path) -> None:
    record = json.loads((DOCS / "examples" / "record.json").read_bytes())
    newer = json.dumps(record | {"format_version": 3}).encode()
    for move in record["moves"]:
        del move["position"]
    for data in (b"", b"{", newer, json.dumps(record).encode()):
        assert verify(data, place=tmp_path)[0] == 2


@pytest.mark.usefixtures("node")
def test_the_worked_example_is_true_to_the_byte(tmp_path: Path) -> None:
    data = (DOCS / "examples" / "record.json").read_bytes()
    record = model.load(data)
    assert checking.check(record).head == record.moves[-1].chain
    assert verify(data, place=tmp_path)[0] == 0
    appendix = (DOCS / "record.md").read_text().partition("## Appendix")[2]
    lists = re.findall(r"^    (\[.*\])\n    ([0-9a-f]{64})$", appendix, re.MULTILINE)
    assert [hashlib.sha256(text.encode()).hexdigest() for text, _hash in lists] == [known for _text, known in lists]
    assert [known for _text, known in lists[1:]] == [move.chain for move in record.moves]
    assert len(lists) == 5 and all(lists[at][1] in lists[at + 1][0] for at in range(4))
