"""An import whose results are archived or approved stays; before, it is said what would go."""

from __future__ import annotations

import pytest

from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.models.imports import EssayImport
from annotator.services.imports.importing import Options, import_files
from review.models import FinalGrade
from review.models.plans import Plan
from tests.annotator.files import exchanged
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.review.verdicts import RULE, approve, member, verify
from tests.scoring.work import run_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="March", rules__final_grades={"eng": RULE})


@pytest.fixture
def batch(essay_set):
    files = [exchanged(f"0001{end}.json") for end in ("", "_exp1", "_exp2")]
    import_files(files, Options(essay_set, actor=PersonFactory(role="coordinator")))
    run_all()
    return EssayImport.objects.get()


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def archived(essay_set):
    EssaySet.objects.filter(pk=essay_set.pk).update(state="archived")
    return "The set “March” is in the archive. Take it out first."


def approved(essay_set):
    verify(essay_set)
    approve(essay_set, member(full_name="Smirnova"))
    return "The results of the set “March” are approved, by Smirnova: what they rest on stays."


@pytest.mark.parametrize("become", [archived, approved])
def test_results_that_are_archived_or_approved_keep_their_import(become, batch, essay_set, desk):
    said = f"The import cannot be undone. {become(essay_set)}"

    asked = desk.get(f"/imports/{batch.pk}/undo/")
    refused = desk.post(f"/imports/{batch.pk}/undo/")

    assert texts_of(asked, "[role=alert]") == [said]
    assert texts_of(asked, "form.form") == []
    assert (refused.status_code, texts_of(refused, "#notice")) == (422, [said])
    left = [model.objects.count() for model in (Essay, MarkupRecord, FinalGrade)]
    assert left == [1, 2, 1]


def test_the_question_counts_the_markups_and_the_grades_that_go(batch, desk):
    asked = desk.get(f"/imports/{batch.pk}/undo/")

    facts = dict(zip(texts_of(asked, "dt"), texts_of(asked, "dd"), strict=True))
    assert (facts["Essays"], facts["Submitted markups"]) == ("1", "2")
    assert texts_of(asked, "#grades-going") == ["1 final grade goes with it."]


def test_a_set_taken_out_of_the_archive_lets_its_import_go(batch, essay_set, desk):
    archived(essay_set)
    EssaySet.objects.update(state="closed")

    desk.post(f"/imports/{batch.pk}/undo/")

    assert (Essay.objects.count(), FinalGrade.objects.count()) == (0, 0)


def test_an_empty_archived_set_offers_no_import(essay_set, desk):
    offers = [texts_of(desk.get(f"/sets/{essay_set.pk}/"), ".empty")]
    archived(essay_set)
    offers.append(texts_of(desk.get(f"/sets/{essay_set.pk}/"), ".empty"))

    assert offers == [
        ["No essays yetImport them into this set."],
        ["No essays yetThe set is in the archive: nothing is imported into it."],
    ]


def test_the_history_of_an_essay_names_whose_import_and_which_plan_it_was(essay_set, log_in):
    vera = PersonFactory(role="coordinator", full_name="Vera")
    import_files([exchanged("0001.json")], Options(essay_set, actor=vera))
    for _ in range(2):
        PersonFactory()
    desk = log_in(vera)
    desk.post("/planning/", {"wanted": "any"})
    plan = Plan.objects.get()
    desk.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest})

    page = page_of(desk.get(f"/essays/{Essay.objects.get().pk}/"))

    told = [(each.one("b").text, each.one("span").text) for each in page.find(".history li")]
    assert told[-1] == ("Vera", "The essay came in.")
    assert [words.count("by the plan of ") for _who, words in told] == [1, 1, 0]
    links = {each["href"] for each in page.find(".history a")}
    assert links == {f"/planning/{plan.pk}/"}
