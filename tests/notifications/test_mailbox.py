"""The development mailbox: keeps what would have been sent, shows it, and is not there where people really play."""

import datetime as dt

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection
from django.urls import reverse

from notifications.channels.mail.mailbox import MailboxBackend, framed
from notifications.models import StoredMail

pytestmark = pytest.mark.django_db
WRONG = "/mailbox/999999/"


@pytest.fixture
def store(settings, now):
    settings.MAILBOX_ENABLED = True

    def store(to="anna@example.org", subject="Your turn", html="<p>Hello</p>", age=0):
        stored = StoredMail.objects.create(
            to=to, subject=subject, text="Hello\nhttps://example.org/x", html=html, headers={"Message-ID": "<1@x>"}
        )
        StoredMail.objects.filter(pk=stored.pk).update(sent_at=now - dt.timedelta(hours=age))
        return stored

    return store


def test_the_backend_stores_every_mail_once_per_recipient():
    mail = EmailMultiAlternatives("S", "T", to=["Anna <anna@example.org>", "ben@example.org"], headers={"X-A": "1"})
    mail.attach_alternative("<p>H</p>", "text/html")
    plain = EmailMultiAlternatives("P", "Q", to=["carla@example.org"])
    with get_connection("notifications.channels.mail.mailbox.MailboxBackend") as backend:
        assert isinstance(backend, MailboxBackend)
        assert backend.send_messages([mail, plain]) == 2
    assert list(StoredMail.objects.order_by("pk").values_list("to", "subject", "text", "html")) == [
        ("Anna <anna@example.org>", "S", "T", "<p>H</p>"),
        ("ben@example.org", "S", "T", "<p>H</p>"),
        ("carla@example.org", "P", "Q", ""),
    ]
    assert StoredMail.objects.first().headers["X-A"] == "1"


def test_a_delivery_ends_in_the_mailbox(settings, tell, anna, drain):
    settings.EMAIL_BACKEND = "notifications.channels.mail.mailbox.MailboxBackend"
    notice = tell(anna)
    drain()
    stored = StoredMail.objects.get()
    assert stored.to == "Anna <anna@example.org>" and stored.headers["Message-ID"] == notice.deliveries.get().message_id
    assert notice.deliveries.get().state == "accepted"


@pytest.mark.parametrize("path", ["/mailbox/", "/mailbox/{pk}/"])
def test_where_people_really_play_there_is_no_mailbox(client, store, settings, path):
    path = path.format(pk=store().pk)
    assert client.get(path).status_code == 200
    settings.MAILBOX_ENABLED = False
    assert client.get(path).status_code == 404


def test_the_list_is_newest_first_and_can_be_searched(client, store):
    store(subject="Older", age=2)
    store(subject="Newer", age=1)
    store(subject="Bens", to="ben@example.org", age=3)
    page = client.get(reverse("mailbox")).content.decode()
    assert page.index("Newer") < page.index("Older") < page.index("Bens")
    page = client.get(reverse("mailbox"), {"q": "BEN@"}).content.decode()
    assert "Bens" in page and "Older" not in page
    assert "There are no emails." in client.get(reverse("mailbox"), {"q": "carla"}).content.decode()


def test_a_long_list_has_pages_that_keep_the_search(client, store):
    for number in range(51):
        store(subject=f"Mail-{number}.", age=number)
    first = client.get(reverse("mailbox"), {"q": "anna"}).content.decode()
    assert "Mail-49." in first and "Mail-50." not in first and "?q=anna&amp;page=2" in first
    assert "Mail-50." in client.get(reverse("mailbox"), {"q": "anna", "page": "2"}).content.decode()
    assert client.get(reverse("mailbox"), {"page": "nonsense"}).status_code == 200


def test_a_mail_is_shown_as_html_as_text_and_with_its_headers(client, store):
    path = reverse("mailbox_mail", args=[store().pk])
    assert "srcdoc=" in client.get(path).content.decode()
    text = client.get(path, {"show": "text"}).content.decode()
    assert "Hello\n" in text and 'href="https://example.org/x"' in text and "srcdoc" not in text
    assert "&lt;1@x&gt;" in client.get(path, {"show": "headers"}).content.decode()


def test_a_mail_without_html_is_shown_as_text(client, store):
    page = client.get(reverse("mailbox_mail", args=[store(html="").pk]), {"show": "html"}).content.decode()
    assert "srcdoc" not in page and "Hello" in page


def test_a_mail_is_locked_in_its_frame_and_its_links_leave_it(client, store):
    html = (
        '<html><head lang="en"><title>x</title></head><body><script>alert(1)</script><a href="/x">x</a></body></html>'
    )
    response = client.get(reverse("mailbox_mail", args=[store(html=html, subject="<script>alert(2)</script>").pk]))
    page = response.content.decode()
    assert "<script>alert" not in page
    sandbox = page.split('sandbox="', 1)[1].split('"', 1)[0].split()
    assert "allow-scripts" not in sandbox and "allow-same-origin" not in sandbox
    assert "allow-top-navigation-by-user-activation" in sandbox
    assert response.shows_mail is True


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>x</p>", '<base target="_top"><p>x</p>'),
        ("<html><HEAD></head>", '<html><HEAD><base target="_top"></head>'),
        ('<head class="a">x', '<head class="a"><base target="_top">x'),
        ("<header>x</header>", '<base target="_top"><header>x</header>'),
    ],
)
def test_links_of_a_framed_mail_open_outside(html, expected):
    assert framed(html) == expected


def test_there_is_nothing_where_there_is_no_mail(client, store):
    assert client.get(WRONG).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_mailbox_only_shows(client, store, method):
    path = reverse("mailbox_mail", args=[store().pk])
    assert getattr(client, method)(path).status_code == 405
    assert StoredMail.objects.count() == 1
