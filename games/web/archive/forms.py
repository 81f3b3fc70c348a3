"""The search form of the archive: every field is optional, and a value that cannot be is ignored."""

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.core import TableOption
from engine.registry import AnyRules, newest
from games.archive.finished_games import ArchiveFilter
from games.web.tables.game_form import in_words
from games.web.tables.search_form import ANY


def _versions(rules: AnyRules) -> list[TableOption]:
    return [option for option in rules.options if option.name == "version"]


def _games() -> list[tuple[str, str | Promise]]:
    """Every rule set, and each version of those that have some: "aladdins-dragons", "aladdins-dragons.magic"."""
    choices: list[tuple[str, str | Promise]] = [ANY]
    for rules in newest():
        title = in_words(rules, rules.title)
        choices.append((rules.name, title))
        for option in _versions(rules):
            choices += [
                (f"{rules.name}.{value}", f"{title}: {in_words(rules, label)}") for value, label in option.values
            ]
    return choices


def _seats() -> list[tuple[str, str | Promise]]:
    counts = {count for rules in newest() for count in rules.seat_counts}
    return [ANY, *((str(count), str(count)) for count in sorted(counts))]


class ArchiveForm(forms.Form):
    """Which games to show."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=_games)
    seats = forms.ChoiceField(label=_("Players"), required=False, choices=_seats)
    since = forms.DateField(
        label=_("Finished after"), required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("Finished before"), required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def to_filter(self) -> ArchiveFilter:
        """The filter; a value that is not valid is left out."""
        self.is_valid()
        data = self.cleaned_data
        rules, _dot, version = data.get("game", "").partition(".")
        return ArchiveFilter(
            rules=rules,
            version=version,
            seats=int(data["seats"]) if data.get("seats") else None,
            since=data.get("since"),
            until=data.get("until"),
        )

    @property
    def is_empty(self) -> bool:
        """True if nothing in particular is looked for."""
        return self.to_filter() == ArchiveFilter()
