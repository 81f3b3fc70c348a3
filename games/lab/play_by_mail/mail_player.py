"""A seeded person who plays by mail: reads what arrives, follows links, fills in forms, sometimes lets things pass."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from random import Random

from games.lab.play_by_mail import misuse
from games.lab.play_by_mail.answer_form import AnswerForm, find_answer_form, find_extra_form, find_extra_link
from games.lab.play_by_mail.browser import Browser, Page
from games.lab.play_by_mail.received_email import ACT, BACK, Link, ReceivedEmail
from games.lab.play_by_mail.record import RunFailed, RunRecord

CARELESS = 0.3  # how often the first try pays no heed to what the rules want
MOST_REFUSALS = 8  # then the form cannot be filled in
LONGER_AWAY = 0.15  # of those who miss one question, how many miss the next three as well
AWAY_FOR = 3  # questions
ANSWERS_WHEN_EXCUSED = 0.5
UNASKED = 0.1  # how often people do what they may do unasked, when a page offers it

Later = Callable[[float, Callable[[], None]], None]  # (seconds, what to do then)


class MailPlayer:
    """Somebody at the table.

    Arguments:
        seed: everything this person decides is drawn from it.
        miss: how often a question is let pass on purpose, 0 to 1.
        naughty: how often something is tried that must not work, 0 to 1.
        later: how the person puts something off.
    """

    def __init__(
        self, name: str, address: str, *, seed: str, miss: float, naughty: float, record: RunRecord, later: Later
    ) -> None:
        self.name = name
        self.address = address
        self.browser = Browser()
        self.dice = Random(f"{seed}:{name}")  # noqa: S311  plain dice: what people do must be repeatable
        self.record = record
        self.is_over = False  # the game, as far as this person was told
        self.emails = 0
        self.commitment = ""
        self.spent: list[Link] = []
        self._miss, self._naughty, self._later = miss, naughty, later
        self._away_for = 0
        self._rolled: set[str] = set()

    def read(self, email: ReceivedEmail) -> None:
        """Do what an email of a game that runs asks for. Raises PageFault or RunFailed."""
        self.emails += 1
        self._compare_parts(email)
        self._read_promise(email)
        for link in email.links_to(BACK):
            self._later(self.dice.uniform(0.5, 4.0), partial(self._come_back, link))
        for link in email.links_to(ACT):
            self._read_question(link)

    def _compare_parts(self, email: ReceivedEmail) -> None:
        same = {link.url for link in email.doors} == {link.url for link in email.html_doors}
        self.record.expect(same, f"{email.subject!r}: the links of text and HTML differ")

    def _read_promise(self, email: ReceivedEmail) -> None:
        """The first hash is the table's commitment; the email that shows what it was made of ends the game.

        The email with the commitment may have been joined to another, which says it shorter: then the pair must do.
        """
        if any(misuse.is_kept(value, email.hashes) for value in email.hashes):
            self.is_over = True
            is_promised = not self.commitment or self.commitment in email.hashes
            self.record.expect(is_promised, "the seed is not what was promised")
        elif not self.commitment and email.hashes:
            self.commitment = min(email.hashes)

    def _read_question(self, link: Link) -> None:
        if link.about in self.record.answered:  # what was closed too early may be asked again
            return
        if not self._lets_pass(link.about):
            self._answer(link)

    def _lets_pass(self, about: str) -> bool:
        """Whether this question gets no answer. Asked about it once more, one may think again."""
        if about in self._rolled:
            passes = self.dice.random() >= ANSWERS_WHEN_EXCUSED
        elif self._away_for:
            self._away_for -= 1
            passes = True
        else:
            passes = self.dice.random() < self._miss / (1 + LONGER_AWAY * AWAY_FOR)
            self._away_for = AWAY_FOR if passes and self.dice.random() < LONGER_AWAY else 0
        self._rolled.add(about)
        (self.record.missed.add if passes else self.record.missed.discard)(about)
        return passes

    def _answer(self, link: Link) -> None:
        trick = misuse.draw(self.dice, self._naughty)
        misuse.try_before(trick, self, link)
        page = self.browser.get(link.url)
        form = find_answer_form(page)
        if page.status != HTTPStatus.OK or form is None:
            self._note_late(link, page)
            return
        misuse.try_with_form(trick, self, form)
        if self._acts_unasked(page):  # that goes first; the question is asked again, unless its time was up meanwhile
            self.record.late.add(link.about)
            self._rolled.discard(link.about)
            return
        data = self._post(link, form)
        if data is not None:
            self.spent.append(link)
            misuse.try_after(trick, self, link, form.form.url, data)

    def _acts_unasked(self, page: Page) -> bool:
        """Do what may be done unasked, if the page offers it and one feels like it; whether it was done."""
        url = find_extra_link(page)
        if not url or self.dice.random() >= UNASKED:
            return False
        form = find_extra_form(self.browser.get(url))
        for _attempt in range(MOST_REFUSALS if form else 0):
            assert form is not None
            answer = self.browser.post(form.form.url, form.fill(self.dice, careful=True))
            if answer.status != HTTPStatus.UNPROCESSABLE_ENTITY:
                self.record.unasked += answer.status == HTTPStatus.OK
                return answer.status == HTTPStatus.OK
            form = find_extra_form(answer) or form
        return False

    def _post(self, link: Link, form: AnswerForm) -> dict[str, str] | None:
        """Answer until the answer is taken; returns what was taken, or None if it came too late."""
        for attempt in range(MOST_REFUSALS):
            data = form.fill(self.dice, careful=attempt > 0 or self.dice.random() >= CARELESS)
            page = self.browser.post(form.form.url, data)
            if page.status == HTTPStatus.OK:
                self.record.answered[link.about] += 1
                self.record.late.discard(link.about)
                return data
            if page.status != HTTPStatus.UNPROCESSABLE_ENTITY:
                self._note_late(link, page)
                return None
            self.record.refusals += 1
            form = find_answer_form(page) or form
        raise RunFailed(f"{self.name} was refused {MOST_REFUSALS} times at one question, at last: {page.words[:300]}")

    def _note_late(self, link: Link, page: Page) -> None:
        """Answered already, by the deadline: nothing else may close a question before its player does."""
        if page.status not in (HTTPStatus.OK, HTTPStatus.CONFLICT):
            raise RunFailed(f"{self.name} followed a link and got {page.status}: {page.words[:300]}")
        self.record.late.add(link.about)

    def _come_back(self, link: Link) -> None:
        page = self.browser.get(link.url)
        if page.status == HTTPStatus.CONFLICT or self.is_over:
            return
        form = page.form_to(link.url.split("://", 1)[1].split("/", 1)[1])
        if form is None:  # back already
            return
        answer = self.browser.submit(form, sure="yes")
        self.record.expect(
            answer.status in (HTTPStatus.OK, HTTPStatus.CONFLICT), f"coming back was answered {answer.status}"
        )
        self.record.returns += answer.status == HTTPStatus.OK
