"""No mail that is taken costs more than 2 s of processor time and 64 MB: the kernel itself keeps the count.

The reader runs in a child of its own with those limits. Whoever passes one is killed (SIGXCPU) or gets no memory.
"""

import contextlib
import os
import resource
import signal

import pytest

from notifications.inbound import bounce_reports, parsing, raw
from tests.notifications.hostile import hostile

pytestmark = pytest.mark.slow

SECONDS, MEMORY = 2, 64 * 1024 * 1024
CORPUS = list(hostile())
READ, BROKEN, NO_MEMORY = range(3)


@pytest.fixture(autouse=True)
def believed(settings):
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    settings.REPLY_ADDRESS = "reply+{token}@example.org"
    parsing.parse_mail(b"From: a@b.org\r\n\r\n9 crowns\r\n")  # what is imported late is not the mail's cost


def in_a_child(work):
    """Do it within the limits; returns its exit status, or minus the signal that ended it."""
    pid = os.fork()
    if pid == 0:
        status = BROKEN
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))  # of this child alone: it begins at nothing
            used = _address_space()
            resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
            status = work()
        except MemoryError:
            status = NO_MEMORY
        finally:
            os._exit(status)
    _pid, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def _address_space() -> int:
    with open("/proc/self/statm") as file:  # noqa: PTH123  # nothing is imported in a child
        return int(file.read().split()[0]) * resource.getpagesize()


def read(content):
    """In a child."""

    def work():
        for reader in (parsing.parse_mail, bounce_reports.parse_report):  # at whichever of our addresses it arrives
            with contextlib.suppress(raw.MailRefused):
                reader(content)
        return READ

    return in_a_child(work)


@pytest.mark.parametrize(("name", "content"), CORPUS, ids=[name for name, _content in CORPUS])
def test_a_hostile_mail_is_read_or_refused_within_its_bounds(name, content):
    assert len(content) <= raw.LARGEST
    assert read(content) == READ


def test_who_would_pass_the_bounds_is_stopped():
    """The tests above could fail."""

    def busy():
        while True:
            pass

    assert in_a_child(busy) in (-signal.SIGXCPU, -signal.SIGKILL)
    assert in_a_child(lambda: len(bytearray(2 * MEMORY)) and READ) == NO_MEMORY


@pytest.mark.parametrize(
    ("body", "is_taken"),
    [
        (b"--x\r\nContent-Type: image/jpeg\r\n\r\n" + b"QUJD" * 18 + b"\r\n", True),
        (b"QUJD" * 18 + b"\r\n", True), (b"x" * 70_000, True), (b"<p>x</p>\r\n", False),
    ],
)  # fmt: skip
def test_a_mail_of_the_largest_size_is_read_within_the_same_memory(body, is_taken):
    head = b'From: a@b.org\r\nContent-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\n9 crowns\r\n\r\n'

    def work():
        reducer = raw.Reducer()
        try:
            for line in [*head.splitlines(keepends=True), *body.splitlines(keepends=True)[:3]]:
                reducer.feed(line)
            last = body.splitlines(keepends=True)[-1]
            for _ in range((raw.LARGEST - len(head) - len(body)) // len(last)):
                reducer.feed(last)
        except raw.MailTooLarge:
            return READ if not is_taken else BROKEN
        return READ if is_taken and parsing.parse_mail(reducer.close()).line == "9 crowns" else BROKEN

    assert in_a_child(work) == READ


def test_what_is_larger_is_refused(monkeypatch):
    with pytest.raises(raw.MailTooLarge, match="larger than 25 MB"):
        parsing.parse_mail(b"From: a@b.org\r\n\r\n" + b"x" * raw.LARGEST)
