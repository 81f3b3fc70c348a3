"""A beginner on a phone, without an account, who taps what is lit until the puzzle of a lesson is solved."""

import os

import pytest

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
    for tap in range(40):
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


@pytest.mark.parametrize("has_scripts", [True])
def test_the_hand_is_in_the_bar_and_a_token_from_there_is_placed_on_what_is_lit(phone):
    phone.open("/learn/")
    page = phone.page
    page.locator("form[action='/learn/aladdins-dragons/'] button").click()
    page.locator(".ask-bar .chip.lit").click()
    page.locator("svg .lit:not([data-pick-field])").click()
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/hand.png")
    page.locator(".send.floats button").click()
    page.wait_for_url("**done=*")
    assert page.locator(".lesson .muted").first.text_content().startswith("Step 2") and phone.complaints == []


def answer(page):
    """Taps the lit token, if there are tokens to choose from, and a lit place; fills in what is left, and sends it."""
    lit = page.evaluate("[...document.querySelectorAll('[data-suggested]')].map(one => one.dataset.suggested)")
    for value in sorted(lit, key=lambda one: not one.isdigit()):  # the token first
        place = page.locator(f"svg .target[data-pick='{value}']:not(.picked)")
        if place.count() and (value.isdigit() or not page.locator("svg .picked:not([data-pick-field])").count()):
            place.first.click()
    form = page.locator("form.answer").first
    if form.locator("input[name=do]").count():
        form.locator("label.choice").first.click()
    for group in form.locator("fieldset.options").all():
        if group.is_visible() and group.locator("input[type=radio]").count() and not group.locator(":checked").count():
            group.locator("label").first.click()
        more = group.locator("button.step", has_text="+").first
        while more.count() and more.is_visible() and more.is_enabled():
            more.click()
    form.locator(".send button").first.click()
