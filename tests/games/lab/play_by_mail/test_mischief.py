"""What people try in vain, and how they know that the shuffle was as promised."""

import hashlib
from random import Random

from games.lab.play_by_mail import mischief

SEED = "07" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


def test_a_tampered_link_differs_in_its_token_alone():
    url = f"http://localhost/act/abc/{'a' * 26}/"
    assert mischief.tampered(url) == f"http://localhost/act/abc/b{'a' * 25}/"
    assert mischief.tampered(mischief.tampered(url)) == url


def test_the_seed_is_known_by_its_commitment():
    assert mischief.is_kept(COMMITMENT, {SEED, COMMITMENT})
    assert not mischief.is_kept(COMMITMENT, {"08" * 32, COMMITMENT})


def test_who_is_never_naughty_tries_nothing():
    assert {mischief.draw(Random(seed), 0.0) for seed in range(50)} == {""}
    assert {mischief.draw(Random(seed), 1.0) for seed in range(200)} == set(mischief.TRICKS)
