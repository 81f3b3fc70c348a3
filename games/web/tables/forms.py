"""Forms around a table before its game: opening it, inviting, joining."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.registry import AnyRules
from games.clubs.models import Club
from games.lobby.fellow_players import Fellow
from games.people import names
from games.tables.seats import LONGEST_WORDS
from games.tables.settings import OPEN, SETTINGS, Group, TablePlan, TableSetting, names_of
from games.web.forms import NameField, ZoneField
from games.web.tables.game_form import OPTION, USUAL, GameForm, in_words

MOST_ADDRESSES = 20
SEPARATORS = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class Around:
    """The host's clubs, and whom the host may invite by name.

    Arguments:
        club: the reference of the club that is chosen at first; "" for none.
        ticked: the references of the people who are ticked at first.
    """

    clubs: Sequence[Club] = ()
    people: Sequence[Fellow] = ()
    club: str = ""
    ticked: Sequence[str] = ()


class TableForm(GameForm):
    """A table, in the words a host would use."""

    title = forms.CharField(
        label=_("Table name"),
        required=False,
        max_length=60,
        help_text=_("For example “Thursday round”. If you leave it empty, the table is named after you."),
    )
    seats = forms.TypedChoiceField(label=_("Seats"), coerce=int, widget=forms.RadioSelect)

    def __init__(
        self,
        rules: AnyRules,
        data: QueryDict | None = None,
        *,
        values: Mapping[str, Any] | None = None,
        guests: int = 0,
    ) -> None:
        """Makes the fields.

        Arguments:
            values: what it begins with, `games.tables.settings.AGREED` and a title; None for what is usual.
            guests: so many seats at least are chosen at first, beside the host's.
        """
        super().__init__(rules, data, initial=_initial(values))
        counts = list(rules.seat_counts)
        usual = USUAL if USUAL in counts else counts[0]
        usual = min(max(usual, 1 + guests), max(counts))
        self.choose("seats", [(count, str(count)) for count in counts], initial=usual)
        for setting in SETTINGS:
            self.fields[setting.name] = setting_field(setting)

    def plan(self) -> TablePlan:
        """The plan of the table. Only for a form that is valid."""
        data = self.cleaned_data
        plan = TablePlan(
            title=data["title"],
            rules_name=self.rules.name,
            seat_count=data["seats"],
            pace=data["pace"],
            options=self.chosen_options(),
        )
        return replace(plan, **{setting.name: data[setting.name] for setting in SETTINGS})

    def setting_fields(self) -> dict[str, list[forms.BoundField]]:
        """The fields of the table's settings, by group."""
        return {group.value: [self[name] for name in names_of(group)] for group in Group}

    def has_miss_errors(self) -> bool:
        """Whether something is wrong in what happens at missed deadlines."""
        return any(name in self.errors for name in names_of(Group.MISSES))


class NewTableForm(TableForm):
    """A new table: perhaps with bots, for a club, and with people who are invited by name."""

    bots = forms.TypedChoiceField(
        label=_("Bots"),
        coerce=int,
        initial=0,
        help_text=_("Bots play right away, day and night. You can add or remove them later in the waiting room."),
    )
    bot = forms.ChoiceField(label=_("Kind of bot"), widget=forms.RadioSelect)
    club = forms.ChoiceField(
        label=_("For a club"),
        required=False,
        help_text=_("Only members of the club see the table and can take its seats."),
    )
    people = forms.MultipleChoiceField(
        label=_("Invite"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They get an invitation by email as soon as the table is open."),
    )

    def __init__(
        self,
        rules: AnyRules,
        data: QueryDict | None = None,
        around: Around | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        """`around` are the clubs for which the host may open the table, and whom to invite by name."""
        self.around = around or Around()
        super().__init__(rules, data, values=values, guests=len(self.around.ticked))
        self._offer_people()
        self.choose("bots", [(count, str(count)) for count in range(max(rules.seat_counts))], initial=0)
        self.choose("bot", bots_in_words(rules), initial=list(rules.bots)[-1])

    def _offer_people(self) -> None:
        clubs, people = self.around.clubs, self.around.people
        self.choose("club", [("", _("no club")), *((one.ref, one.display_name) for one in clubs)], self.around.club)
        self.choose("people", [(one.user.ref, one.name) for one in people], self.around.ticked)
        for name in [name for name, found in (("club", clubs), ("people", people)) if not found]:
            del self.fields[name]

    def chosen_people(self) -> list[Fellow]:
        """Whom to invite. Only for a form that is valid."""
        chosen = self.cleaned_data.get("people", [])
        return [one for one in self.around.people if one.user.ref in chosen]

    def clean(self) -> dict[str, object]:
        """One seat is the host's own; those who are invited need seats; a club's table is not public."""
        data = super().clean() or {}
        free = data.get("seats", 0) - 1 - data.get("bots", 0)
        if "seats" in data and free >= 0 and len(data.get("people", [])) > free:
            words = ngettext("There is only %(free)s seat for them.", "There are only %(free)s seats for them.", free)
            self.add_error("people", words % {"free": free})
        if data.get("club") and data.get("is_listed"):
            message = gettext("A club's table is for its members alone: it can't be public as well.")
            self.add_error("club", message)
        if "seats" in data and data.get("bots", 0) >= data["seats"]:
            self.add_error(
                "bots", gettext("One seat is yours, so at most %(most)s bots.") % {"most": data["seats"] - 1}
            )
        return data

    def plan(self) -> TablePlan:
        """The plan of the table, with its bots and its club."""
        data = self.cleaned_data
        return replace(super().plan(), bots=(data["bot"],) * data["bots"], club=data.get("club", ""))


def _initial(values: Mapping[str, Any] | None) -> dict[str, Any]:
    if values is None:
        return {}
    named = {OPTION + name: value for name, value in values["options"].items()}
    settings = {setting.name: values[setting.name] for setting in SETTINGS if setting.name in values}
    plain = {"title": values.get("title", ""), "seats": values["seat_count"], "pace": values["pace"]}
    return {**plain, **named, **settings}


def setting_field(setting: TableSetting) -> forms.Field:
    """The field of a setting."""
    about = setting.about
    if about.choices is not None:
        usual = [(OPEN, about.usual)] if about.usual else []
        return forms.ChoiceField(
            label=about.label,
            help_text=about.hint,
            choices=[*usual, *about.choices.choices],
            initial=setting.default,
            required=not usual,
        )
    if about.bounds is not None:
        least, largest = about.bounds
        return forms.IntegerField(
            label=about.label, help_text=about.hint, min_value=least, max_value=largest, initial=setting.default
        )
    return forms.BooleanField(label=about.label, help_text=about.hint, required=False, initial=setting.default)


def bots_in_words(rules: AnyRules) -> list[tuple[str, str]]:
    """(name, title) of each bot that plays by these rules."""
    return [(name, in_words(rules, bot.title)) for name, bot in rules.bots.items()]


def addresses_in(text: str) -> list[str]:
    """The parts of a text that was pasted, without brackets and quotes, each once; what is no address is among them."""
    found = [part.strip("<>\"'()") for part in SEPARATORS.split(text)]
    return list(dict.fromkeys(part for part in found if part))


class InviteForm(forms.Form):
    """Mail addresses, as one pastes them."""

    addresses = forms.CharField(
        label=_("Email addresses"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "placeholder": "ben@example.org"}),
        help_text=_("Separate several with commas, spaces or line breaks."),
    )
    words = forms.CharField(label=_("A line of your own (optional)"), max_length=LONGEST_WORDS, required=False)

    def clean_addresses(self) -> list[str]:
        """Each address once, in the order given."""
        addresses = addresses_in(self.cleaned_data["addresses"])
        if not addresses:
            raise forms.ValidationError(_("Please enter at least one email address."))
        if len(addresses) > MOST_ADDRESSES:
            raise forms.ValidationError(gettext("At most %(most)s addresses at once.") % {"most": MOST_ADDRESSES})
        return addresses


class JoinWishes(TypedDict):
    """What a person says who sits down."""

    entropy: str
    steward_hours: int | None


class JoinForm(forms.Form):
    """Sitting down, with a pinch of chance of one's own."""

    entropy = forms.CharField(
        label=_("Your own words for the shuffle (optional)"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_(
            "They're mixed into the shuffle, so that nobody, not even this service, could have arranged the game."
        ),
    )
    steward_hours = forms.IntegerField(
        label=_("Play the proposal for me after this many waking hours without an answer (optional)"),
        required=False,
        min_value=1,
        help_text=_(
            "This is your steward. It acts only once everyone else has answered; until then you can still answer "
            "yourself. Nobody else can tell that you have one. You can change it at the table."
        ),
    )

    def wanted(self) -> JoinWishes:
        """What is said with sitting down, by name. Only for a form that is valid."""
        return {"entropy": self.cleaned_data["entropy"], "steward_hours": self.cleaned_data.get("steward_hours")}


BLOCKING = _("Someone you block can no longer invite you, and isn't told.")


def blocking_choice(name: str) -> tuple[str, str]:
    """The answer that declines and blocks who asks."""
    return "block", gettext("No, and block %(name)s") % {"name": names.isolated(name)}


class InvitationForm(JoinForm):
    """The answer to an invitation. Nothing is chosen beforehand: programs that examine mails press buttons too."""

    answer = forms.ChoiceField(
        label=_("Will you play?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Please choose yes or no.")},
    )
    name = NameField(required=False)
    zone = ZoneField(required=False)
    field_order = ["answer", "name", "zone", "entropy", "steward_hours"]

    def __init__(self, data: QueryDict | None = None, *, has_account: bool, inviter: str) -> None:
        super().__init__(data)
        self.needs_name = not has_account
        answer = self.fields["answer"]
        assert isinstance(answer, forms.ChoiceField)
        answer.choices = [("join", _("Yes, count me in")), ("decline", _("No, thanks")), blocking_choice(inviter)]
        answer.help_text = BLOCKING
        if has_account:
            del self.fields["name"], self.fields["zone"]

    def clean(self) -> dict[str, object]:
        """A name is needed to sit down, not to decline."""
        data = super().clean() or {}
        if self.needs_name and data.get("answer") == "join" and not data.get("name"):
            self.add_error("name", gettext("Please enter the name the others will see."))
        return data
