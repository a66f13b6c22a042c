"""The one list of apps, floor by floor from the ground.

Settings, tools, catalogues and tests read it: nothing here needs Django. An app imports only what
stands below it, and those beside each other know nothing of each other: pyproject.toml says the
same to import-linter, and ``tests/test_house.py`` holds it to this list.
"""

from __future__ import annotations

from typing import Final

FLOORS: Final = (
    ("web",),
    ("accounts", "jobs"),
    ("annotator",),
    ("compare",),
    ("scoring", "schemes"),
    ("review",),
    ("contest",),
)
APPS: Final = tuple(app for floor in FLOORS for app in floor)
FOLDERS: Final = ("config", *APPS, "razbor")
"""Where our code lies: the apps, what puts them together, and the command line."""
