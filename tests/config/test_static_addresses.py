"""Browsers keep static files for long, and are told of another when its content has changed."""

from django.templatetags.static import static

from config import static_addresses


def test_a_file_is_kept_for_long_under_the_address_that_pages_name(client):
    address = static("games/site.css")
    assert "?v=" in address
    response = client.get(address)
    assert b":root" in b"".join(response.streaming_content)
    assert "max-age=2592000" in response.headers["Cache-Control"]


def test_an_address_changes_with_the_file(tmp_path, monkeypatch):
    file = tmp_path / "one.css"
    addresses = set()
    for content in ("a {}", "b {}", "a {}"):
        file.write_text(content)
        monkeypatch.setattr(static_addresses.finders, "find", lambda name: str(file))
        static_addresses._version.cache_clear()
        addresses.add(static("one.css"))
    static_addresses._version.cache_clear()
    assert len(addresses) == 2


def test_what_is_not_there_has_a_plain_address():
    assert static("no/such.css") == "/static/no/such.css"
