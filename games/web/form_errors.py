"""What a service refuses is shown in the form that asked for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from django.forms import Form, ValidationError
from django.http import HttpRequest, QueryDict

from games.errors import ServiceError


class ServiceRefusal(ValidationError):
    """An error in a form that comes from a service; the page that shows it has the service's status."""

    def __init__(self, error: ServiceError) -> None:
        super().__init__(error.message, code=error.code)
        self.status = error.status


def sent(request: HttpRequest) -> QueryDict | None:
    """Returns what a form is bound to: the data of a POST, None for a page that is only looked at."""
    return request.POST if request.method == "POST" else None


@contextmanager
def refusals_in(form: Form, field: str | None = None) -> Iterator[None]:
    """Ends the block at a ServiceError, and shows its message in the form: beside a field, or above all of them."""
    try:
        yield
    except ServiceError as error:
        form.add_error(field, ServiceRefusal(error))


def status_of(form: Form) -> int:
    """Returns the status of a page that shows a form: that of a refusal, 422 for other errors, 200 without any."""
    errors = [error for found in form.errors.as_data().values() for error in found]
    refused = (error.status for error in errors if isinstance(error, ServiceRefusal))
    return next(refused, HTTPStatus.UNPROCESSABLE_ENTITY.value) if errors else HTTPStatus.OK.value
