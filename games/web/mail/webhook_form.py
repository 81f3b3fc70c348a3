"""The form of a webhook."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.letters.kinds.webhooks import event_choices
from games.people import webhooks
from games.people.webhooks import WebhookSettings
from notifications.channels.webhook.endpoints import NAME_LENGTH
from notifications.models import Endpoint


class WebhookForm(forms.Form):
    """Where notices go, in which shape, and which."""

    url = forms.URLField(
        label=_("Address"),
        max_length=webhooks.LONGEST_ADDRESS,
        assume_scheme="https",
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Starts with https://. We store it encrypted and don't show it again."),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("To help you recognise it, such as “our channel”."),
    )
    shape = forms.ChoiceField(
        label=_("Format"),
        choices=webhooks.shapes,
        widget=forms.RadioSelect,
        initial=webhooks.AUTO,
        help_text=_("Discord and Slack addresses are detected automatically."),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=event_choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one event, or delete the webhook.")},
    )

    def __init__(self, data: QueryDict | None = None, *, endpoint: Endpoint | None = None) -> None:
        """The form of a webhook, or of a new one."""
        super().__init__(data, initial=initial_of(endpoint))
        if endpoint is not None:
            self.fields["url"].required = False
            self.fields["url"].label = _("New address")
            self.fields["url"].help_text = _("Leave empty to keep the current one.")

    def clean_url(self) -> str:
        """The address, if anything would ever be sent to it."""
        url: str = self.cleaned_data["url"]
        if url and (words := webhooks.why_not(url)):
            raise forms.ValidationError(words)
        return url

    def to_settings(self) -> WebhookSettings:
        """The webhook as it was filled in. Only for a form that is valid."""
        data = self.cleaned_data
        is_all = len(data["events"]) == len(event_choices())
        return WebhookSettings(data["url"], data["name"], data["shape"], None if is_all else data["events"])


def initial_of(endpoint: Endpoint | None) -> dict[str, object]:
    """The form as it is filled in now; everything is wanted of a new one."""
    if endpoint is None:
        return {"shape": webhooks.AUTO, "events": [event for event, _label in event_choices()]}
    return {"name": endpoint.name, "shape": endpoint.shape, "events": webhooks.events_of(endpoint)}
