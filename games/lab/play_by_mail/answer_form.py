"""Reads the form of a question and fills it in, whatever game it belongs to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from urllib.parse import parse_qs, urljoin, urlsplit

from bs4 import Tag

from games.lab.play_by_mail.browser import Page, PageForm
from games.web.answers.question_form import WAY


@dataclass(frozen=True)
class Radios:
    """One of these values must be chosen."""

    name: str
    values: list[str]


@dataclass(frozen=True)
class Numbers:
    """These number fields (name: most that may be given) make `least` to `total` together, or as much as `same_as`."""

    limits: Mapping[str, int]
    least: int
    total: int
    same_as: str = ""


EAGER = 0.8  # how often people take the first way, which does something: games of the undecided last for ever


@dataclass(frozen=True)
class AnswerForm:
    """The form of a question: the ways to answer ([""] if there is nothing to choose between), and all their fields."""

    form: PageForm
    ways: list[str]
    radios: list[Radios]
    numbers: list[Numbers]

    def untouched(self) -> dict[str, str]:
        """What a scanner would post that presses the button and nothing else."""
        return dict(self.form.data)

    def fill(self, dice: Random, *, careful: bool) -> dict[str, str]:
        """A random answer.

        Arguments:
            careful: choose nothing twice among the fields of one way, as most rules want it. The rules are not on the
                form: whoever is not careful may be refused and has to try again.
        Raises Unfillable for a form that cannot be filled in.
        """
        way = self.ways[0] if dice.random() < EAGER else dice.choice(self.ways)
        chosen = self._choose([field for field in self.radios if _belongs(field.name, way)], dice, careful=careful)
        data = self.untouched() | chosen | ({WAY: way} if way else {})
        taken = frozenset(chosen.values()) if careful else frozenset[str]()
        for field in self.numbers:
            if all(_belongs(name, way) for name in field.limits):
                data |= _fill_numbers(field, data, taken, dice)
        if self.form.tag.select_one("button[name=meant]"):
            data["meant"] = "ask"  # the page asks what is meant by a sheet that places nothing
        return data

    def _choose(self, fields: list[Radios], dice: Random, *, careful: bool) -> dict[str, str]:
        values = draw_distinct([field.values for field in fields], dice) if careful else None
        if values is None:
            values = [dice.choice(field.values) for field in fields]
        return {field.name: value for field, value in zip(fields, values, strict=True)}


def find_answer_form(page: Page) -> AnswerForm | None:
    """The form of the question on this page, or None if nothing is asked. Raises Unfillable for one without fields."""
    forms = _question_forms(page)
    return read_answer_form(forms[0]) if forms else None


def _question_forms(page: Page) -> list[PageForm]:
    """The forms in which answers are chosen; what is proposed has one of its own, with nothing to choose."""
    forms = [form for form in page.forms if "decision" in form.names]
    return [form for form in forms if not form.tag.select_one("button[name=proposal]")]


def find_extra_link(page: Page) -> str:
    """Where the page shows how to do what may be done unasked, or ""."""
    for anchor in page.soup.select("a[href]"):
        href = str(anchor["href"])
        if "may" in parse_qs(urlsplit(href).query):
            return urljoin(page.url, href)
    return ""


def find_extra_form(page: Page) -> AnswerForm | None:
    """The form of what may be done unasked: it stands behind that of the question."""
    forms = _question_forms(page)
    return read_answer_form(forms[-1]) if len(forms) > 1 else None


def read_answer_form(form: PageForm) -> AnswerForm:
    """The ways and fields of a form. Raises Unfillable for one without any."""
    ways, radios, numbers = [], [], []
    for item in form.tag.select(f'input[type="radio"][name="{WAY}"]'):
        ways.append(str(item["value"]))
    for fieldset in form.tag.find_all("fieldset"):
        if not fieldset.find("fieldset"):
            radios.extend(_radios(fieldset))
            numbers.extend(_numbers(fieldset))
    if not (ways or radios or numbers):
        raise Unfillable("the form of the question has no fields")
    return AnswerForm(form, ways or [""], radios, numbers)


def _radios(fieldset: Tag) -> list[Radios]:
    found: dict[str, list[str]] = {}
    for item in fieldset.select('input[type="radio"]'):
        found.setdefault(str(item["name"]), []).append(str(item["value"]))
    found.pop(WAY, None)
    return [Radios(name, values) for name, values in found.items()]


def _numbers(fieldset: Tag) -> list[Numbers]:
    items = fieldset.select('input[type="number"]')
    if not items:
        return []
    if not fieldset.get("data-total") or fieldset.select_one("legend .hint") is None:
        raise Unfillable("number fields that do not say what they must make together")
    least, total = int(str(fieldset["data-least"])), int(str(fieldset["data-total"]))
    limits = {str(item["name"]): int(str(item.get("max", str(total)))) for item in items}
    return [Numbers(limits, least, total, str(fieldset.get("data-same-as", "")))]


def _belongs(name: str, way: str) -> bool:
    return not way or name.startswith(f"{way}-")


def _fill_numbers(field: Numbers, data: Mapping[str, str], taken: frozenset[str], dice: Random) -> dict[str, str]:
    """Amounts for one group of number fields; `data` is what has been filled in before."""
    if field.same_as:
        others = {name: int(value) for name, value in data.items() if value and name.startswith(f"{field.same_as}-")}
        total = sum(others.values())
        taken |= {name.rsplit("-", 1)[-1] for name, amount in others.items() if amount}
    else:
        total = dice.randint(field.least, field.total)
    limits = {name: limit for name, limit in field.limits.items() if name.rsplit("-", 1)[-1] not in taken}
    if sum(limits.values()) < total:
        limits = dict(field.limits)
    amounts = split(min(total, sum(limits.values())), list(limits.values()), dice)
    return {name: str(amount) for name, amount in zip(limits, amounts, strict=True) if amount}


class Unfillable(ValueError):
    """A form asks for something that nobody can give."""


def split(total: int, limits: Sequence[int], dice: Random) -> list[int]:
    """Amounts for fields with these limits that make exactly `total`, drawn piece by piece.

    Raises Unfillable if the limits do not allow so many.
    """
    if sum(limits) < total:
        raise Unfillable(f"{total} in all, but the limits {list(limits)} allow fewer")
    amounts = [0] * len(limits)
    for _piece in range(total):
        room = [index for index, limit in enumerate(limits) if amounts[index] < limit]
        amounts[dice.choice(room)] += 1
    return amounts


def draw_distinct(choices: Sequence[Sequence[str]], dice: Random) -> list[str] | None:
    """One value from each list, no value twice, drawn at random; None if that cannot be."""
    drawn: list[str] = []
    return drawn if _extend(drawn, choices, dice) else None


def _extend(drawn: list[str], choices: Sequence[Sequence[str]], dice: Random) -> bool:
    if len(drawn) == len(choices):
        return True
    here = choices[len(drawn)]
    for value in dice.sample(list(here), len(here)):
        if value not in drawn:
            drawn.append(value)
            if _extend(drawn, choices, dice):
                return True
            drawn.pop()
    return False
