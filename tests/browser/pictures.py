"""Pictures of every kind of page, to be looked at after a change.

    python -m tests.browser.pictures FOLDER [ROOM ...] [--language de]

Each page is taken on a phone and on a desk, light and dark, and as it is printed; in other languages than English
narrow and on a desk; in one that is asked for, on a phone and narrow. What is wider than its screen is said, and makes
the exit status 1.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import django
from playwright.sync_api import Browser, Page, sync_playwright

from tests.capabilities import chromium_binary

PICTURES = Path(__file__).resolve().parents[2] / "var" / "pictures"  # of what tests do on pages
SPREAD = "document.querySelectorAll('details:not(.lamp)').forEach((part) => { part.open = true; })"
IS_WIDE = "document.documentElement.scrollWidth > window.innerWidth"


@dataclass(frozen=True)
class Look:
    """One way to look at a page."""

    name: str
    width: int
    scheme: str = "light"
    media: str = "screen"

    def at(self, page: Page) -> None:
        """Look so at the page that is open."""
        page.set_viewport_size({"width": self.width, "height": 844})
        page.emulate_media(color_scheme=self.scheme, media=self.media)


LOOKS = (
    Look("phone", 390),
    Look("phone.dark", 390, "dark"),
    Look("desk", 1280),
    Look("desk.dark", 1280, "dark"),
)
NARROW = Look("narrow", 320)
PRINTED = Look("printed", 794, media="print")


def take(page: Page, look: Look, folder: Path, name: str) -> str:
    """One picture of the page that is open; what is wrong with it, or ""."""
    look.at(page)
    page.screenshot(path=folder / f"{name}.{look.name}.png", full_page=True)
    return f"{name} is wider than {look.name}" if page.evaluate(IS_WIDE) else ""


def take_all(browser: Browser, address: str, rooms: list[str], folder: Path, language: str) -> Iterator[str]:
    """All pictures of these rooms, in one language, or in every one if none is given; says what does not fit."""
    from django.conf import settings
    from django.core.management import call_command

    from games.models import User
    from tests.browser.gallery import ROOMS
    from tests.browser.visiting import visitors

    for room in rooms:
        call_command("flush", interactive=False, verbosity=0)  # each room has people of the same names
        pages = ROOMS[room]()
        others = {code: (NARROW, LOOKS[2]) for code, _name in settings.LANGUAGES}
        wanted = {language: (LOOKS[0], NARROW)} if language else others | {"en": (*LOOKS, PRINTED)}
        for spoken, looks in wanted.items():
            for user in User.objects.filter(pk__in={shown.user.pk for shown in pages if shown.user}):
                user.recipient.language = spoken
                user.recipient.save()
            with visitors(browser, address, language=spoken) as visit:
                for shown in pages:
                    page = visit(shown)
                    for look in looks:
                        yield take(page, look, folder, f"{shown.name}.{spoken}")


def main(folder: Path, rooms: list[str], language: str) -> int:
    """Take the pictures from a service of their own. Returns the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # playwright keeps an event loop in this thread
    django.setup()
    from tests.browser.gallery import ROOMS
    from tests.browser.visiting import serving

    folder.mkdir(parents=True, exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
        said = list(take_all(browser, address, rooms or list(ROOMS), folder, language))
        browser.close()
    wrong = [one for one in said if one]
    print("\n".join([*wrong, f"{len(said)} pictures in {folder}"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("rooms", nargs="*")
    parser.add_argument("--language", default="")
    chosen = parser.parse_args()
    sys.exit(main(chosen.folder, chosen.rooms, chosen.language))
