"""The form of what is played and how fast, for a table or a tournament; sentences of a rule set without a game."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.validators import validate_email
from django.forms.boundfield import BoundWidget
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.core import Days, TableOption, Text
from engine.registry import AnyRules, newest
from games.clubs import clubs
from games.clubs.models import Club
from games.errors import ServiceError, TooMany
from games.lobby import fellow_players, hosting, invitations, lifecycle
from games.lobby.fellow_players import Fellow
from games.people import friends, names
from games.people.characters import CHARACTERS, STRONGEST, Character
from games.people.models import User
from games.people.speech import current_language
from games.tables import boards, pace
from games.tables.models import Game
from games.tables.seats import LONGEST_WORDS
from games.tables.settings import OPEN, SETTINGS, Group, TablePlan, TableSetting, names_of
from games.web.forms import NameField, ZoneField, refusals_in, sent, status_of
from games.web.reader import require_user
from notifications.clock import present

USUAL = 4  # seats
OPTION = "option-"  # before the name of a rules' option, so that it cannot meet a field of ours


class GameForm(forms.Form):
    """Pace and rules. The rules' own options become fields of the same kind as ours."""

    size = "seats"  # its field of how many play
    pace = forms.ChoiceField(label=gettext_lazy("Pace"), initial="daily", choices=pace.paces, widget=forms.RadioSelect)

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

    def begin_with(self, chosen: QueryDict) -> None:
        """Takes over what the address names of what the length of a game depends on."""
        named = [name for name in chosen if name == self.size or name.startswith(OPTION)]
        self.initial.update((name, chosen.get(name)) for name in named)

    def pace_choices(self) -> list[tuple[BoundWidget, str | Promise, str]]:
        """Each pace to be chosen: its button, whom it suits, and how long a game takes with what is chosen."""
        choices: list[tuple[BoundWidget, str | Promise, str]] = []
        for button, speed in zip(self["pace"], pace.all_paces(), strict=True):
            days, people = self._days(speed.name)
            choices.append((button, speed.about, _length(days, people) if days is not None else ""))
        return choices

    def _days(self, name: str) -> tuple[Days | None, int]:
        """How long a game takes at a pace with the seats and options that are chosen so far, and the seats."""
        counts = {str(count): count for count in self.rules.seat_counts}
        usual = USUAL if USUAL in self.rules.seat_counts else max(self.rules.seat_counts)
        people = counts.get(str(self[self.size].value()), usual)
        chosen = {option.name: str(self[OPTION + option.name].value()) for option in self.rules.options}
        options = {
            option.name: chosen[option.name] if chosen[option.name] in dict(option.values) else option.suggested
            for option in self.rules.options
        }
        proposals = "proposals" not in self.fields or self["proposals"].value() != Game.Proposals.OFF
        return pace.days_of(self.rules, name, people, options, proposals=proposals), people

    def pace_cards(self) -> list[tuple[BoundWidget, str | Promise, str]]:
        """The paces that most hosts choose from, the fastest first: button, title, and how long a game takes."""
        cards: list[tuple[BoundWidget, str | Promise, str]] = []
        for button, speed in zip(self["pace"], pace.all_paces(), strict=True):
            days, _people = self._days(speed.name)
            if speed.title:
                length = pace.days_in_words(days) if days else str(speed.label).partition(": ")[2].partition(",")[0]
                cards.append((button, speed.title, length))
        return cards[::-1]

    def other_paces(self) -> list[tuple[BoundWidget, str | Promise, str]]:
        """The paces that stand on no card, as `pace_choices` gives them."""
        return [choice for choice, speed in zip(self.pace_choices(), pace.all_paces(), strict=True) if not speed.title]


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


def pictured_games(query: Callable[[str], str]) -> list[tuple[str, str, str, str]]:
    """Each game: its name, its title, the address of the form for it, and its picture."""
    return [
        (rules.name, in_words(rules, rules.title), query(rules.name), boards.static_picture(rules.name))
        for rules in newest()
    ]


def find_rules(name: str | None) -> AnyRules:
    """The newest rule set of that name; the first there is for a name that does not exist."""
    by_name = {rules.name: rules for rules in newest()}
    return by_name.get(name or "") or next(iter(by_name.values()))


# Forms around a table before its game: opening it, inviting, joining.

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
        label=gettext_lazy("Table name"),
        required=False,
        max_length=60,
        help_text=gettext_lazy("For example “Thursday round”. If you leave it empty, the table is named after you."),
    )
    seats = forms.TypedChoiceField(label=gettext_lazy("Seats"), coerce=int, widget=forms.RadioSelect)

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

    def has_more(self) -> bool:
        """Whether something among the options that are folded away is wrong, or a pace that stands on no card."""
        cards = {speed.name for speed in pace.all_paces() if speed.title}
        return self["pace"].value() not in cards or any(name not in ("seats", "__all__") for name in self.errors)

    def has_miss_errors(self) -> bool:
        """Whether something is wrong in what happens at missed deadlines."""
        return any(name in self.errors for name in names_of(Group.MISSES))


class NewTableForm(TableForm):
    """A new table: perhaps with bots, for a club, and with people who are invited by name."""

    addresses = forms.CharField(
        label=gettext_lazy("Who's coming?"),
        required=False,
        max_length=4000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "ben@example.org, carla@example.org"}),
        help_text=gettext_lazy("Or share a link on the next page."),
    )
    fill = forms.BooleanField(label=gettext_lazy("Bots fill empty seats"), required=False)
    bots = forms.TypedChoiceField(
        label=gettext_lazy("Bots"),
        coerce=int,
        initial=0,
        help_text=gettext_lazy(
            "Bots play right away, day and night. You can add or remove them later in the waiting room."
        ),
    )
    bot = forms.ChoiceField(label=gettext_lazy("Kind of bot"), widget=forms.RadioSelect)
    club = forms.ChoiceField(
        label=gettext_lazy("For a club"),
        required=False,
        help_text=gettext_lazy("Only members of the club see the table and can take its seats."),
    )
    people = forms.MultipleChoiceField(
        label=gettext_lazy("Friends"), required=False, widget=forms.CheckboxSelectMultiple
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
        self.choose(
            "club",
            [("", gettext_lazy("no club")), *((club.ref, club.display_name) for club in clubs)],
            self.around.club,
        )
        self.choose("people", [(person.user.ref, person.name) for person in people], self.around.ticked)
        for name in [name for name, options in (("club", clubs), ("people", people)) if not options]:
            del self.fields[name]

    def chosen_people(self) -> list[Fellow]:
        """Returns the people to invite. Only for a form that is valid."""
        chosen = self.cleaned_data.get("people", [])
        return [person for person in self.around.people if person.user.ref in chosen]

    def clean_addresses(self) -> list[str]:
        """Each address once, in the order given. Raises ValidationError with all that are none."""
        return checked_addresses(self.cleaned_data["addresses"])

    def has_more_errors(self) -> bool:
        """Whether something is wrong among the options that are folded away."""
        return any(name not in ("seats", "addresses", "fill", "people", "__all__") for name in self.errors)

    def clean(self) -> dict[str, object]:
        """One seat is the host's own; those who are invited need seats; a club's table is not public."""
        data = super().clean() or {}
        invited = len(data.get("people", [])) + len(data.get("addresses", []))
        if data.get("fill") and "seats" in data and not data.get("bots"):
            data["bots"] = max(0, data["seats"] - 1 - invited)
        free = data.get("seats", 0) - 1 - data.get("bots", 0)
        if "seats" in data and free >= 0 and invited > free:
            words = ngettext("There is only %(free)s seat for them.", "There are only %(free)s seats for them.", free)
            self.add_error("people" if data.get("people") else "addresses", words % {"free": free})
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
    """(name, label) of each bot that plays by these rules: who it is, and how strong."""
    return [
        (
            name,
            f"{CHARACTERS[name].name} {stars(CHARACTERS[name])}" if name in CHARACTERS else in_words(rules, bot.title),
        )
        for name, bot in rules.bots.items()
    ]


def stars(character: Character) -> str:
    """How strong a character is, in signs: "★★★☆☆"."""
    return "★" * character.strength + "☆" * (STRONGEST - character.strength)


def addresses_in(text: str) -> list[str]:
    """The parts of a text that was pasted, without brackets and quotes, each once; what is no address is among them."""
    parts = [part.strip("<>\"'()") for part in SEPARATORS.split(text)]
    return list(dict.fromkeys(part for part in parts if part))


class InviteForm(forms.Form):
    """Mail addresses, as one pastes them."""

    addresses = forms.CharField(
        label=gettext_lazy("Email addresses"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "placeholder": "ben@example.org"}),
        help_text=gettext_lazy("Separate several with commas, spaces or line breaks."),
    )
    words = forms.CharField(
        label=gettext_lazy("A line of your own (optional)"), max_length=LONGEST_WORDS, required=False
    )

    def clean_addresses(self) -> list[str]:
        """Each address once, in the order given."""
        addresses = addresses_in(self.cleaned_data["addresses"])
        if not addresses:
            raise forms.ValidationError(gettext_lazy("Please enter at least one email address."))
        if len(addresses) > MOST_ADDRESSES:
            raise forms.ValidationError(gettext("At most %(most)s addresses at once.") % {"most": MOST_ADDRESSES})
        return addresses


def checked_addresses(text: str) -> list[str]:
    """The addresses in a text that was typed. Raises ValidationError with all parts that are none."""
    addresses, wrong = addresses_in(text), []
    for address in addresses:
        try:
            validate_email(address)
        except forms.ValidationError:
            wrong.append(address)
    if wrong:
        raise forms.ValidationError(gettext("Not an email address: %(wrong)s") % {"wrong": ", ".join(wrong)})
    if len(addresses) > MOST_ADDRESSES:
        raise forms.ValidationError(gettext("At most %(most)s addresses at once.") % {"most": MOST_ADDRESSES})
    return addresses


class JoinWishes(TypedDict):
    """The wishes of a person who sits down."""

    entropy: str
    steward_hours: int | None


class JoinForm(forms.Form):
    """Sitting down, with a pinch of chance of one's own."""

    entropy = forms.CharField(
        label=gettext_lazy("Your own words for the shuffle (optional)"),
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "They're mixed into the shuffle, so that nobody, not even this service, could have arranged the game."
        ),
    )
    steward_hours = forms.IntegerField(
        label=gettext_lazy("Play the proposal for me after this many waking hours without an answer (optional)"),
        required=False,
        min_value=1,
        help_text=gettext_lazy(
            "This is your steward. It acts only once everyone else has answered; until then you can still answer "
            "yourself. Nobody else can tell that you have one. You can change it at the table."
        ),
    )

    def wanted(self) -> JoinWishes:
        """Returns the wishes that come with sitting down, by name. Only for a form that is valid."""
        return {"entropy": self.cleaned_data["entropy"], "steward_hours": self.cleaned_data.get("steward_hours")}


BLOCKING = gettext_lazy("Someone you block can no longer invite you, and isn't told.")


def blocking_choice(name: str) -> tuple[str, str]:
    """The answer that declines and blocks who asks."""
    return "block", gettext("No, and block %(name)s") % {"name": names.isolated(name)}


class InvitationForm(JoinForm):
    """The answer to an invitation, by the button that a person pressed."""

    answer = forms.ChoiceField(
        choices=[(answer, answer) for answer in ("join", "decline", "block")],
        error_messages={"required": gettext_lazy("Please choose yes or no.")},
    )
    name = NameField(required=False)
    zone = ZoneField(required=False)

    def __init__(self, data: QueryDict | None = None, *, has_account: bool) -> None:
        super().__init__(data)
        self.needs_name = not has_account
        if has_account:
            del self.fields["name"], self.fields["zone"]

    def clean(self) -> dict[str, object]:
        """A name is needed to sit down, not to decline."""
        data = super().clean() or {}
        if self.needs_name and data.get("answer") == "join" and not data.get("name"):
            self.add_error("name", gettext("Please enter the name the others will see."))
        return data


# Opening a table, and inviting people to it by name.

CLUB, WITH, AGAIN = "club", "with", "again"  # in the address: the club that is chosen at first, and who is ticked
MOST_TICKED = 10


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """Opens a table. Another game than the first is chosen by `?game=`, people to invite by `?with=`, and one of the
    host's own presets by `?preset=`."""
    user = require_user(request)
    presets = hosting.presets_of(user)
    preset = next((row for row in presets if row.ref == request.GET.get("preset")), None)
    rules = find_rules(preset.rules_name if preset else request.GET.get("game"))
    values = hosting.preset_values(preset) if preset else None
    form = NewTableForm(rules, sent(request), _around(request, user), values)
    form.begin_with(request.GET)
    if form.is_valid():
        with refusals_in(form):
            game = lifecycle.open_table(host=user, plan=form.plan(), now=present.now())
            invited = [(person.user.email, person.name) for person in form.chosen_people()]
            _say_open(request, game, invited + [(address, "") for address in form.cleaned_data["addresses"]])
            return redirect("table", ref=game.ref)
    context = {
        "form": form,
        "games": pictured_games(lambda name: _query(request, name)),
        "chosen": rules.name,
        "query": _query(request, rules.name),
        "presets": presets,
        "preset": preset,
    }
    return render(request, "games/tables/new_table.html", context, status=status_of(form))


def _around(request: HttpRequest, user: User) -> Around:
    """The clubs of a person, his friends, and who is named in the address, if he may be invited by name.

    `?again=` names all who have played a game with him.
    """
    refs = [ref.replace("\0", "") for ref in request.GET.getlist(WITH)[:MOST_TICKED]]  # PostgreSQL takes no NUL
    again = fellow_players.of_game(user, request.GET.get(AGAIN, "").replace("\0", ""))
    named = [*again, *(Fellow(person, person.name) for person in fellow_players.invitable(user, refs))]
    fellows = [*(Fellow(friend, friend.name) for friend in friends.friends_of(user)), *reversed(named)]
    people = {fellow.user.pk: fellow for fellow in fellows}
    ticked = [fellow.user.ref for fellow in named]
    return Around(
        clubs=clubs.clubs_of(user),
        people=sorted(people.values(), key=lambda person: (person.user.ref not in ticked, person.name.casefold())),
        club=request.GET.get(CLUB, ""),
        ticked=ticked,
    )


def _query(request: HttpRequest, name: str) -> str:
    """The address of the form for a game, with the same people and club."""
    query = QueryDict(mutable=True)
    query["game"] = name
    query.setlist(WITH, request.GET.getlist(WITH)[:MOST_TICKED])
    for kept in (CLUB, AGAIN):
        if value := request.GET.get(kept):
            query[kept] = value
    return query.urlencode()


def _say_open(request: HttpRequest, game: Game, people: list[tuple[str, str]]) -> None:
    """Invites these people, by address and name ("" if unknown), and says what came of it."""
    count = 0
    for address, name in people:
        try:
            invitations.invite(game_id=game.pk, host=game.host, address=address, name=name, now=present.now())
            count += 1
        except ServiceError as error:
            messages.warning(request, f"{name or address}: {error.message}")
            if isinstance(error, TooMany):
                break
    if count:
        words = ngettext(
            "Your table is open, and %(count)s invitation is on its way.",
            "Your table is open, and %(count)s invitations are on their way.",
            count,
        )
        messages.success(request, words % {"count": count})
    else:
        messages.success(request, _("Your table is open. Invite your friends, or fill it with bots."))
