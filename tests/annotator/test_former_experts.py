"""Who has checked and takes part now reads nothing more of what was checked."""

from __future__ import annotations

import pytest

from accounts.services.tokens import issue_token
from annotator.models import MarkupRecord
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.pages import texts_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("access", ["closed", "final"])
def test_who_has_checked_and_takes_part_now_reads_the_own_checks_no_more(access, log_in):
    essay = EssayFactory(
        essay_set__access=access, essay_set__state="open", text="The canary sings."
    )
    person = PersonFactory(role="expert")
    check = submitted(essay, fragment(0, 3), author=person)
    other = submitted(essay, fragment(4, 10))
    draft = MarkupRecord.objects.create(
        essay=EssayFactory(essay_set=essay.essay_set, text="The canary sleeps."), author=person
    )
    person.role = "participant"
    person.save()
    browser = log_in(person)
    token = {"HTTP_AUTHORIZATION": f"Token {issue_token(user=person, name='run')}"}

    for record in (check, draft):
        for part in ("", "json/", "text/", "csv/", "m2/", "history/", "comparison/"):
            answer = browser.get(f"/markups/{record.pk}/{part}")
            assert answer.status_code in (403, 404), (part, answer.status_code)
        assert browser.get(f"/api/markups/{record.pk}/", **token).status_code == 404
        assert browser.get(f"/api/markups/{record.pk}/scores/", **token).status_code == 404
        assert browser.get(f"/api/markups/{record.pk}/points/", **token).status_code == 404
        assert browser.get(f"/essays/{record.essay_id}/").status_code == 404
    assert browser.get(f"/compare/{check.pk}/{other.pk}/").status_code == 404
    assert browser.get(f"/compare/{check.pk}/{other.pk}/json/").status_code == 404
    assert browser.get(f"/api/comparisons/{check.pk}/{other.pk}/", **token).status_code == 404
    for path in ("/scores/", "/scores/own/", "/training/"):
        assert "canary" not in browser.get(path).content.decode()
    assert browser.get("/api/submissions/", **token).json()["count"] == 0
    assert browser.get(f"/api/submissions/{check.pk}/", **token).status_code == 404


def test_of_training_essays_none_but_what_the_program_sent_is_counted_as_ones_own(log_in):
    essay = EssayFactory(essay_set__access="open", text="The canary sings.")
    person = PersonFactory(role="expert")
    submitted(essay, fragment(0, 3), author=person)
    person.role = "participant"
    person.save()

    page = log_in(person).get("/training/")

    assert texts_of(page, "td.num") == ["1", "0"]
