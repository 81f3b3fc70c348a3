"""One name, one meaning: no class name stands for two things, and names are those of the field (docs/glossary.md)."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("config", "engine", "games", "notifications")
GAMES = ("engine/aladdins_dragons/", "engine/cave_of_wonders/")

SHARED = {
    "Command": "Django calls every management command so",
    "Decision": "a question the game waits on: as the rules have it, and as the row that adds its clock",
}
"""Class names that stand in several modules, and why. The parallel classes of the two games need no entry."""

RETIRED = {
    "again": "rematch, or a verb: retry, resend",
    "beside": "what stands there",
    "borrowed": "the resource that is shared",
    "chairs": "seats",
    "cosigners": "hidden information that outcomes depend on",
    "face": "page etag",
    "held": "deferred, or kept back by the delivery policy",
    "holdings": "personal data",
    "joining": "batch, digest",
    "keyed": "idempotency key",
    "knows": "cached relations",
    "likeness": "duplicate accounts",
    "looks": "read marker",
    "made": "cached relations, or a verb: create",
    "said": "compose, render, describe",
    "seldom": "deferred fields",
    "settling": "settle",
    "telling": "notifications",
    "vitals": "metrics, health",
    "waker": "worker hints",
    "wishes": "preferences",
    "wording": "compose, render",
}
"""Names that only insiders understand, and what the field says."""

EXCEPTIONS = {
    "games/people/idempotency.py:Keyed": "a model: its name stands in stored content types",
}


@pytest.fixture(scope="module")
def modules() -> dict[str, ast.Module]:
    """Every module of the product by its path, but migrations."""
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) if "migrations" not in path.parts]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in paths}


def repeated_classes(modules: dict[str, ast.Module]) -> dict[str, list[str]]:
    """The modules of every class name that stands in two; of the two games' parallel classes none."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in modules.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path)
    return {name: found for name, found in places.items() if len(found) > 1 and not _are_parallel(found)}


def _are_parallel(paths: list[str]) -> bool:
    return len(paths) == len(GAMES) and all(path.startswith(game) for path, game in zip(paths, GAMES, strict=True))


def retired_names(modules: dict[str, ast.Module]) -> Iterator[str]:
    """The modules, classes and functions with a retired name."""
    for path, tree in modules.items():
        if Path(path).stem in RETIRED:
            yield path
        for node in ast.walk(tree):
            named = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            if named and node.name.strip("_").lower() in RETIRED and f"{path}:{node.name}" not in EXCEPTIONS:
                yield f"{path}:{node.name}"


def test_no_class_name_stands_for_two_things(modules):
    assert {name: found for name, found in repeated_classes(modules).items() if name not in SHARED} == {}


def test_names_are_words_of_the_field(modules):
    assert list(retired_names(modules)) == []


@pytest.mark.parametrize("source", ["class Wishes: ...", "def _said(): ...", "class A:\n    def held(self): ..."])
def test_a_retired_name_is_found_wherever_it_is_given(source):
    assert len(list(retired_names({"games/a.py": ast.parse(source)}))) == 1


def test_a_retired_name_of_a_module_is_found():
    assert list(retired_names({"games/likeness.py": ast.parse("")})) == ["games/likeness.py"]


def test_a_class_name_in_two_rooms_is_found():
    tree = ast.parse("class Line: ...")
    assert repeated_classes({"games/a.py": tree, "notifications/b.py": tree}) == {
        "Line": ["games/a.py", "notifications/b.py"]
    }
    assert repeated_classes({f"{game}a.py": tree for game in GAMES}) == {}


def test_every_exception_is_still_needed(modules):
    named = {
        f"{path}:{node.name}" for path, tree in modules.items() for node in tree.body if isinstance(node, ast.ClassDef)
    }
    assert set(EXCEPTIONS) <= named
    assert set(SHARED) <= set(repeated_classes(modules))


# Words for players

CATALOGUES = [ROOT / room / "locale/es/LC_MESSAGES/django.po" for room in ("games", "notifications")]
LETTERS = ("games/letters/", "games/templates/games/letters/")  # they name an email by its own words
NOT_FOR_PLAYERS = re.compile(
    r"\bmails\b|\b(a|one|each|every|this|that|test|daily|sign-in) mail\b(?! (server|provider|program))|\bmail address"
    r"|who plays best|\bsit down at\b|look after this table|\bpeace (for|from)\b|send my answer|my orders .* ready",
    re.IGNORECASE,
)


def sentences_for_players(catalogue: str) -> Iterator[str]:
    """The English sentences of a catalogue, without those of letters."""
    for entry in catalogue.split("\n\n"):
        places = re.findall(r"^#: (.*)$", entry, re.MULTILINE)
        if places and all(place.startswith(LETTERS) for line in places for place in line.split()):
            continue
        yield "".join(re.findall(r'"(.*)"', entry.partition("msgid ")[2].partition("msgstr")[0]))


@pytest.mark.parametrize("path", CATALOGUES, ids=["games", "notifications"])
def test_sentences_use_the_words_for_players_of_the_glossary(path):
    assert [one for one in sentences_for_players(path.read_text()) if NOT_FOR_PLAYERS.search(one)] == []


def test_a_word_that_is_not_for_players_is_found_where_it_is_read():
    entry = '#: games/web/a.py\nmsgid ""\n"Your test "\n"mail is here."\nmsgstr ""'
    assert NOT_FOR_PLAYERS.search(next(sentences_for_players(entry)))
    assert list(sentences_for_players(entry.replace("games/web/", "games/letters/"))) == []


def test_spanish_calls_the_bank_of_the_game_by_one_word():
    read = (ROOT / "engine/aladdins_dragons/locale/es/LC_MESSAGES/aladdins_dragons.po").read_text()
    assert "banca" in read and "banco" not in read
