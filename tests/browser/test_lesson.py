"""A beginner on a phone, who taps what is lit, from the first step of a lesson to the end of its puzzle."""

import os

import pytest
from django.test import Client

from engine.registry import newest
from games.models import Game, User

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
PICTURES = os.environ.get("LESSON_PICTURES", "")  # a folder, for whoever wants to look


@pytest.mark.parametrize("has_scripts", [True])
@pytest.mark.parametrize("rules", newest(), ids=lambda rules: rules.name)
def test_a_beginner_taps_what_is_lit_until_the_puzzle_is_solved(phone, rules):
    anna, client = User.objects.create_user("anna@example.org", name="Anna"), Client()
    client.force_login(anna)
    phone.sign_in(client.cookies["session"].value)
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
    assert phone.complaints == [] and Game.objects.get().is_lesson


def answer(page):
    """Taps the lit token, if there are tokens to choose from, and a lit place; then sends what the form says."""
    lit = page.evaluate("[...document.querySelectorAll('[data-suggested]')].map(one => one.dataset.suggested)")
    for value in sorted(lit, key=lambda one: not one.isdigit()):
        place = page.locator(f"svg .target[data-pick='{value}']:not(.picked)")
        if place.count() and (value.isdigit() or not page.locator("svg .picked:not([data-pick-field])").count()):
            place.first.click()
    form = page.locator("form.answer").first
    for group in form.locator("fieldset.options").all():
        if (
            group.is_visible()
            and not group.locator("input:checked").count()
            and group.locator("input[type=radio]").count()
        ):
            group.locator("label").first.click()
    if form.locator("input[name=do]").count() and not form.locator("input[name=do]:checked").count():
        form.locator("label.choice").first.click()
        for plus in form.locator("button.step", has_text="+").all():
            if plus.is_visible() and plus.is_enabled():
                plus.click()
                plus.click()
                plus.click()
                break
        for group in form.locator("fieldset.options").all():
            if group.is_visible() and group.locator("input[type=radio]").count():
                group.locator("label").first.click()
    form.locator(".send button").first.click()
