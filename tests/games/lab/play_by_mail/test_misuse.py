"""What people try in vain, and how they know that the shuffle was as promised."""

import hashlib
from random import Random

from games.lab.play_by_mail import person

SEED = "07" * 32
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


def test_a_tampered_link_differs_in_its_token_alone():
    url = f"http://localhost/act/abc/{'a' * 26}/"
    assert person.tampered(url) == f"http://localhost/act/abc/b{'a' * 25}/"
    assert person.tampered(person.tampered(url)) == url


def test_the_seed_is_known_by_its_commitment():
    assert person.is_kept(COMMITMENT, {SEED, COMMITMENT})
    assert not person.is_kept(COMMITMENT, {"08" * 32, COMMITMENT})


def test_who_is_never_naughty_tries_nothing():
    assert {person.draw(Random(seed), 0.0) for seed in range(50)} == {""}
    assert {person.draw(Random(seed), 1.0) for seed in range(200)} == set(person.KINDS)
