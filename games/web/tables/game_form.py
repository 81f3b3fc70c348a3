"""The form of what is played and how fast, for a table or a tournament; sentences of a rule set without a game."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.core import Days, TableOption, Text
from engine.registry import AnyRules, newest
from games.people.speech import current_language
from games.tables import pace

USUAL = 4  # seats
OPTION = "option-"  # before the name of a rules' option, so that it cannot meet a field of ours


class GameForm(forms.Form):
    """Pace and rules. The rules' own options become fields of the same kind as ours."""

    pace = forms.ChoiceField(label=_("Pace"), initial="daily", choices=pace.paces, widget=forms.RadioSelect)

    def __init__(
        self, rules: AnyRules, data: QueryDict | None = None, *, initial: Mapping[str, Any] | None = None
    ) -> None:
        """`initial` is what it begins with, by the names of its fields."""
        super().__init__(data, initial=dict(initial or {}))
        self.rules = rules
        for option in rules.options:
            self.fields[OPTION + option.name] = _option_field(rules, option)

    def choose(self, name: str, choices: Sequence[tuple[str | int, str | Promise]], initial: object) -> None:
        """Sets what can be chosen in a field."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
        field.initial = initial

    def chosen_options(self) -> dict[str, str]:
        """The options of the rules, by name. Only for a form that is valid."""
        return {option.name: self.cleaned_data[OPTION + option.name] for option in self.rules.options}

    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the rules' own options that every host should see."""
        return [self[OPTION + option.name] for option in self.rules.options if not option.is_fine_point]

    def fine_fields(self) -> list[forms.BoundField]:
        """The fields of the others."""
        return [self[OPTION + option.name] for option in self.rules.options if option.is_fine_point]

    def has_fine_errors(self) -> bool:
        """Whether something is wrong among them."""
        return any(field.errors for field in self.fine_fields())

    def pace_choices(self) -> list[tuple[BoundWidget, str | Promise, str]]:
        """Each pace to be chosen: its button, whom it suits, and how long a game takes as it is offered here."""
        counts, options = self.rules.seat_counts, {option.name: option.suggested for option in self.rules.options}
        people = USUAL if USUAL in counts else max(counts)
        choices: list[tuple[BoundWidget, str | Promise, str]] = []
        for button, speed in zip(self["pace"], pace.all_paces(), strict=True):
            days = pace.days_of(self.rules, speed.name, people, options, proposals=True)
            choices.append((button, speed.about, _length(days, people) if days is not None else ""))
        return choices


def _length(days: Days, people: int) -> str:
    words = {"time": pace.days_in_words(days), "people": people}
    return gettext("%(time)s with %(people)s people") % words


def _option_field(rules: AnyRules, option: TableOption) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=in_words(rules, option.label),
        choices=[(value, in_words(rules, label)) for value, label in option.values],
        initial=option.suggested,
        help_text=in_words(rules, option.hint) if option.hint else "",
        widget=forms.RadioSelect,
    )


def in_words(rules: AnyRules, text: Text) -> str:
    """A sentence of a rule set before there is a game."""
    return rules.say(text, current_language(), [])


def find_rules(name: str | None) -> AnyRules:
    """The newest rule set of that name; the first there is for a name that does not exist."""
    known = {rules.name: rules for rules in newest()}
    return known.get(name or "") or next(iter(known.values()))
