"""What each of the spells has to do with each of the artifacts (EXAMPLES: the pairs live in a test, not in code).

Anna casts the spell; the tile is hers (`CASTER_HAS`) or Ben's (`ANOTHER_HAS`). The words:

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
from tests.engine.aladdins_dragons.cards.matrix import ANOTHER, CASTER, cast, four_worlds, reach, relations, was_used

pytestmark = pytest.mark.slow  # a tenth of a second each, and there are hundreds

CASTER_HAS = """
                  carpet   counterspell  double   key    lamp   scroll
abracadabra       prices   -             prices   -      needs  -
charity           -        -             -        -      needs  -
city_tax          -        -             -        -      needs  -
donation          -        -             -        -      needs  -
dragon_leaves     opens    -             -        -      needs  -
dragons_return    bars     -             -        -      needs  -
eye_for_an_eye    removes  -             removes  -      needs  -
last_first        ranks    -             ranks    -      needs  -
lunar_eclipse     removes  -             removes  -      needs  -
mages_apprentice  gives    gives         gives    gives  needs  gives
mirage            -        -             -        -      needs  -
parasite          -        -             -        -      needs  -
sacrifice         -        -             -        -      needs  -
second_chance     stays    -             stays    -      needs  -
smuggler          ranks    -             -        -      needs  -
solar_eclipse     -        -             removes  -      needs  -
spy               -        -             -        -      needs  -
sultans_tax       -        -             -        -      needs  -
taboo             bars     -             -        -      needs  -
teleport          -        -             -        -      needs  -
trade             -        -             -        -      needs  -
"""

ANOTHER_HAS = """
                  carpet   counterspell    double   key     lamp  scroll
abracadabra       -        strikes         -        -       -     -
charity           -        strikes         -        -       -     -
city_tax          taxes    strikes         taxes    -        -     -
donation          -        strikes         -        -       -     -
dragon_leaves     opens    strikes         -        -       -     -
dragons_return    bars     strikes         -        -       -     -
eye_for_an_eye    removes  strikes         removes  -        -     -
last_first        ranks    strikes         ranks    -       -     -
lunar_eclipse     removes  strikes         removes  -       -     -
mages_apprentice  -        strikes         -        -       -     -
mirage            -        strikes         -        -       -     -
parasite          copies   strikes+copies  copies   copies  -     -
sacrifice         -        strikes         -        -       -     -
second_chance     -        strikes         -        -       -     -
smuggler          ranks    strikes         -        -       -     -
solar_eclipse     -        strikes         removes  -       -     -
spy               -        strikes         opens    -       -     -
sultans_tax       taxes    strikes         taxes    -        -     -
taboo             bars     strikes         -        -       -     -
teleport          stays    strikes         stays    -       -     -
trade             -        strikes         -        -        -     -
"""

NEVER_USED = {("abracadabra", "key", CASTER), ("sultans_tax", "key", CASTER), ("spy", "double", CASTER)}
"""Who is in a room is in the palace already, and the caster of Spy goes on face down."""

IN_A_ROOM = {"abracadabra": "finds", "mirage": "finds", "mages_apprentice": "takes"}
"""What a spell can do with a tile that lies in a room, whatever its type: find it face down, or take it face up."""


def cells(table, place):
    """One case for each cell: spell, artifact, place, words."""
    head, *rows = (line.split() for line in table.strip().splitlines())
    for spell, *words in rows:
        for artifact, word in zip(head, words, strict=True):
            yield pytest.param(spell, artifact, place, word, id=f"{spell}-{artifact}-{place}-{word}")


CELLS = [*cells(CASTER_HAS, CASTER), *cells(ANOTHER_HAS, ANOTHER)]


@pytest.mark.parametrize(("spell", "artifact", "place", "words"), CELLS)
def test_a_spell_and_an_artifact_have_this_to_do_with_each_other_and_nothing_else(spell, artifact, place, words):
    assert relations(spell, artifact, place) == set(words.split("+")) - {"-"}
    both, artifact_only, spell_only, _ = four_worlds(spell, artifact, place)
    assert cast(spell, artifact) in spell_only.done
    is_idle = artifact in ("counterspell", "scroll") or words == "needs" or (spell, artifact, place) in NEVER_USED
    assert is_idle or was_used(both, artifact) or was_used(artifact_only, artifact), "the artifact was used"


@pytest.mark.parametrize("place", [CASTER, ANOTHER])
def test_the_tables_have_every_spell_and_every_artifact(place):
    listed = {case.values[:2] for case in CELLS if case.values[2] == place}
    assert listed == {(spell, artifact) for spell in SPELLS for artifact in ARTIFACTS}


@pytest.mark.parametrize("spell", SPELLS)
def test_only_these_spells_reach_a_tile_in_a_room_and_they_reach_every_type_s2_s11_s12(spell):
    assert {reach(spell, artifact) for artifact in ARTIFACTS} == {IN_A_ROOM.get(spell, "-")}


def test_nobody_is_ever_offered_to_use_a_scroll_a85():
    offered = {form for case in CELLS for told in four_worlds(*case.values[:3]) for form in forms_of(told)}
    assert {"play_carpet", "play_key", "play_lamp", "play_counterspell", "play_double"} <= offered
    assert "play_scroll" not in offered


def forms_of(told):
    return {form for forms in told.offered.values() for form in forms}
