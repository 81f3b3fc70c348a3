"""What a service refuses, in the form that asked for it."""

from django import forms

from games.errors import Conflict
from games.web.forms import refusals_in, status_of


class Form(forms.Form):
    name = forms.CharField()


def refuse() -> None:
    raise Conflict("There is an Anna.")


def refused(field: str | None) -> Form:
    form = Form({"name": "Anna"})
    with refusals_in(form, field):
        refuse()
    return form


def test_a_refusal_is_shown_beside_its_field_with_the_status_of_the_service() -> None:
    form = refused("name")
    assert form.errors["name"] == ["There is an Anna."] and status_of(form) == Conflict.status


def test_a_refusal_without_a_field_is_shown_above_the_form() -> None:
    form = refused(None)
    assert form.non_field_errors() == ["There is an Anna."] and status_of(form) == Conflict.status


def test_what_is_filled_in_wrongly_is_422_and_what_is_only_looked_at_200() -> None:
    assert [status_of(form) for form in (Form({"name": ""}), Form({"name": "Anna"}), Form())] == [422, 200, 200]
