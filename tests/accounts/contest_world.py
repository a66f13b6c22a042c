"""Contests in the world of the tests of access: one that everybody reads of, one nobody knows."""

from __future__ import annotations

from tests.accounts.desk_world import SECRET, Objects
from tests.contest.contests import contest_of, days, running, told


def contests() -> Objects:
    """An announced contest and one that is only prepared, each with an announcement."""
    public = running("public")
    quiet = contest_of("quiet", announced=False, name_en=SECRET, name_ru=SECRET)
    return {
        "contest": {"slug": public.slug},
        "announcement": {"slug": public.slug, "pk": told(public).pk},
        "quiet-contest": {"slug": quiet.slug},
        "quiet-announcement": {"slug": quiet.slug, "pk": told(quiet, SECRET).pk},
        "document": {"name": "sessions"},
    }


def bodies_of_contests() -> Objects:
    """What is posted there."""
    module = {"name": "razbor", "version": "1.4", "checksum": "ab" * 32}
    applications = {"applications_from": days(-20), "applications_until": days(-10)}
    return {
        "contest:modules": {**module, "purpose_ru": "x", "purpose_en": "x"},
        "contest:describe_contest": {
            "sure": "1",
            **{name: f"{at:%Y-%m-%dT%H:%M}" for name, at in applications.items()},
        },
    }
