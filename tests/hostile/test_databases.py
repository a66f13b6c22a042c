from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from config.bootstrap import ROOT
from tests.hostile.dealing import HANDS_OF_BOTH
from tests.migrated import kept
from tests.services import copy_of

pytestmark = pytest.mark.full
START = "import django; django.setup()"


@pytest.fixture(scope="module")
def told(postgres_tables, tmp_path_factory):
    """What each database's platform answered to the corpus: case -> verdict.

    Both count their rows from 1: some inputs are numbers of rows.
    """
    folder = tmp_path_factory.mktemp("hostile")
    with copy_of(postgres_tables) as empty:
        shutil.copyfile(kept(), folder / "hostile.sqlite3")
        addresses = {"sqlite": f"sqlite:///{folder / 'hostile.sqlite3'}", "postgres": empty}
        running = {name: driver(str(folder / name), url) for name, url in addresses.items()}
        assert [process.wait(600) for process in running.values()] == [0, 0]
    return {name: json.loads((folder / name).read_text()) for name in addresses}


def driver(output, url):
    words = f"{START}; from tests.hostile.driver import main; main({output!r}, {HANDS_OF_BOTH})"
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    return subprocess.Popen([sys.executable, "-c", words], cwd=ROOT, env=environment)


def test_every_door_gives_an_answer_of_ours_and_the_same_on_both_databases(told):
    """One test, for the corpus is sent once: processes of xdist share no fixture."""
    bad = [
        f"{database}: {case}: {each['complaints']}"[:500]
        for database, cases in told.items()
        for case, each in cases.items()
        if each["complaints"]
    ]
    sqlite, postgres = told["sqlite"], told["postgres"]
    both = [(case, sqlite[case]["verdict"], postgres[case]["verdict"]) for case in sqlite]

    assert bad[:20] == []
    assert sqlite.keys() == postgres.keys()
    assert [each for each in both if each[1] != each[2]][:20] == []
