"""The generated key: the same for all processes, readable by its owner only."""

import stat
import subprocess
import sys
import threading

import pytest

from config.secret_key import P256_ORDER, load_or_create, p256_key


def test_the_key_is_made_once(tmp_path):
    path = tmp_path / "deep" / "secret_key"
    assert load_or_create(path) == load_or_create(path)
    assert len(load_or_create(path)) >= 50


def test_only_its_owner_can_read_it(tmp_path):
    load_or_create(tmp_path / "secret_key")
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_nothing_else_is_left_in_the_folder(tmp_path):
    load_or_create(tmp_path / "secret_key")
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.slow
def test_processes_that_start_together_have_the_same_key(tmp_path):
    call = f"print(load_or_create(Path({str(tmp_path / 'key')!r})))"
    code = f"from pathlib import Path; from config.secret_key import load_or_create; {call}"
    starting = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    keys = {process.communicate()[0].strip() for process in starting}
    assert len(keys) == 1
    assert len(keys.pop()) >= 50


def test_who_finds_the_file_never_finds_it_empty(tmp_path, monkeypatch):
    """Between its making and its writing another process looks: there must be nothing to see yet."""
    path, seen = tmp_path / "key", []
    write = threading.Event()

    def look_then_make(count):
        seen.append(path.exists())
        write.set()
        return "k" * count

    monkeypatch.setattr("config.secret_key.secrets.token_urlsafe", look_then_make)
    load_or_create(path)
    assert write.is_set()
    assert seen == [False]


def test_who_comes_second_takes_the_key_of_the_first(tmp_path, monkeypatch):
    path = tmp_path / "key"

    def another_is_faster(count):
        path.write_text("the first one's key")
        return "k" * count

    monkeypatch.setattr("config.secret_key.secrets.token_urlsafe", another_is_faster)
    assert load_or_create(path) == "the first one's key"


def test_a_digest_always_makes_the_same_private_key_from_one_to_the_order_less_one():
    """Another key would end every subscription to push messages."""
    assert p256_key("0") == p256_key(f"{P256_ORDER - 1:x}") == "A" * 42 + "E"
    assert p256_key(f"{P256_ORDER - 2:x}") == "_____wAAAAD__________7zm-q2nF56E87nKwvxjJVA"
