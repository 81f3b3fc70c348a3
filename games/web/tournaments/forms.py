"""The forms of a new tournament, and of what its host does there."""

from datetime import timedelta

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.registry import AnyRules
from games.moderation.forms import ReasonForm
from games.tables.settings import SETTINGS, Group
from games.tournaments import queries
from games.tournaments.models import LONGEST_ABOUT, MOST_DAYS, MOST_ENTRANTS, MOST_ROUNDS, Tournament
from games.tournaments.opening import TournamentPlan
from games.web.tables.forms import setting_field
from games.web.tables.game_form import USUAL, GameForm
from notifications.clock import present

AT = "%Y-%m-%dT%H:%M"  # as browsers send a local time
IN_A_WEEK, EVENING = timedelta(days=7), 20  # o'clock
CLOCKS = [setting for setting in SETTINGS if setting.about.group == Group.CLOCKS]


class TournamentForm(GameForm):
    """A tournament, in the words a host would use."""

    title = forms.CharField(
        label=_("Tournament name"),
        required=False,
        max_length=60,
        help_text=_("For example “Winter Cup”. If you leave it empty, the tournament is named after you."),
    )
    about = forms.CharField(
        label=_("What players should know (optional)"),
        required=False,
        max_length=LONGEST_ABOUT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    table_size = forms.TypedChoiceField(
        label=_("Players per table"),
        coerce=int,
        widget=forms.RadioSelect,
        help_text=_("If the numbers don't add up, some tables have one player less or one more."),
    )
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=3)
    round_days = forms.IntegerField(
        label=_("Days per round at most"),
        min_value=1,
        max_value=MOST_DAYS,
        initial=60,
        help_text=_(
            "A round ends when all its tables have finished. Tables that take longer than this count as a tie."
        ),
    )
    closes_at = forms.DateTimeField(
        label=_("Entries close"),
        input_formats=[AT],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AT),
        help_text=_("In your time zone. The first round starts right then."),
    )
    fewest = forms.IntegerField(
        label=_("Players at least"),
        min_value=2,
        max_value=MOST_ENTRANTS,
        initial=USUAL,
        help_text=_("If fewer have entered by then, the tournament is called off and everyone is told."),
    )
    most = forms.IntegerField(label=_("Players at most"), min_value=2, max_value=MOST_ENTRANTS, initial=64)
    allows_bots = forms.BooleanField(
        label=_("Allow bot accounts"),
        required=False,
        help_text=_("You enter them by name. Everyone sees that they're bots."),
    )

    def __init__(self, rules: AnyRules, data: QueryDict | None = None) -> None:
        super().__init__(rules, data)
        counts = list(rules.seat_counts)
        self.choose(
            "table_size", [(count, str(count)) for count in counts], initial=USUAL if USUAL in counts else max(counts)
        )
        for setting in CLOCKS:
            self.fields[setting.name] = setting_field(setting)
        evening = timezone.localtime(present.now() + IN_A_WEEK).replace(hour=EVENING, minute=0, second=0, microsecond=0)
        self.fields["closes_at"].initial = evening

    def plan(self) -> TournamentPlan:
        """The plan of the tournament. Only for a form that is valid."""
        named = (*PLAIN, *(setting.name for setting in CLOCKS))
        facts = {name: self.cleaned_data[name] for name in named}
        return TournamentPlan(rules_name=self.rules.name, options=self.chosen_options(), **facts)

    def clock_fields(self) -> list[forms.BoundField]:
        """The fields about when clocks stop."""
        return [self[setting.name] for setting in CLOCKS]


PLAIN = (
    "title", "about", "table_size", "rounds", "round_days", "closes_at", "fewest", "most", "allows_bots", "pace",
)  # fmt: skip


class RemoveForm(ReasonForm):
    """Asks whom a host removes, and why. `about` is the tournament."""

    entrant = forms.ChoiceField(label=_("Player"))

    def fill(self) -> None:
        """Offers those who are in."""
        field = self.fields["entrant"]
        assert isinstance(field, forms.ChoiceField)
        if isinstance(self.about, Tournament):
            field.choices = [(one.ref, one.display_name) for one in queries.entrants(self.about)]


class EnterBotForm(forms.Form):
    """Asks for the name of a bot account."""

    name = forms.CharField(label=_("Name of the bot account"), max_length=40)
