"""What the documentation names is there: files, modules and what is in them, tests, links and their headings."""

import importlib
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from engine.registry import newest
from tests import base_reference, readme_pictures

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").glob("*.md")])
HISTORY = [ROOT / "CHANGELOG.md"]  # names what was there then
AREAS = "config|engine|games|notifications|tests"
NOT_HERE = {
    "deploy/.env": "made by whoever sets it up",
    "notifications/channels/push/": "the example of docs/adding-a-channel.md",
    "games._domainkey.example.org": "a host name",
    "games.people.security_log": "a logger",
}
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CLASSES = (
    "games.models",
    "notifications.models",
    "engine.core",
    "engine.orders.model",
    "engine.base",
    "engine.kits",
    "engine.rules",
    "engine.orders.model",
    "engine.aladdins_dragons.model",
    "games.play.game_letters",
    "games.play.game_letters",
)
"""The modules in which a class is looked for that a page names without one."""
FILE = re.compile(rf"(?:{AREAS}|docs|deploy|script)/[\w./-]*")
MODULE = re.compile(rf"(?:{AREAS})(?:\.\w+)+")
CLASS = re.compile(r"[A-Z][a-zA-Z]+(?:\.\w+)?")
TEST = re.compile(r"([\w/]+\.py)::? ?(test_\w+)")


def pages():
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in PAGES if path not in HISTORY]


def named(path, pattern):
    """What stands as code in a page and has that form as a whole."""
    return [words for words in CODE.findall(FENCED.sub("", path.read_text())) if pattern.fullmatch(words)]


@pytest.mark.parametrize("path", pages())
def test_every_file_that_a_page_names_exists(path):
    assert [name for name in named(path, FILE) if name not in NOT_HERE and not _exists(name)] == []


@pytest.mark.parametrize("path", pages())
def test_every_test_that_a_page_names_exists(path):
    missing = []
    for name in named(path, TEST):
        file, test = TEST.fullmatch(name).groups()
        found = [place for place in (ROOT / file, ROOT / "tests" / file) if place.exists()]
        if not found or f"def {test}(" not in found[0].read_text():
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("path", pages())
def test_every_module_that_a_page_names_exists(path):
    names = [name for name in named(path, MODULE) if not name.endswith((".py", ".md", ".svg"))]
    assert [name for name in names if name not in NOT_HERE and not _resolves(name)] == []


def test_every_class_that_the_glossary_names_exists():
    names = named(ROOT / "docs" / "glossary.md", CLASS)
    assert [name for name in names if not any(_resolves(f"{place}.{name}") for place in CLASSES)] == []


@pytest.mark.parametrize("path", pages())
def test_every_link_of_a_page_leads_somewhere(path):
    broken = []
    for link in LINK.findall(FENCED.sub("", path.read_text())):
        if link.startswith(("http://", "https://", "mailto:", "/")):
            continue
        target, _, heading = link.partition("#")
        file = path.parent / target if target else path
        if not file.exists() or (heading and heading not in _headings(file)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_the_pictures_of_the_readme_can_be_drawn_anew(rules):
    drawn = readme_pictures.draw(rules, readme_pictures.view_after(rules, 3))
    assert drawn.startswith(b"\x89PNG")
    assert f"docs/pictures/{rules.name}.png" in (ROOT / "README.md").read_text()


def _exists(name):
    """A file or folder; tests are often named without `tests/`."""
    return (ROOT / name).exists() or (ROOT / "tests" / name).exists()


def _resolves(name):
    """Whether the longest part of a dotted name that is a module has the rest of it."""
    module, rest = name, []
    while True:
        try:
            if find_spec(module):
                break
        except ModuleNotFoundError:
            pass
        module, _, last = module.rpartition(".")
        rest.insert(0, last)
    thing = importlib.import_module(module)
    for attribute in rest:
        if not hasattr(thing, attribute) and attribute not in getattr(thing, "__annotations__", {}):
            return False
        thing = getattr(thing, attribute, None)
    return True


def _headings(file):
    """The anchors of a page, as they are made of its headings."""
    lines = FENCED.sub("", file.read_text()).splitlines()
    titles = [line.lstrip("#").strip().lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def test_the_reference_of_the_base_of_a_game_is_made_of_its_docstrings() -> None:
    assert base_reference.PAGE.read_text() == base_reference.reference(), "run python -m tests.base_reference"
