from __future__ import annotations

import pytest

from annotator.models.imports import ImportedFile
from annotator.services import archives
from tests.annotator.files import PLAIN, upload, zipped
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db

TOGETHER = "The archives hold more than 10,000 files together. Send this one by itself."
LARGE = "The archive is larger than 500 MB unpacked."
LARGE_TOGETHER = "The archives are larger than 500 MB together, unpacked. Send this one by itself."


@pytest.fixture
def import_archives(log_in):
    """Send archives of so many essays each, confirm what comes in; what became of every file."""
    manager = log_in(PersonFactory(role="coordinator"))

    def post(*sizes):
        files = [
            upload(
                f"{letter}.zip", zipped(*((f"{letter}{each}.txt", PLAIN) for each in range(size)))
            )
            for letter, size in zip("abc", sizes, strict=False)
        ]
        page = manager.post("/import/", {"essay_set": EssaySetFactory().pk, "files": files})
        foreseen = outcomes()
        manager.post(page.url + "confirm/")
        assert outcomes() == foreseen
        return foreseen

    return post


def outcomes():
    rows = ImportedFile.objects.order_by("name", "pk")
    return [(row.name, row.reason or row.outcome) for row in rows]


def test_archives_of_one_upload_hold_so_many_files_together(import_archives, monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)

    assert import_archives(2, 2, 1) == [
        ("a0.txt", "essay"),
        ("a1.txt", "essay"),
        ("b.zip", TOGETHER),
        ("c0.txt", "essay"),
    ]


def test_archives_of_one_upload_are_unpacked_to_one_limit(import_archives, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 3 * len(PLAIN.encode()))

    assert import_archives(2, 2, 1) == [
        ("a0.txt", "essay"),
        ("a1.txt", "essay"),
        ("b.zip", LARGE_TOGETHER),
        ("b0.txt", "essay"),
        ("b1.txt", LARGE_TOGETHER),
        ("c.zip", LARGE_TOGETHER),
        ("c0.txt", LARGE_TOGETHER),
    ]


def test_after_an_archive_that_is_too_large_nothing_more_is_unpacked(import_archives, monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", len(PLAIN.encode()))

    assert import_archives(2, 1) == [
        ("a.zip", LARGE),
        ("a0.txt", "essay"),
        ("a1.txt", LARGE),
        ("b.zip", LARGE_TOGETHER),
        ("b0.txt", LARGE_TOGETHER),
    ]
