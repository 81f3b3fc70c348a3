"""Pictures of every kind of mail as a reader sees it, to be looked at after a change of their words or looks.

    python -m tests.browser.letters FOLDER [KIND ...]

Each is taken in every language, light and dark, on a phone and on a desk, and named for that. What is wider than
its screen is said, and makes the exit status 1.
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import django
from playwright.sync_api import Browser, sync_playwright

from tests.capabilities import chromium_binary

WIDTHS = {"phone": 390, "desk": 1000}
SCHEMES = ("light", "dark")


def compose(kinds: Iterable[str]) -> dict[str, str]:
    """The HTML of the samples by "kind.language", as a mail program shows it."""
    from django.conf import settings

    from games.web.mail import render_sample
    from games.web.samples import sample

    languages = [language for language, _name in settings.LANGUAGES]
    return {f"{kind}.{language}": render_sample(sample(kind, language)) for kind in kinds for language in languages}


def take(browser: Browser, mails: dict[str, str], folder: Path) -> list[str]:
    """Write one picture of each in every way; returns what does not fit its screen."""
    too_wide = []
    for scheme in SCHEMES:
        for screen, width in WIDTHS.items():
            page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            for name, html in mails.items():
                page.set_content(html)
                page.screenshot(path=folder / f"{name}.{screen}.{scheme}.png", full_page=True)
                if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                    too_wide.append(f"{name} is wider than a {screen}")
            page.close()
    return too_wide


def main(folder: Path, wanted: list[str]) -> int:
    """Compose in a database in memory, and take all pictures. Returns the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # playwright keeps an event loop in this thread
    django.setup()
    from django.conf import settings
    from django.test.utils import setup_databases

    from games.web.samples import KINDS

    settings.WORKER_HINTS_ENABLED = False
    settings.REPLY_ADDRESS = "reply+{token}@play.example.org"
    setup_databases(verbosity=0, interactive=False)
    folder.mkdir(parents=True, exist_ok=True)
    mails = compose(wanted or KINDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
        too_wide = take(browser, mails, folder)
        browser.close()
    print("\n".join([*too_wide, f"{len(mails) * len(SCHEMES) * len(WIDTHS)} pictures in {folder}"]))
    return 1 if too_wide else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
