"""Confirming that a person pressed a button of a page behind a link in an email.

Programs that examine emails open such a page, run its scripts and press its buttons. Where the browser is not known as
its person's, the server acts on one of two things that they do not send:

* A proof. `confirming.js` writes it when a button was held for 0.6 seconds, or when a second button was pressed that
  appeared elsewhere after the first. It counts only events of the browser itself (`isTrusted`) that last as long as a
  finger, a key or a moving hand makes them: programs press for no time at all. The proof is computed from the page's
  challenge, which is signed and tells when it was made, so that none is older than the page or younger than the press.
* A choice. Any other request, without scripts or by assistive technology, gets one more page that asks who is there.
  Its first and its last answer change nothing, and none is chosen beforehand.

A page includes `games/parts/confirming.html` in its form ({% include %}, or {% part %} in a template of Django's), and
its view asks `is_confirmed` before it acts and otherwise returns `choice_page`.
"""

import re
from http import HTTPStatus

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import get_random_string

from notifications.clock import present

CHALLENGE, PROOF, CHOICE = "challenge", "proof", "person"  # fields of the form
REMEMBER = "mine"  # the field by which somebody asks that the browser be remembered
ME = "me"
SHORTEST_HOLD = 600  # milliseconds
SHORTEST_PAUSE = 250  # milliseconds between a button's appearance and the press on it
KEPT_FOR = 12 * 3600 * 1000  # milliseconds; a page that was open for longer asks who is there
SHORTEST = {"hold": SHORTEST_HOLD, "twice": SHORTEST_PAUSE}
SIGNER = signing.Signer(sep=".", salt="notifications.confirming")
PROOF_FORM = re.compile(r"(hold|twice)\.([0-9]{1,9})\.([0-9a-f]{1,8})", re.ASCII)


def new_challenge() -> str:
    """Returns a page's challenge, from which its proof is computed."""
    return SIGNER.sign(f"{get_random_string(12)}-{_milliseconds()}")


def is_confirmed(request: HttpRequest) -> bool:
    """Whether a person pressed the button by which this form was sent."""
    age = _age(request.POST.get(CHALLENGE, ""))
    if age is None:
        return False
    if request.POST.get(CHOICE) == ME:
        return True
    match = PROOF_FORM.fullmatch(request.POST.get(PROOF, ""))
    if match is None:
        return False
    kind, length, checksum = match[1], int(match[2]), match[3]
    is_long_enough = SHORTEST[kind] <= length <= age
    return is_long_enough and checksum == _checksum(f"{request.POST[CHALLENGE]}.{kind}.{length}")


def choice_page(request: HttpRequest, name: str = "") -> HttpResponse:
    """The page that asks who is there, with all that was posted in hidden fields.

    Arguments:
        name: of the person who may act; "" if unknown.
    """
    own = (CHALLENGE, PROOF, CHOICE, "csrfmiddlewaretoken")
    fields = [(key, value) for key, values in request.POST.lists() if key not in own for value in values]
    answer, is_asked = request.POST.get(CHOICE, ""), CHOICE in request.POST or "asked" in request.POST
    context = {
        "name": name,
        "fields": [field for field in fields if field[0] != "asked"],
        "challenge": new_challenge(),
        "has_token": "csrfmiddlewaretoken" in request.POST,
        "is_someone_else": answer not in ("", ME),
        "is_missing": is_asked and not answer,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if context["is_missing"] else HTTPStatus.OK
    return render(request, "notifications/who_is_there.html", context, status=status)


def _age(challenge: str) -> int | None:
    """Milliseconds since a challenge was made; None if it is not ours or too old."""
    try:
        made_at = int(SIGNER.unsign(challenge).rpartition("-")[2])
    except signing.BadSignature:
        return None
    age = _milliseconds() - made_at
    return age if 0 <= age <= KEPT_FOR else None


def _milliseconds() -> int:
    return int(
        present.host().timestamp() * 1000
    )  # a press takes as long as it takes, whatever a simulation's clock says


def _checksum(text: str) -> str:
    """FNV-1a in 32 bits, as confirming.js computes it: who sends it has run the page's script."""
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return f"{value:x}"
