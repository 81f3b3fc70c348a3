"""Several notices for one person become one mail; none is lost by it, none sent twice under two names."""

import datetime as dt

import pytest

from notifications import composers, outbox
from notifications.channels.base import Answer, ChannelError
from notifications.composers import Topic
from notifications.delivery import sending
from notifications.messages import MailMessage
from notifications.models import Delivery, Notice
from tests.notifications.conftest import Words, replace_sending

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)
NEWS = Topic("news", "News")
NEEDED = Topic("needed", "Needed", is_needed=True)
STORY = Topic("story", "Story", is_alone=True)


class Letters:
    """A mail channel that keeps what it was given: (Message-ID, numbers of the notices in it)."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, list[int]]] = []
        self.errors: list[BaseException] = []

    def send(self, delivery, message):
        if self.errors:
            raise self.errors.pop(0)
        self.sent.append((delivery.message_id, list(map(int, message.text.split()))))
        return Answer()


def together(notices, language):
    return MailMessage("several", " ".join(str(notice.data["n"]) for notice in notices))


class Single(Words):
    def compose(self, notice, language, form):
        super().compose(notice, language, form)
        return MailMessage("one", str(notice.data["n"]))


@pytest.fixture
def letters(monkeypatch, words):
    made = Letters()
    replace_sending(monkeypatch, "mail", made)
    monkeypatch.setattr(composers, "_topics", {})
    monkeypatch.setattr(composers, "_merger", [together])
    composers.register("test", Single(), forms=("letter",), topic=NEWS)
    composers.register("other", Single(), forms=("letter",), topic=NEEDED)
    composers.register("alone", Single(), forms=("letter",))
    composers.register("story", Single(), forms=("letter",), topic=STORY)
    return made


def states():
    return list(Delivery.objects.order_by("pk").values_list("state", flat=True))


def test_what_waits_for_one_person_comes_in_one_mail(tell, anna, ben, letters, drain):
    first = tell(anna).deliveries.get()
    tell(ben)
    tell(anna, kind="other")
    drain()
    assert letters.sent[0] == (first.message_id, [0, 2])
    assert [numbers for _id, numbers in letters.sent] == [[0, 2], [1]]
    assert set(states()) == {"accepted"}
    assert Delivery.objects.filter(leader=first).count() == 1
    assert all(outbox.accepted_at(f"key-{number}") for number in range(3))


def test_what_concerns_an_account_is_never_mixed_with_anything(tell, anna, letters, drain):
    tell(anna)
    tell(anna, kind="alone")
    tell(anna)
    drain()
    assert sorted(numbers for _id, numbers in letters.sent) == [[0, 2], [1]]


def test_what_is_not_due_yet_stays_behind(tell, anna, letters, drain, now):
    tell(anna)
    tell(anna, not_before=now + DAY)
    drain()
    assert [numbers for _id, numbers in letters.sent] == [[0]]
    drain(now + DAY)
    assert [numbers for _id, numbers in letters.sent] == [[0], [1]]


def test_what_is_stale_is_left_out_and_its_reason_kept(tell, anna, letters, drain):
    composers.register("gone", Single(stale="it is over"), forms=("letter",), topic=NEWS)
    tell(anna)
    tell(anna, kind="gone")
    tell(anna)
    drain()
    assert [numbers for _id, numbers in letters.sent] == [[0, 2]]
    assert states() == ["accepted", "stale", "accepted"]


def test_if_the_first_is_stale_the_others_go_without_it_under_a_name_of_their_own(tell, anna, letters, drain):
    composers.register("gone", Single(stale="it is over"), forms=("letter",), topic=NEWS)
    first = tell(anna, kind="gone").deliveries.get()
    second = tell(anna).deliveries.get()
    tell(anna)
    drain()
    assert letters.sent == [(second.message_id, [1, 2])]
    first.refresh_from_db()
    assert (first.state, first.reason) == ("stale", "it is over")


def test_a_mail_that_is_tried_again_is_the_same_mail(tell, anna, letters, drain, now):
    first = tell(anna).deliveries.get()
    tell(anna)
    letters.errors = [ChannelError("busy")]
    drain()
    assert states() == ["waiting", "joined"]
    tell(anna)
    drain()
    assert [numbers for _id, numbers in letters.sent] == [[2]]
    drain(now + DAY)
    assert letters.sent[1] == (first.message_id, [0, 1])
    assert set(states()) == {"accepted"}


def test_what_is_refused_is_refused_for_all_that_was_in_it(tell, anna, letters, drain):
    tell(anna)
    tell(anna)
    letters.errors = [ChannelError("no such mailbox", permanent=True)]
    drain()
    assert states() == ["failed", "failed"]


def test_what_is_given_up_is_given_up_for_all_that_was_in_it(tell, anna, letters, drain, now):
    tell(anna)
    tell(anna)
    letters.errors = [ChannelError("busy") for _ in range(sending.tries_allowed("mail"))]
    for day in range(sending.tries_allowed("mail")):
        drain(now + day * 2 * DAY)
    assert states() == ["quarantined", "quarantined"]


@pytest.mark.parametrize("where", ["put into words", "handed over"])
def test_if_their_one_mail_breaks_each_gets_its_own(tell, anna, letters, drain, now, monkeypatch, caplog, where):
    def breaks(notices, language):
        raise KeyError("words")

    if where == "put into words":
        monkeypatch.setattr(composers, "_merger", [breaks])
    else:
        letters.errors = [KeyError("channel")]
    for _ in range(3):
        tell(anna)
    drain()
    assert sorted(numbers for _id, numbers in letters.sent) == [[1], [2]]
    drain(now + DAY)
    assert sorted(numbers for _id, numbers in letters.sent) == [[0], [1], [2]]
    assert "raised together with 2 others" in caplog.text


def test_one_that_breaks_keeps_no_other_back(tell, anna, letters, drain, now):
    composers.register("poison", Single(error=KeyError("x")), forms=("letter",), topic=NEWS)
    composers.composer_for("poison").is_current = _raise
    tell(anna)
    tell(anna, kind="poison")
    tell(anna)
    drain()
    assert [numbers for _id, numbers in letters.sent] == [[0, 2]]
    for day in range(1, 12):
        drain(now + day * DAY)
    assert states() == ["accepted", "quarantined", "accepted"]


def _raise(notice: Notice) -> str:
    raise KeyError("x")


def test_a_mail_that_kills_its_senders_is_taken_apart(tell, anna, letters, drain, now):
    tell(anna)
    tell(anna)
    for number in range(sending.tries_allowed("mail")):
        letters.errors = [KeyboardInterrupt()]
        with pytest.raises(KeyboardInterrupt):
            drain(now + number * DAY)
    drain(now + 30 * DAY)
    assert states() == ["quarantined", "accepted"]
    assert [numbers for _id, numbers in letters.sent] == [[1]]


@pytest.mark.parametrize("kinds", [("story", "test", "test"), ("test", "story", "test"), ("test", "test", "story")])
def test_what_is_long_goes_out_in_a_mail_of_its_own(letters, tell, anna, drain, kinds):
    for kind in kinds:
        tell(anna, kind=kind)
    drain()
    story = kinds.index("story")
    others = [number for number in range(3) if number != story]
    assert sorted(numbers for _id, numbers in letters.sent) == sorted([[story], others])
