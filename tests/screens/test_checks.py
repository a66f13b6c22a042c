"""The checks of an essay on a phone: what can be done with each stands within the window."""

from __future__ import annotations

import pytest

from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted

pytestmark = pytest.mark.full

OUTSIDE = """() => [...document.querySelectorAll("main .panel")].flatMap((panel) => {
  const edge = panel.getBoundingClientRect().right;
  return [...panel.querySelectorAll("summary, button, select")]
    .filter((each) => each.getBoundingClientRect().right > edge)
    .map((each) => each.textContent.trim());
})"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_phone_no_act_on_a_check_is_cut_off(visit, language):
    essay = EssayFactory()
    names = ("Александра Константинопольская", "Владимир Преображенский")
    first, second = (
        AssignmentFactory(essay=essay, role=role, state=state, expert=PersonFactory(full_name=name))
        for role, state, name in zip(
            ("first", "second"), ("submitted", "waiting"), names, strict=True
        )
    )
    submitted(essay, assignment=first)
    coordinator = PersonFactory(role="coordinator")

    size = {"viewport": {"width": 375, "height": 740}}
    page = visit(coordinator, f"/desk/essays/{essay.pk}/", language=language, **size)

    assert page.locator(f"a[href*='/{second.pk}/withdraw/']").count() == 1
    assert page.locator("details.more > summary").count() == 1
    assert page.evaluate(OUTSIDE) == []
