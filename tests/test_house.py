"""What holds of the structure of the code for good; the figures that still fall are `script/house`'s to print."""

from tests.house import structure


def test_no_module_imports_itself_by_way_of_others():
    assert structure.circle() == []
