"""Every kind of mail, in both languages, from a sample game that leaves nothing behind."""

import pytest
from django.urls import reverse

from games.letters import NAMES
from games.letters.samples import KINDS, sample
from games.models import Game, Move, User
from notifications.models import Notice

PAGE = reverse("samples")
BY_WEBHOOK = {"ping"}


def test_every_kind_of_mail_has_a_sample():
    assert set(KINDS) - {"together", "cancelled"} == set(NAMES) - BY_WEBHOOK


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_is_whole_in_another_language_and_leaves_nothing(kind):
    made = sample(kind, "es")
    assert made.text.strip() and "<h1>" in made.html and '<html lang="es">' in made.html
    size = len(made.html.encode()) + len(made.text.encode()) + sum(len(one.png) * 4 // 3 for one in made.pictures)
    assert size < 95_000
    assert not (User.objects.exists() or Game.objects.exists() or Move.objects.exists() or Notice.objects.exists())


@pytest.mark.django_db
def test_the_page_shows_one_and_refuses_what_there_is_not(client, settings):
    response = client.get(PAGE, {"kind": "due", "language": "es"})
    assert response.status_code == 200 and "Te toca" in response.content.decode()
    assert (
        client.get(PAGE, {"kind": "due", "only": "html"}).headers["Content-Security-Policy"].startswith("default-src")
    )
    for wrong in ({"kind": "x"}, {"language": "xx"}, {"rules": "chess"}):
        assert client.get(PAGE, wrong).status_code == 404
    settings.MAILBOX_ENABLED = False
    assert client.get(PAGE).status_code == 404
