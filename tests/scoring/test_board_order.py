"""Those apart stand in one order wherever a board is read (standings.md 3: by name)."""

from __future__ import annotations

import csv

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import StandingBoard
from tests.factories import EssaySetFactory
from tests.pages import texts_of
from tests.scoring.test_board_page import entry, run_of

pytestmark = pytest.mark.django_db


def test_those_apart_stand_by_name_on_all_pages_in_json_and_in_csv():
    run = run_of(EssaySetFactory(access="final", published_at=timezone.now()), "applied")
    names = [f"Team {number:02}" for number in range(52)]
    for number, name in enumerate(names):
        entry(run, name, state=("no-answers", "few", "part")[number % 3])
    StandingBoard.objects.create(
        essay_set=run.essay_set, applied=run, public=run, published_at=timezone.now()
    )
    address, client = f"/boards/{run.essay_set_id}/", Client()

    pages = [client.get(f"{address}?apart={number}") for number in (1, 2)]
    rows = csv.DictReader(client.get(f"{address}csv/").content.decode("utf-8-sig").splitlines())
    told = client.get(f"{address}json/").json()

    assert [name for each in pages for name in texts_of(each, ".apart tbody th")] == names
    assert [each["name"] for each in told["apart"]] == names
    assert [each["name"] for each in rows] == names
