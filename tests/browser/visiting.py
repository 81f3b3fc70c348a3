"""Going to the pages of the gallery: a service to look at, and a browser for each of its people."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from games.models import User
from tests.browser.conftest import PATIENCE
from tests.browser.gallery import Shown


@contextlib.contextmanager
def visitors(browser: Browser, address: str, *, language: str = "en") -> Iterator[Callable[[Shown], Page]]:
    """A function that opens a page as its reader would, in a browser that is his alone."""
    from tests.browser.test_table import session_of

    contexts: dict[int | None, BrowserContext] = {}

    def context_of(user: User | None) -> BrowserContext:
        key = user.pk if user else None
        if key not in contexts:
            contexts[key] = browser.new_context(locale=language, reduced_motion="reduce")
            contexts[key].set_default_timeout(PATIENCE)
            contexts[key].add_init_script("localStorage.setItem('scenes-off', '1')")  # tables are looked at at rest
            if user is not None:
                cookie = {"name": "session", "value": session_of(user), "url": address}
                contexts[key].add_cookies([cookie])
        return contexts[key]

    def visit(shown: Shown) -> Page:
        context = context_of(shown.user)
        page = context.pages[0] if context.pages else context.new_page()
        answer = page.goto(address + shown.path)
        assert answer is not None
        assert answer.status == shown.status, f"{shown.name}: {answer.status}"
        return page

    yield visit
    for context in contexts.values():
        context.close()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """A service with an empty database of its own, outside of the tests; its address."""
    from django.conf import settings
    from django.test.testcases import LiveServerThread
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    folder = Path(tempfile.mkdtemp(prefix="caravanserai-looks-"))
    database = settings.DATABASES["default"]
    database.setdefault("TEST", {})["NAME"] = str(folder / "looks.sqlite3")
    settings.WORKER_HINTS_ENABLED = False
    settings.MAILBOX_ENABLED = True
    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    thread = LiveServerThread("localhost", lambda application: application)  # it serves its static files itself
    thread.daemon = True
    thread.start()
    thread.is_ready.wait()
    try:
        if thread.error:
            raise thread.error
        yield f"http://localhost:{thread.port}"
    finally:
        thread.terminate()
        teardown_databases(databases, verbosity=0)
        shutil.rmtree(folder, ignore_errors=True)
