"""A beginner on a phone, without an account, who taps what is lit until the puzzle of a lesson is solved."""

import contextlib
import os

import pytest
from playwright.sync_api import TimeoutError

from engine.registry import newest
from games.models import Game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("LESSON_PICTURES", "")  # a folder, for whoever wants to look


@pytest.mark.parametrize("has_scripts", [True])
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_a_beginner_taps_what_is_lit_until_the_puzzle_is_solved(phone, rules):
    phone.open("/learn/")
    page = phone.page
    page.locator(f"form[action='/learn/{rules.name}/'] button").click()
    steps = []
    for tap in range(60):
        page.wait_for_load_state("networkidle")
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{rules.name}-{tap:02}.png", full_page=True)
        assert not phone.is_wider_than_the_screen()
        steps.append(page.locator(".lesson .muted").first.text_content())
        if page.locator(".lesson a.button[href$='/puzzle/']").count():
            break
        following = page.locator(".lesson .button, .lesson button").filter(has_text="Next")
        if following.count():
            following.click()
        else:
            answer(page)
    assert steps[0].startswith("Step 1 of")
    page.locator(".lesson a.button").click()
    right = next(choice for choice, _label in rules.lesson.puzzle()[1] if rules.lesson.solve(choice).is_right)
    wrong = next(choice for choice, _label in rules.lesson.puzzle()[1] if choice != right)
    for choice in (wrong, right):
        page.locator(f"button[value='{choice}']").click()
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{rules.name}-puzzle-{choice}.png", full_page=True)
    assert page.locator("h2", has_text="Right!").count() == 1
    assert phone.complaints == [] and Game.objects.get().host.is_guest


def answer(page):
    """Taps what is lit, in hand and on the board; gives what is left of treasure, and presses the button."""
    read = page.locator(".got-it:visible")
    if read.count():
        read.click()
    form = page.locator("#asked form.answer:visible").first
    key = form.locator("input[name=key]").first.input_value()
    way = form.locator(".ways details.way:not([open]) > summary").first
    if way.count():
        way.click()
    token = form.locator("label.choice.suggested:visible input[type=radio]")
    if token.count():
        token.first.check()
    lit = page.locator("figure.board .target.lit, figure.board .lit .target")
    if lit.count():
        lit.first.press("Enter")
    for group in form.locator("fieldset.options:visible:not(.last, .coins, .on-board)").all():
        if not group.locator(":checked").count():
            group.locator("input[type=radio]").first.check()
    for group in form.locator("fieldset.coins:visible").all():
        for coin in group.locator(".coin button").all():
            for _ in range(3):
                if group.locator(".left").inner_text():
                    coin.click()
    button = form.locator("button.go:visible:enabled, fieldset.last button:visible, .ways > button:visible").first
    button.click()
    with contextlib.suppress(TimeoutError):  # a part that came just then took the tap with it: it is looked at again
        gone = "(key) => !document.querySelector(`input[name=key][value='${key}']`)"
        page.wait_for_function(gone, arg=key, timeout=5000)
