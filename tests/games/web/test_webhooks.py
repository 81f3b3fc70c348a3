"""The pages of webhooks: making, changing, testing, reading what was sent, sending it again."""

import datetime as dt

import pytest
from django.urls import reverse

from games.models import User
from games.tables import webhooks
from games.tournaments.tournaments import open_tournament
from notifications.channels.base import CHANNELS, Answer, ChannelError
from notifications.delivery import sending
from notifications.models import Attempt, Endpoint, Notice
from tests.games.clubs.founding import found
from tests.games.conftest import deliveries
from tests.games.tournaments.conftest import plan
from tests.games.web.filling import soup_of, words

LIST = reverse("webhooks")
URL = "https://hooks.example.org/s3cret-path"
SAVE = {"url": URL, "name": "our channel", "shape": "auto", "events": ["decision.due", "game.over"], "do": "save"}


@pytest.fixture
def made(anna, now) -> Endpoint:
    return webhooks.create(user=anna, wanted=webhooks.WebhookSettings(URL, "our channel"), now=now)


@pytest.fixture
def other_side(monkeypatch):
    """What the other side answers: statuses in turn, then 200."""
    answers = []

    def send(self, delivery, message):
        delivery.body = delivery.body or "{}"
        code = answers.pop(0) if answers else "200"
        if code != "200":
            raise ChannelError(f"it answered {code}", code=code, excerpt="out of <order>")
        return Answer(code, "ok")

    monkeypatch.setattr(type(CHANNELS["webhook"]), "send", send)
    return answers


def page_of(row: Endpoint) -> str:
    return reverse("webhook_page", args=[row.ref])


def press(client, row: Endpoint, button: str, **more):
    return client.post(page_of(row), {"do": button, **more}, follow=True)


def drain(now) -> None:
    while sending.deliver(now, 1):
        pass


@pytest.mark.slow
def test_a_webhook_is_made_and_its_secret_and_address_are_shown_once_or_never(member, anna):
    answer = member.post(LIST, SAVE)
    row = Endpoint.objects.get(recipient=anna.recipient)
    assert (row.url, row.name, row.shape, row.thread) == (URL, "our channel", "standard", "")
    assert webhooks.events_of(row) == ["decision.due", "game.over"]
    assert row.secret in words(answer)
    for again in (member.get(page_of(row)), member.get(LIST), member.get(reverse("settings"))):
        page = again.content.decode()
        assert row.secret not in page and "s3cret-path" not in page
    assert "our channel" in words(member.get(LIST))


def test_an_untouched_form_asks_for_an_address_and_offers_everything(member):
    ticked = soup_of(member.get(LIST)).select("input[name=events][checked]")
    assert len(ticked) == 13
    assert member.post(LIST, {}).status_code == 422 and not Endpoint.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "http://hooks.example.org/",
        "https://user:pw@example.org/",
        "https://example.org:22/",
        "ftp://e.org/",
    ],
)
def test_an_address_we_would_never_call_is_refused(member, url):
    response = member.post(LIST, SAVE | {"url": url})
    assert response.status_code == 422 and soup_of(response).select_one("#id_url_error")
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("change", [{"shape": "teams"}, {"events": []}, {"events": ["game.burnt"]}, {"name": "x" * 61}])
def test_what_is_wrong_is_said_and_nothing_is_made(member, change):
    assert member.post(LIST, SAVE | change).status_code == 422
    assert not Endpoint.objects.exists()


def test_no_more_than_ten(member, anna, now):
    for _ in range(webhooks.MOST):
        webhooks.create(user=anna, wanted=webhooks.WebhookSettings(URL), now=now)
    assert member.post(LIST, SAVE).status_code == 409
    assert Endpoint.objects.count() == webhooks.MOST


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("https://discord.com/api/webhooks/1/abc", "discord"),
        ("https://ptb.discord.com/api/webhooks/1/abc", "discord"),
        ("https://discord.com/api/webhooks/1/abc/slack", "slack"),
        ("https://hooks.slack.com/services/T0/B0/xyz", "slack"),
        ("https://discord.com.example.org/api/webhooks/1/abc", "standard"),
        ("https://example.org/hooks.slack.com", "standard"),
    ],
)
def test_the_address_tells_the_shape(member, url, shape):
    member.post(LIST, SAVE | {"url": url})
    assert Endpoint.objects.get().shape == shape


@pytest.mark.slow
def test_a_change_keeps_the_address_and_a_new_address_switches_it_on(member, made, now):
    press(member, made, "off")
    member.post(page_of(made), SAVE | {"url": "", "name": "new name", "shape": "slack"})
    made.refresh_from_db()
    assert (made.url, made.name, made.shape) == (URL, "new name", "slack")
    press(member, made, "off")
    member.post(page_of(made), SAVE | {"url": "https://hooks.example.org/y"})
    made.refresh_from_db()
    assert made.url == "https://hooks.example.org/y" and made.is_enabled and made.target


def test_a_new_secret_is_shown_once_and_the_former_signs_for_a_day(member, made, now):
    page = words(press(member, made, "renew"))
    fresh = Endpoint.objects.get()
    assert fresh.secret != made.secret and fresh.secret in page and fresh.old_secret == made.secret


@pytest.mark.slow
def test_a_test_goes_out_and_stands_in_the_log(member, made, other_side, now):
    assert "A test is on its way." in words(press(member, made, "ping"))
    assert "wait a moment" in words(press(member, made, "ping"))
    drain(Notice.objects.get().created_at)
    page = words(member.get(page_of(made)))
    assert "ping" in page and "200" in page and "Was sent" in page and "ok" in page
    assert [row.channel for row in deliveries().all()] == ["webhook"]


@pytest.mark.slow
def test_the_log_shows_every_try_and_sends_again_under_the_same_id(member, made, other_side):
    other_side[:] = ["500"]
    press(member, made, "ping")
    at = Notice.objects.get().created_at
    drain(at)
    assert "Not accepting messages since" in words(member.get(page_of(made)))
    drain(at + dt.timedelta(minutes=1))
    page = member.get(page_of(made))
    assert "2 attempts" in words(page) and "500" in words(page) and "out of &lt;order&gt;" in page.content.decode()
    assert "Not accepting messages since" not in words(page)
    sent = deliveries().get()
    assert "with the same id" in words(press(member, made, "again", message=sent.message_id))
    drain(deliveries().get().attempt_after)
    assert deliveries().get().message_id == sent.message_id and Attempt.objects.count() == 3
    assert deliveries().get().accepted_at == sent.accepted_at


@pytest.mark.slow
def test_what_is_on_its_way_or_anothers_is_not_sent_again(member, made, anna, ben, now):
    press(member, made, "ping")
    waiting = deliveries().get()
    assert "can't be sent again" in words(press(member, made, "again", message=waiting.message_id))
    other = webhooks.create(user=ben, wanted=webhooks.WebhookSettings(URL), now=now)
    webhooks.ping(endpoint=other, now=now)
    deliveries().update(state="accepted", attempt_after=None)
    his = deliveries().get(endpoint=other)
    assert press(member, made, "again", message=his.message_id).status_code == 404
    assert deliveries().get(endpoint=other).attempt_after is None


@pytest.mark.slow
def test_off_and_on(member, made):
    assert "Switched off" in words(press(member, made, "off"))
    assert "you switched it off" in words(member.get(page_of(made)))
    assert "Turn it on first" in words(press(member, made, "ping"))
    assert not Notice.objects.filter(kind="webhook_off").exists(), "he knows"
    assert "Working" in words(press(member, made, "on"))
    assert Endpoint.objects.get().is_enabled


def test_it_is_removed(member, made):
    press(member, made, "remove")
    assert not Endpoint.objects.exists()


@pytest.mark.parametrize("button", ["", "explode", "save", "renew", "ping", "off", "on", "again", "remove"])
def test_anothers_webhook_is_a_404(member, ben, now, button):
    row = webhooks.create(user=ben, wanted=webhooks.WebhookSettings(URL), now=now)
    assert member.get(page_of(row)).status_code == 404
    assert member.post(page_of(row), {"do": button}).status_code == 404
    row.refresh_from_db()
    assert row.is_enabled and row.old_secret == ""


def test_an_unknown_button_is_a_404(member, made):
    assert press(member, made, "explode").status_code == 404


# Of a table


@pytest.mark.slow
def test_the_host_gives_his_table_a_webhook_and_nobody_else_does(client, table, anna, ben):
    address = reverse("table_webhooks", args=[table.ref])
    client.force_login(ben)
    assert client.post(address, SAVE).status_code == 404
    client.force_login(anna)
    assert (
        client.get(address).status_code == 200
        and f'href="{address}"' in client.get(f"/table/{table.ref}/").content.decode()
    )
    client.post(address, SAVE)
    row = Endpoint.objects.get()
    assert (row.recipient, row.thread) == (anna.recipient, f"game:{table.ref}")
    assert table.title in words(client.get(LIST)) and table.title in words(client.get(page_of(row)))
    assert "our channel" in words(client.get(address))


def test_a_player_who_is_no_host_gets_a_404(client, game, ben: User):
    client.force_login(ben)
    address = reverse("table_webhooks", args=[game.ref])
    assert client.get(address).status_code == 404
    assert address not in client.get(f"/table/{game.ref}/").content.decode()


# Of a club, and of a tournament


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["club", "tournament"])
def test_the_owner_of_a_club_and_the_host_of_a_tournament_give_it_webhooks_and_nobody_else_does(
    client, anna, ben, now, kind
):
    thing = found(anna, ben) if kind == "club" else open_tournament(host=anna, plan=plan(now), now=now)
    address, page = reverse(f"{kind}_webhooks", args=[thing.ref]), reverse(kind, args=[thing.ref])
    client.force_login(ben)
    assert client.post(address, SAVE).status_code == 403 and not Endpoint.objects.exists()
    assert address not in client.get(page).content.decode()
    client.force_login(anna)
    assert f'href="{address}"' in client.get(page).content.decode()
    assert client.post(address, SAVE | {"url": "https://10.0.0.1/"}).status_code == 422
    client.post(address, SAVE)
    row = Endpoint.objects.get()
    title = thing.name if kind == "club" else thing.title
    assert row.thread == f"{kind}:{thing.ref}" and title in words(client.get(LIST))
    shown = client.get(page_of(row))
    assert title in words(shown) and f"Webhooks of this {kind}" in words(shown)
    assert "our channel" in words(client.get(address))
    press(client, row, "ping")
    assert Notice.objects.get().kind == "ping"
    assert client.post(page_of(row), {"do": "remove"}).url == address
    assert client.get(reverse(f"{kind}_webhooks", args=["nothing12345"])).status_code == 404
