"""The room of one person is not more because ten things are asked for at one instant."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from django.db.models import Sum
from django.test import Client
from rest_framework.test import APIClient

from schemes.models import SchemeInput, StoredKey
from schemes.services import quotas
from tests.e2e.database import together
from tests.factories import PersonFactory
from tests.schemes.inputs import INPUTS, form_of

pytestmark = pytest.mark.full


def run_by_page(browser, _program, _number):
    return browser.post("/schemes/use/", form_of("use"))


def run_by_program(_browser, program, _number):
    return program.post("/api/schemes/use/runs/", {"inputs": INPUTS["use"]()}, format="json")


def key_by_page(browser, _program, number):
    form = {"name": f"key {number}", "content": INPUTS["use"]()["key"]}
    return browser.post("/schemes/use/keys/", form)


def visitor(person):
    browser, program = Client(), APIClient()
    browser.force_login(person)
    program.force_authenticate(person)
    return browser, program


@pytest.mark.parametrize(
    ("door", "welcome", "refused", "size"),
    [
        (run_by_page, 302, 422, "run"),
        (run_by_program, 201, 422, "run"),
        (key_by_page, 302, 422, "key"),
    ],
)
@pytest.mark.usefixtures("stack")
def test_of_ten_at_once_only_as_many_come_in_as_fit(monkeypatch, door, welcome, refused, size):
    inputs = {name: len(each.encode()) for name, each in INPUTS["use"]().items()}
    each = sum(inputs.values()) if size == "run" else inputs["key"]
    monkeypatch.setattr(quotas, "ROOM", 2 * each)
    person = PersonFactory(role="participant")
    visitors = [visitor(person) for _ in range(10)]

    answers = together(*(partial(door, *each, number) for number, each in enumerate(visitors)))

    assert Counter(answer.status_code for answer in answers) == {welcome: 2, refused: 8}
    kept = [
        rows.aggregate(bytes=Sum("size"))["bytes"] or 0
        for rows in (
            SchemeInput.objects.filter(run__owner=person),
            StoredKey.objects.filter(owner=person),
        )
    ]
    assert sum(kept) == 2 * each
