"""What people try in vain, and how they know that the shuffle was as promised."""

import hashlib
from random import Random

from games.lab.play_by_mail import misuse

SEED = "07" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


def test_a_tampered_link_differs_in_its_token_alone():
    url = f"http://localhost/act/abc/{'a' * 26}/"
    assert misuse.tampered(url) == f"http://localhost/act/abc/b{'a' * 25}/"
    assert misuse.tampered(misuse.tampered(url)) == url


def test_the_seed_is_known_by_its_commitment():
    assert misuse.is_kept(COMMITMENT, {SEED, COMMITMENT})
    assert not misuse.is_kept(COMMITMENT, {"08" * 32, COMMITMENT})


def test_who_is_never_naughty_tries_nothing():
    assert {misuse.draw(Random(seed), 0.0) for seed in range(50)} == {""}
    assert {misuse.draw(Random(seed), 1.0) for seed in range(200)} == set(misuse.KINDS)
