"""The table of acts is whole: the log, the documentation and the two doors know the same ones."""

from games.moderation.acts import ACTS, BY_NAME
from games.moderation.models import ModerationEntry
from tests import acts

OF_HOSTS = {"offer", "hand_over"}
NOTES = {"note", "note_person"}


def test_every_act_is_logged_under_its_name_and_every_entry_is_one_of_an_act() -> None:
    assert len(BY_NAME) == len(ACTS)
    assert set(BY_NAME) - NOTES == set(ModerationEntry.Action.values) - OF_HOSTS


def test_the_table_of_the_documentation_is_that_of_the_program() -> None:
    assert acts.page() == acts.DOCS.read_text(), "python -m tests.acts writes it"
