from __future__ import annotations

import re

from celery import current_app

from config.bootstrap import ROOT
from config.floors import APPS

KIND = re.compile(rf'"((?:{"|".join(APPS)})\.\w+)"')
ORDERS = re.compile(r"from jobs\.services\.work import (?:\([^)]*|[^(\n]*)\border\b")


def kinds_ordered():
    """The kinds of work that services name, which cannot import the tasks they order."""
    services = [path.read_text("utf-8") for path in ROOT.glob("*/services/**/*.py")]
    ordering = [text for text in services if ORDERS.search(text)]
    return {kind for text in ordering for kind in KIND.findall(text)}


def test_every_kind_of_work_that_is_ordered_has_a_task():
    current_app.loader.import_default_modules()

    assert "scoring.grade_markup" in kinds_ordered()
    assert sorted(kinds_ordered() - set(current_app.tasks)) == []
