"""The list of people in narrow windows: nothing lies over something else."""

from __future__ import annotations

import pytest

from tests.factories import PersonFactory

pytestmark = pytest.mark.full

OVERLAPS = """() => {
  const row = document.querySelector("table.people tbody tr");
  const boxes = [...row.querySelectorAll(".a-name > *, .badge")].map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  });
  const cross = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => cross(a, b))).length;
}"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_phone_the_state_of_an_account_lies_over_no_name(visit, language):
    person = PersonFactory(
        full_name="Александра Константинопольская", username=f"alexandra.{language}"
    )
    person.set_unusable_password()
    person.email = f"{person.username}.konstantinopolskaya@school.example"
    person.save()
    coordinator = PersonFactory(role="coordinator")

    size = {"viewport": {"width": 375, "height": 740}}
    page = visit(coordinator, f"/people/?q={person.username}", language=language, **size)

    assert page.evaluate(OVERLAPS) == 0


WITHIN = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [icon, field, role] = [box(".find .icon"), box("#q"), box("#role")];
  const isIn = icon.left > field.left && icon.right < field.right
    && icon.top >= field.top && icon.bottom <= field.bottom;
  const isClear = role.left >= field.right + 4 || role.top >= field.bottom + 4;
  return [isIn, isClear];
}"""


@pytest.mark.parametrize("width", [1440, 375])
def test_the_glass_stands_in_the_field_of_the_search_and_the_roles_beside_it(visit, width):
    coordinator = PersonFactory(role="coordinator")

    page = visit(coordinator, "/people/", viewport={"width": width, "height": 740})

    assert page.evaluate(WITHIN) == [True, True]
