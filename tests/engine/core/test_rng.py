"""Shuffles are fair, and the same for ever: what is written here is what a verifier of another maker would do."""

import hashlib
import hmac
import os
from collections import Counter
from itertools import permutations, product
from math import erfc, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.rng import Rng, commitment, game_seed

SEED = bytes(range(32))
CARDS = 21
SHUFFLES = 1_000_000 if os.environ.get("MARATHON") else 20_000
HARDLY = 0.001  # how likely a fair source would be further off


def word(number: int) -> int:
    """One 64-bit word of the stream, reckoned anew."""
    return int.from_bytes(hmac.new(SEED, number.to_bytes(8, "big"), hashlib.sha256).digest()[:8], "big")


def likelihood(counts: list[int], expected: float, freedom: int) -> float:
    """How likely fair counts are further off (chi-square, by the approximation of Wilson and Hilferty)."""
    chi = sum((count - expected) ** 2 for count in counts) / expected
    spread = 2 / (9 * freedom)
    return erfc(((chi / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) / sqrt(2)) / 2


def test_the_stream_is_an_hmac_of_a_counter() -> None:
    rng = Rng(SEED.hex())
    assert [rng.word() for _ in range(5)] == [word(number) for number in range(5)]
    assert rng.counter == 5


def test_words_that_would_favour_small_numbers_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = iter([(1 << 64) - 1, 8])  # of 2**64 words the last one is beyond the last whole multiple of three
    monkeypatch.setattr(Rng, "word", lambda rng: next(words))
    assert Rng(SEED.hex()).below(3) == 2
    assert list(words) == []


@given(st.lists(st.integers(), max_size=40), st.binary(min_size=32, max_size=32))
def test_a_shuffle_loses_and_adds_nothing_and_leaves_the_list_alone(items: list[int], seed: bytes) -> None:
    before, rng = list(items), Rng(seed.hex())
    assert sorted(rng.shuffled(items)) == sorted(before) and items == before
    assert Rng(seed.hex()).shuffled(items) == Rng(seed.hex()).shuffled(before)


@pytest.mark.slow
def test_every_card_is_at_every_place_as_often_as_at_any_other_check_42() -> None:
    rng, seen = Rng(SEED.hex()), Counter[tuple[int, int]]()
    for _ in range(SHUFFLES):
        seen.update(enumerate(rng.shuffled(range(CARDS))))
    counts = [seen[place] for place in product(range(CARDS), repeat=2)]
    assert HARDLY < likelihood(counts, SHUFFLES / CARDS, (CARDS - 1) ** 2) < 1 - HARDLY


def test_every_order_of_four_is_as_likely_as_any_other_check_42() -> None:
    rng, seen = Rng(SEED.hex()), Counter[tuple[int, ...]]()
    for _ in range(4_800):
        seen[tuple(rng.shuffled(range(4)))] += 1
    counts = [seen[order] for order in permutations(range(4))]
    assert HARDLY < likelihood(counts, 200, 23) < 1 - HARDLY


def test_a_biased_source_would_be_noticed() -> None:
    """What a shuffle by swapping with any place at all, a well-known mistake, would give."""
    rng, seen = Rng(SEED.hex()), Counter[tuple[int, ...]]()
    for _ in range(4_800):
        items = [0, 1, 2, 3]
        for place in range(4):
            other = rng.below(4)
            items[place], items[other] = items[other], items[place]
        seen[tuple(items)] += 1
    assert likelihood([seen[order] for order in permutations(range(4))], 200, 23) < HARDLY


def test_the_commitment_is_the_hash_of_the_seed_and_every_word_of_the_players_counts() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    seeds = {
        game_seed(SEED, entropies, branch)
        for entropies, branch in [(["a", "b"], 0), (["ab", ""], 0), (["", "ab"], 0), (["a", "b"], 1), (["a"], 0)]
    }
    assert len(seeds) == 5
    assert game_seed(SEED, ["a"]) == hmac.new(SEED, b"\x00\x00\x00\x01a\x00\x00\x00\x010", hashlib.sha256).hexdigest()
