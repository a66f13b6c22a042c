"""The page of an import under way follows it by itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from playwright.sync_api import expect

from annotator.models.imports import EssayImport
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.full


@pytest.fixture
def batch(site):  # noqa: ARG001 - its database
    essay_set = EssaySetFactory()
    return EssayImport.objects.create(
        actor=PersonFactory(role="coordinator"),
        essay_set=essay_set,
        set_name=essay_set.name,
        state="running",
        begun_at=Now(),
        total=4,
        came=1,
        turn=1,
        lease_until=Now() + timedelta(minutes=2),
    )


def test_the_page_of_an_import_counts_its_essays_and_ends_with_it(batch, visit):
    page = visit(batch.actor, f"/imports/{batch.pk}/")
    told = page.locator("#import [role=status]")
    expect(told).to_have_text("1 of 4 essays so far.")

    EssayImport.objects.filter(pk=batch.pk).update(came=3)
    expect(told).to_have_text("3 of 4 essays so far.")
    EssayImport.objects.filter(pk=batch.pk).update(state="done", came=4)

    expect(page.get_by_role("heading", level=1)).to_have_text(["What became of the files"])
    expect(page.locator("header.bar")).to_have_count(1)
