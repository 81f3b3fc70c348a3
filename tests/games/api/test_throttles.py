"""What is kept of how often somebody has asked."""

from games.api.throttles import Histories


def test_who_reads_when_he_has_asked_has_a_list_of_his_own() -> None:
    histories = Histories(2)
    histories.set("anna", [2.0, 1.0], 60)
    histories.get("anna", []).pop()
    assert histories.get("anna", []) == [2.0, 1.0]
    nobody: list[float] = []
    assert histories.get("ben", nobody) == [] and histories.get("ben", nobody) is not nobody


def test_who_has_not_asked_for_longest_is_forgotten_first() -> None:
    histories = Histories(2)
    for name in ("anna", "ben", "anna", "eva"):
        histories.set(name, [1.0], 60)
    assert [histories.get(name, []) for name in ("anna", "ben", "eva")] == [[1.0], [], [1.0]]
