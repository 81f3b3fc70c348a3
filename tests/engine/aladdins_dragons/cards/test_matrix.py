"""What each of the spells has to do with each of the artifacts (the pairs live in tests, not in code).

Anna casts the spell; the tile is hers (`Scene.caster_has`) or Ben's (`Scene.another_has`). Each spell's row is `MATRIX`
in its own test file. The words:

- needs: she cannot cast it without (A84).
- strikes: declared once the spell is shown, it leaves nothing of what the spell does (A79-A81).
- removes: the spell sends home what the artifact has put on the board (A88, A90).
- taxes: what the artifact has put on the board is paid for, or taken back (A88).
- stays: the spell moves number tokens, but not what the artifact has put beside them (A89).
- bars: after the spell the artifact cannot be declared where it could have been (A25, S19).
- opens: after the spell it can be where it could not have been (A87, S7).
- ranks: who is first with the artifact is another with the spell as well (S3, S15).
- prices: what is bought costs more by the artifact (A71, S2).
- copies: once the artifact has been used, the spell has its power (S13).
- gives: the tile may be given for another (S11).

Where nothing is written, nothing else happens: with both, the round has what it has with each of them.
"""

import pytest

from engine.aladdins_dragons.cards.deck import ARTIFACTS, SPELLS
from tests.engine.aladdins_dragons.cards.matrix import (
    ANOTHER,
    CASTER,
    cast,
    four_worlds,
    reach,
    relations,
    scenes,
    was_used,
)

pytestmark = pytest.mark.slow  # a tenth of a second each, and there are hundreds


def words_of(spell: str, artifact: str, place: str) -> str:
    """What the two have to do with each other, joined by "+"; "-" for nothing."""
    scene = scenes()[spell]
    if place == CASTER:
        return {"lamp": "needs", **scene.caster_has}.get(artifact, "-")
    return {"counterspell": "strikes", **scene.another_has}.get(artifact, "-")


CELLS = [
    pytest.param(spell, artifact, place, words, id=f"{spell}-{artifact}-{place}-{words}")
    for spell in scenes()
    for artifact in ARTIFACTS
    for place in (CASTER, ANOTHER)
    for words in [words_of(spell, artifact, place)]
]


@pytest.mark.parametrize(("spell", "artifact", "place", "words"), CELLS)
def test_a_spell_and_an_artifact_have_this_to_do_with_each_other_and_nothing_else(spell, artifact, place, words):
    assert relations(spell, artifact, place) == set(words.split("+")) - {"-"}
    both, artifact_only, spell_only, _ = four_worlds(spell, artifact, place)
    assert cast(spell, artifact) in spell_only.done
    is_idle = (
        artifact in ("counterspell", "scroll")
        or words == "needs"
        or (place == CASTER and artifact in scenes()[spell].unused)
    )
    assert is_idle or was_used(both, artifact) or was_used(artifact_only, artifact), "the artifact was used"


@pytest.mark.parametrize("spell", SPELLS)
def test_only_these_spells_reach_a_tile_in_a_room_and_they_reach_every_type_s2_s11_s12(spell):
    assert {reach(spell, artifact) for artifact in ARTIFACTS} == {scenes()[spell].reaches}


def test_nobody_is_ever_offered_to_use_a_scroll_a85():
    offered = {form for case in CELLS for told in four_worlds(*case.values[:3]) for form in forms_of(told)}
    assert {"play_carpet", "play_key", "play_lamp", "play_counterspell", "play_double"} <= offered
    assert "play_scroll" not in offered


def forms_of(told):
    return {form for forms in told.offered.values() for form in forms}
