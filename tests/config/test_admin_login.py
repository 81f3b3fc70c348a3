"""The admin site has no sign-in page of its own: there passwords could be guessed at without end."""

import pytest
from django.test import Client
from django.urls import reverse

from games.models import User


@pytest.mark.parametrize("password", ["right password", "wrong password"])
def test_a_password_at_the_admin_site_signs_nobody_in(client: Client, db: None, password: str) -> None:
    User.objects.create_superuser("anna@example.org", "right password")
    path = reverse("admin:login")
    answer = client.post(path, {"username": "anna@example.org", "password": password})
    assert answer.status_code == 302 and reverse("account_request_login_code") in answer["Location"]
    assert client.get(reverse("admin:index")).status_code == 302


def test_who_is_signed_in_but_no_staff_is_refused(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("ben@example.org"))
    assert client.get(reverse("admin:index"), follow=True).status_code == 403
