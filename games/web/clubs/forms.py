"""Forms about friends and clubs."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.clubs.models import LONGEST_ABOUT, LONGEST_NAME
from games.moderation.models import Report
from games.people.models import User
from games.web.forms import NameField, ZoneField
from games.web.opening import BLOCKING, MOST_ADDRESSES, addresses_in, blocking_choice


class ClubForm(forms.Form):
    """Name and description of a club."""

    name = forms.CharField(label=_("Name of the club"), max_length=LONGEST_NAME)
    about = forms.CharField(
        label=_("About the club (optional)"),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Members and people who are invited see it."),
    )


class ClubInviteForm(forms.Form):
    """Invites people to a club: friends by name, others by address."""

    friends = forms.MultipleChoiceField(label=_("Your friends"), required=False, widget=forms.CheckboxSelectMultiple)
    addresses = forms.CharField(
        label=_("Email addresses"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off", "placeholder": "ben@example.org"}),
        help_text=_("Separate several with commas, spaces or line breaks."),
    )

    def __init__(self, friends: list[User], data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.by_ref = {friend.ref: friend for friend in friends}
        field = self.fields["friends"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(friend.ref, friend.name) for friend in friends]
        if not friends:
            del self.fields["friends"]

    def clean_addresses(self) -> list[str]:
        """Each address once, in the order given."""
        addresses = addresses_in(self.cleaned_data["addresses"])
        if len(addresses) > MOST_ADDRESSES:
            raise forms.ValidationError(gettext("At most %(most)s addresses at once.") % {"most": MOST_ADDRESSES})
        return addresses

    def clean(self) -> dict[str, object]:
        """Somebody is to be invited."""
        data = super().clean() or {}
        if not self.errors and not (data["addresses"] or data.get("friends")):
            raise forms.ValidationError(gettext("Tick a friend, or enter an email address."))
        return data

    def people(self) -> list[tuple[str, str]]:
        """(address, name to show) of each; the name of an address that was typed is "". Only for a valid form."""
        chosen = [self.by_ref[ref] for ref in self.cleaned_data.get("friends", [])]
        people = [(friend.email, friend.name) for friend in chosen]
        return people + [(address, "") for address in self.cleaned_data["addresses"]]


class ConsentForm(forms.Form):
    """Yes or no to a request in an email. Nothing is chosen beforehand: programs that examine mails press buttons."""

    answer = forms.ChoiceField(
        label=_("Your answer"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Please choose yes or no.")},
    )
    name = NameField(required=False)
    zone = ZoneField(required=False)

    def __init__(self, data: QueryDict | None = None, *, asker: str, needs_name: bool = False) -> None:
        super().__init__(data)
        self.needs_name = needs_name
        answer = self.fields["answer"]
        assert isinstance(answer, forms.ChoiceField)
        answer.choices = [("yes", _("Yes")), ("no", _("No, thanks")), blocking_choice(asker)]
        answer.help_text = BLOCKING
        if not needs_name:
            del self.fields["name"], self.fields["zone"]

    def clean(self) -> dict[str, object]:
        """A name is needed to join, not to decline."""
        data = super().clean() or {}
        if self.needs_name and data.get("answer") == "yes" and not data.get("name"):
            self.add_error("name", gettext("Please enter the name the others will see."))
        return data


class ClubReportForm(forms.Form):
    """The report of a member to the moderators."""

    text = forms.CharField(label=_("What happened"), max_length=Report.TEXT_LENGTH, widget=forms.Textarea({"rows": 4}))
