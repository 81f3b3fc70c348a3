"""The message catalogues: whole, fit for their placeholders, compiled, and with a place for every marked string."""

import datetime as dt
import gettext
import shutil
from pathlib import Path

import jinja2
import pytest
from django.conf import settings
from django.utils import translation

from engine.registry import newest
from games.people.letters import moment
from games.tables import rulebooks
from games.web.translation_overrides import PLURALS, SENTENCES
from tests import catalogues

SERVICE = ("config", "games", "notifications")
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
SOURCES = catalogues.sources()


@pytest.fixture(scope="module")
def gettext_tools():
    """Whoever asks for it is left out where gettext is not installed: see tests/capabilities.py."""


@pytest.fixture(scope="module")
def looked_up(gettext_tools, tmp_path_factory):
    """A copy of the service in which all marked strings have been looked up."""
    copy = tmp_path_factory.mktemp("service")
    for name in SERVICE:
        shutil.copytree(catalogues.ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(catalogues.ROOT / name, copy)
    shutil.copytree(catalogues.ROOT / "engine", copy / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    catalogues.extract(copy)
    return copy


def name_of(source: Path) -> str:
    return str(source.relative_to(catalogues.ROOT))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_we_offer_has_catalogues_rules_and_a_guide(language):
    folders = [Path(folder) for folder in settings.LOCALE_PATHS]
    folders += [folder for folder in (catalogues.ROOT / "engine").glob("*/locale") if folder.is_dir()]
    assert len(folders) > len(settings.LOCALE_PATHS)
    for folder in folders:
        assert list((folder / language / "LC_MESSAGES").glob("*.po")), folder
    assert all(language in rulebooks.languages_of(rules.name) for rules in newest())
    assert rulebooks.guide("by-mail", language).language == language


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_every_message_is_translated_with_its_placeholders_and_none_is_fuzzy_or_obsolete(source):
    messages = catalogues.entries(source)
    assert messages
    assert {message.msgid: message.fault() for message in messages if message.fault()} == {}


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_the_compiled_catalogue_says_what_its_source_says(source, gettext_tools):
    assert catalogues.find_fault(source) is None


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_the_compiled_catalogue_knows_every_message_even_where_it_was_not_compiled(source):
    with source.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogues.entries(source):
        if message.plural:
            assert {compiled.ngettext(message.msgid, message.plural, count) for count in range(9)} == set(message.said)
        elif message.context:
            assert compiled.pgettext(message.context, message.msgid) == message.said[0]
        else:
            assert compiled.gettext(message.msgid) == message.said[0]


@pytest.mark.slow  # `python -m tests.catalogues`, one of the checks before all tests, says it sooner
@pytest.mark.parametrize("source", [source for source in SOURCES if source.name == "django.po"], ids=name_of)
def test_looking_up_all_marked_strings_would_change_no_message(source, looked_up):
    fresh = {message.key for message in catalogues.entries(looked_up / source.relative_to(catalogues.ROOT))}
    kept = {message.key for message in catalogues.entries(source)}
    assert fresh - kept == set(), "run script/messages, and translate what is new"
    assert kept - fresh == set(), "run script/messages: these are used no more"


@pytest.mark.parametrize(
    ("language", "date"),
    [("de", "Samstag, 21. November 2026, 18:30 UTC"), ("es", "sábado 21 de noviembre de 2026, 18:30 UTC")],
)
def test_a_deadline_is_a_date_of_the_readers_language(language, date):
    with translation.override(language):
        assert moment(dt.datetime(2026, 11, 21, 18, 30, tzinfo=dt.UTC)) == date


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "sign_in"), [("de", "Anmelden"), ("es", "Iniciar sesión")])
def test_a_stranger_is_answered_in_the_language_of_his_browser(client, language, sign_in):
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}">' in page and sign_in in page and "Sign in" not in page


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Dein Passwort muss mindestens 10 Zeichen haben."),
        ("es", "Tu contraseña debe tener al menos 10 caracteres."),
    ],
)
def test_what_django_and_allauth_say_in_forms_comes_from_our_catalogue(language, said):
    [source] = (one for one in SOURCES if one.parts[-5:-2] == ("games", "locale", language))
    messages = {message.msgid: message.said for message in catalogues.entries(source)}
    with translation.override(language):
        assert [translation.gettext(sentence) for sentence in SENTENCES] == [messages[one][0] for one in SENTENCES]
        assert PLURALS[1] % {"min_length": 10} == said


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ('msgid "A seat"\nmsgstr "Un asiento"', None),
        ('msgid "A seat"\nmsgstr ""', "is not translated"),
        ('#, fuzzy\nmsgid "A seat"\nmsgstr "Una mesa"', "is fuzzy"),
        ('#, fuzzy, python-format\nmsgid "%(a)s"\nmsgstr "%(a)s"', "is fuzzy"),
        ('msgid "%(name)s waits"\nmsgstr "%(nombre)s espera"', "has other placeholders"),
        ('msgid "{seat} waits"\nmsgstr "Espera"', "has other placeholders"),
        ('msgid "one"\nmsgid_plural "{n}"\nmsgstr[0] "uno"\nmsgstr[1] "{n}"', None),
        ('msgid "one"\nmsgid_plural "{n}"\nmsgstr[0] "uno"\nmsgstr[1] ""', "is not translated"),
        ('msgid "one"\nmsgid_plural "{n}"\nmsgstr[0] "uno"\nmsgstr[1] "{m}"', "has other placeholders"),
        ('msgid ""\n"A "\n"seat"\nmsgstr ""\n"Un asiento"', None),
    ],
)
def test_a_message_is_read_and_judged(block, fault, tmp_path):
    source = tmp_path / "django.po"
    source.write_text('msgid ""\nmsgstr ""\n"Language: es\\n"\n\n' + block + "\n")
    [message] = catalogues.entries(source)
    assert message.fault() == fault


def test_obsolete_messages_are_refused(tmp_path):
    source = tmp_path / "django.po"
    source.write_text('msgid "A"\nmsgstr "B"\n\n#~ msgid "C"\n#~ msgstr "D"\n')
    with pytest.raises(ValueError, match="obsolete"):
        catalogues.entries(source)


def test_makemessages_finds_every_sentence_of_jinjas_templates():
    # It reads them as templates of Django's, line by line: at the beginning of an expression, or anywhere in a tag.
    reader = jinja2.Environment(extensions=["jinja2.ext.i18n"])  # noqa: S701  # nothing is rendered
    pages = [*(catalogues.ROOT / "games/jinja2").rglob("*.html")]
    marked = {found[2] for page in pages for found in reader.extract_translations(page.read_text())}
    (source,) = (one for one in SOURCES if one.match("games/locale/es/LC_MESSAGES/django.po"))
    assert len(marked) > 150
    assert marked - {message.msgid for message in catalogues.entries(source)} == set()
