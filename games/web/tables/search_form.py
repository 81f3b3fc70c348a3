"""The search form of the lobby: every field is optional, and a value that cannot be is ignored."""

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from engine.registry import newest
from games.play.lists import TableFilter
from games.tables import pace
from games.web.tables.game_form import in_words

ANY = ("", _("any"))
MOST_FREE = 4


def _games() -> list[tuple[str, str | Promise]]:
    return [ANY, *((rules.name, in_words(rules, rules.title)) for rules in newest())]


def _free_seats() -> list[tuple[str, str | Promise]]:
    words = ngettext_lazy("at least %(count)s seat", "at least %(count)s seats", "count")
    return [ANY, *((str(count), words % {"count": count}) for count in range(2, MOST_FREE + 1))]


class FindTableForm(forms.Form):
    """Which tables to show."""

    game = forms.ChoiceField(label=_("Game"), required=False, choices=_games)
    free = forms.ChoiceField(label=_("Free seats"), required=False, choices=_free_seats)
    pace = forms.ChoiceField(label=_("Pace"), required=False, choices=lambda: [ANY, *pace.paces()])
    language = forms.ChoiceField(label=_("The host’s language"), required=False, choices=[ANY, *settings.LANGUAGES])
    bots = forms.ChoiceField(
        label=_("Bots"), required=False, choices=[ANY, ("no", _("people only")), ("yes", _("with bots"))]
    )

    def to_filter(self) -> TableFilter:
        """The filter; a value that is not valid is left out."""
        self.is_valid()
        data = self.cleaned_data
        return TableFilter(
            rules=data.get("game", ""),
            free=int(data.get("free") or 1),
            pace=data.get("pace", ""),
            language=data.get("language", ""),
            has_bots={"yes": True, "no": False}.get(data.get("bots", "")),
        )

    @property
    def is_empty(self) -> bool:
        """True if nothing in particular is looked for."""
        return self.to_filter() == TableFilter()
