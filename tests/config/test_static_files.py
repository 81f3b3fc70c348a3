"""Browsers keep static files for good, and are told of another one when its content has changed."""

import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.templatetags.static import static
from django.test import Client

from config import prepare

pytestmark = pytest.mark.slow


@pytest.fixture
def collected(settings, tmp_path):
    """Static files gathered in a folder of their own, as the first start does it."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = dict(django_settings.STORAGES)  # made anew by the test's own settings
    settings.WHITENOISE_AUTOREFRESH = False
    prepare.collect_static()
    return tmp_path


def content_of(response):
    return b"".join(response.streaming_content)


def test_a_file_is_kept_for_good_under_the_address_that_pages_name(collected):
    address = static("games/site.css")
    assert address.startswith("/static/games/site.") and address != "/static/games/site.css"
    response = Client().get(address)
    assert b"body" in content_of(response)
    assert "immutable" in response.headers["Cache-Control"]


def test_a_browser_that_can_unpack_gets_it_packed(collected):
    response = Client().get(static("games/site.css"), headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert content_of(response)[:2] == b"\x1f\x8b"


def test_collecting_again_changes_no_address_of_a_file_that_is_the_same(collected):
    before = static("games/site.css")
    prepare.collect_static()
    assert static("games/site.css") == before


def test_before_files_are_collected_they_have_plain_addresses_that_are_kept_for_a_minute(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = dict(django_settings.STORAGES)
    assert static("games/site.css") == "/static/games/site.css"
    response = Client().get("/static/games/site.css")
    assert b"body" in content_of(response)
    assert "max-age=60" in response.headers["Cache-Control"]


def test_every_file_that_pages_name_is_collected(collected):
    assert "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in staticfiles_storage.hashed_files
    assert "admin/css/base.css" in staticfiles_storage.hashed_files
