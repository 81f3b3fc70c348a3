"""Whatever address the house gets, it is collected in pairs of worlds, or somebody has said why not."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.urls import URLPattern, get_resolver

from games.api import urls as api
from tests.secrecy.addresses import ADMIN_LEFT_OUT, ADMIN_PAGES, API, API_LEFT_OUT, PAGES, PAGES_LEFT_OUT

OF_A_LIST = ("changelist", "add", "history", "delete", "change")
OF_THE_SITE = {
    "index": "collected", "login": "the same for all", "logout": "it takes a POST", "jsi18n": "words alone",
    "password_change": "about no game", "password_change_done": "about no game", "app_list": "part of the index",
    "autocomplete": "for forms, and none of these lists has one that asks it", "view_on_site": "no list leads there",
}  # fmt: skip


def names(patterns: list[Any], prefix: str = "") -> Iterator[str]:
    """The names of these addresses and of those below, those of the admin site with "admin:" before them."""
    for one in patterns:
        if isinstance(one, URLPattern):
            yield from [prefix + one.name] if one.name else []
        else:
            yield from names(one.url_patterns, f"{one.namespace}:" if one.namespace else prefix)


def is_of_sign_in(name: str) -> bool:
    """Allauth's own pages, on which somebody signs in or out: about no game."""
    return name.startswith("account_")


def reads() -> set[str]:
    """The addresses of the API that answer a GET."""
    views = {one.name: one.callback for one in api.urlpatterns if getattr(one, "name", None)}
    return {
        name
        for name, callback in views.items()
        if hasattr(getattr(callback, "view_class", getattr(callback, "cls", None)), "get")
    }


def test_every_page_is_collected_or_left_out_for_a_reason() -> None:
    found = {name for name in names(get_resolver().url_patterns) if ":" not in name and not is_of_sign_in(name)}
    found -= {name for name in found if name.startswith("api_")} - {"api_schema", "api_docs"}
    listed = PAGES.keys() | PAGES_LEFT_OUT.keys()
    assert found - listed == set(), "what does it show of a game?"
    assert listed - found == set(), "these are gone"
    assert not PAGES.keys() & PAGES_LEFT_OUT.keys()


def test_every_answer_of_the_api_is_collected_or_left_out_for_a_reason() -> None:
    listed = API.keys() | API_LEFT_OUT.keys()
    assert reads() - listed - {"api_schema", "api_docs"} == set(), "what does it tell of a game?"
    assert listed - reads() == set(), "these are gone"
    assert not API.keys() & API_LEFT_OUT.keys()


def test_every_page_of_the_admin_site_is_collected_or_left_out_for_a_reason() -> None:
    lists = {f"{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry}
    known = {f"{one}_{page}" for one in lists for page in OF_A_LIST}
    known |= {*ADMIN_PAGES, *ADMIN_LEFT_OUT, *OF_THE_SITE}
    found = {name.removeprefix("admin:") for name in names(get_resolver().url_patterns) if name.startswith("admin:")}
    assert found - known == set(), "what does it show of a game?"
    assert {*ADMIN_PAGES, *ADMIN_LEFT_OUT} - found == set(), "these are gone"
