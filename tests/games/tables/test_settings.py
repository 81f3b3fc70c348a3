"""A host's settings are declared once."""

from games.models import Game
from games.tables.settings import OPEN, SETTINGS


def test_each_setting_is_a_column_of_a_game_with_the_same_default_and_choices() -> None:
    for setting in SETTINGS:
        column = Game._meta.get_field(setting.name)
        choices = setting.about.choices.choices if setting.about.choices else None
        assert column.choices == choices, setting.name
        assert setting.default == (OPEN if setting.about.usual else column.default), setting.name
