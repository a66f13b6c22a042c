from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from django.db import connection
from django.db.models import Case, When
from django.test.utils import CaptureQueriesContext

from annotator.services.versions import replace_essay
from jobs.models import Job
from review.core.agreement import agreement
from review.core.agreement_json import agreement_to_json, pair_from_json
from review.models import AgreementReport, ThirdCheck
from review.services.agreeing import compute_agreement, order_agreement
from review.tasks import compute_agreement as compute_task
from scoring.models import CriteriaRecord
from scoring.services.regrading import regrade
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


def checked(essay, role, *marks, expert=None):
    more = {"expert": expert} if expert else {}
    check = AssignmentFactory(essay=essay, role=role, state="submitted", **more)
    return submitted(essay, *marks, assignment=check)


def two_checks(essay_set, *marks, **more):
    """An essay whose first check is bare and whose second has these marks."""
    essay = EssayFactory(essay_set=essay_set, **more)
    first, second = checked(essay, "first"), checked(essay, "second", *marks)
    score(first, second)
    return first, second


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


@pytest.fixture
def essay_set():
    return EssaySetFactory(name="March")


def read(client, address):
    return page_of(client.get(address, headers={"Accept-Language": "en"}))


def test_the_figures_are_promised_when_somebody_looks_and_shown_when_they_are_kept(
    judge, essay_set
):
    two_checks(essay_set, fragment(5, 11))
    waiting = judge.get("/agreement/?set=March")
    judge.get("/agreement/?set=March")
    (job,) = Job.objects.filter(kind="review.compute_agreement")
    compute_task(job.pk)
    ready = judge.get("/agreement/?set=March")

    assert 'hx-trigger="every 2s"' in waiting.content.decode()
    assert 'hx-trigger="every 2s"' not in ready.content.decode()
    assert len(page_of(ready).find("svg.spread")) == 6  # K1 to K5 and the total


def test_they_are_computed_anew_once_the_checks_have_changed(essay_set):
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)
    kept = order_agreement(essay_set=essay_set)
    two_checks(essay_set)
    job = order_agreement(essay_set=essay_set)
    compute_task(job.pk)

    assert kept is None
    assert order_agreement(essay_set=essay_set) is None
    assert len(AgreementReport.objects.get().pairs) == 2


def test_points_that_are_regraded_count_as_a_change(essay_set):
    first, _second = two_checks(essay_set, fragment(5, 11))
    compute_agreement(set_id=essay_set.pk)
    sheet = first.criteria
    swapped = {**sheet.points, "K1": sheet.points["K2"], "K2": sheet.points["K1"]}
    CriteriaRecord.objects.filter(pk=sheet.pk).update(points=swapped)
    regrade(markup_ids=[first.pk])

    assert order_agreement(essay_set=essay_set) is not None


def test_every_number_of_the_page_leads_to_pairs_and_nothing_is_lost(judge, essay_set):
    for count in (0, 1, 9):
        two_checks(essay_set, *(fragment(at, at + 1) for at in range(count)))
    compute_agreement(set_id=essay_set.pk)
    page = read(judge, "/agreement/?set=March")
    addresses = {
        link.attributes["href"]
        for link in page.find("a")
        if "/pairs/" in link.attributes.get("href", "")
    }

    sizes = {address: len(read(judge, address).find("tbody tr")) for address in addresses}

    base = f"/agreement/{AgreementReport.objects.get().pk}/pairs/"
    assert sizes[f"{base}?subject=eng"] == 3
    assert sizes[f"{base}?subject=eng&kind=only_right"] == 2
    assert sizes[f"{base}?subject=eng&criterion=K&gap=0"] < 3
    assert len(addresses) > 20


def outside_links(element):
    """The words of an element that lead nowhere."""
    if element.tag == "a":
        return ""
    words = (each if isinstance(each, str) else outside_links(each) for each in element.children)
    return " ".join(" ".join(words).split())


def test_every_number_but_a_zero_is_a_link(judge, essay_set):
    checks = [two_checks(essay_set, *(fragment(at, at + 1) for at in range(n))) for n in (0, 1, 9)]
    decided = [first.essay for first, _second in checks[:2]]
    ThirdCheck.objects.exclude(essay__in=decided).delete()
    ThirdCheck.objects.update(needed=Case(When(essay=decided[0], then=True), default=False))
    compute_agreement(set_id=essay_set.pk)
    page = read(judge, "/agreement/?set=March")
    places = [*page.find(".facts dd"), *page.find(".multiples p"), *page.find("td.num")]

    bare = {outside_links(each) for each in places + page.find("ul.legend li")}

    assert {word for words in bare for word in words.split() if any(map(str.isdigit, word))} == {
        "0"
    }
    facts = page.one("dl.facts")
    told = [
        (link.text, len(read(judge, link["href"]).find("tbody tr"))) for link in facts.find("a")
    ]
    assert told == [("3", 3), ("3", 3), ("1", 1), ("of 2", 2), ("1", 1)]


def test_a_number_of_marks_opens_comparisons_that_say_how_many_marks_they_hold(judge, essay_set):
    for count in (2, 9):
        two_checks(essay_set, *(fragment(at, at + 1) for at in range(count)))
    compute_agreement(set_id=essay_set.pk)
    page = read(judge, "/agreement/?set=March")
    links = {link.attributes["href"]: link.text for link in page.find("a") if "kind=" in str(link)}
    assert links

    for address, number in links.items():
        said = read(judge, address).one("#marks").text
        assert said.split()[0] == number.split()[-1], address
    plain = address.split("&")[0]
    assert read(judge, plain).find("#marks") == []


def test_a_third_check_and_an_algorithm_are_not_compared(essay_set):
    first, second = two_checks(essay_set)
    third = checked(first.essay, "third", fragment(5, 11))
    score(third, submitted(first.essay, source="algorithm"))
    compute_agreement(set_id=essay_set.pk)

    (pair,) = AgreementReport.objects.get().pairs
    assert pair["markups"] == [first.pk, second.pk]


def test_a_replaced_version_is_not_compared_any_more(essay_set):
    first, _second = two_checks(essay_set, fragment(0, 4), text="He have a dog.")
    compute_agreement(set_id=essay_set.pk)
    before = AgreementReport.objects.get().pairs
    replace_essay(
        essay=first.essay, text="He has a cat.", reason="another pupil", actor=PersonFactory()
    )

    assert order_agreement(essay_set=essay_set) is not None
    compute_agreement(set_id=essay_set.pk)
    assert (len(before), AgreementReport.objects.get().pairs) == (1, [])


def test_the_numbers_of_two_experts_lead_to_their_comparisons_alone(judge, essay_set):
    anna, boris = PersonFactory(full_name="Anna"), PersonFactory(full_name="Boris")
    for marks in ([], [fragment(0, 4)]):
        essay = EssayFactory(essay_set=essay_set)
        score(checked(essay, "first", expert=anna), checked(essay, "second", *marks, expert=boris))
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)

    page = read(judge, "/agreement/?set=March")
    (row,) = [each for each in page.find(".cards.two tbody tr") if "Anna" in each.text]
    links = {
        cell["data-label"]: [link["href"] for link in cell.find("a")] for cell in row.find("td")
    }

    counts = {
        label: [len(read(judge, address).find("tbody tr")) for address in found]
        for label, found in links.items()
    }
    assert (counts["Essays"], counts.pop("Mean gap"), counts.pop("Marks agreed")) == ([2], [2], [2])
    told = {cell["data-label"]: cell.text for cell in row.find("td")}
    assert {label: str(found[0]) for label, found in counts.items() if found} == {
        label: told[label].split()[0] for label, found in counts.items() if found
    }


def test_checks_without_points_wait(essay_set):
    essay = EssayFactory(essay_set=essay_set)
    score(checked(essay, "first"))
    checked(essay, "second")
    compute_agreement(set_id=essay_set.pk)

    assert AgreementReport.objects.get().pairs == []


def test_below_thirty_essays_not_enough_data_is_said(judge, essay_set):
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)
    judge.cookies["django_language"] = "en"

    page = judge.get("/agreement/?set=March").content.decode()

    assert "Not enough data for kappa" in page
    assert "κ" not in page


def test_the_pages_cost_the_same_however_many_checks_there_are(judge, essay_set):
    counts = []
    for _ in range(3):
        two_checks(essay_set, fragment(5, 11))
        compute_agreement(set_id=essay_set.pk)
        with CaptureQueriesContext(connection) as queries:
            judge.get("/agreement/?set=March")
            judge.get(f"/agreement/{essay_set.pk}/pairs/?subject=eng")
        counts.append(len(queries))

    assert len(set(counts)) == 1


@pytest.mark.parametrize(
    "asked", ["subject=x", "gap=99999", "gap=x", "kind=x", "side=9", "expert=x&expert=1", "code="]
)
def test_words_that_ask_nothing_are_passed_over(judge, essay_set, asked):
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)

    assert len(read(judge, f"/agreement/{essay_set.pk}/pairs/?{asked}").find("tbody tr")) == 1


def test_the_table_is_csv_without_formulas(judge, essay_set):
    one, two = PersonFactory(username="=ann"), PersonFactory(username="bob")
    essay = EssayFactory(essay_set=essay_set)
    score(checked(essay, "first", expert=one), checked(essay, "second", expert=two))
    compute_agreement(set_id=essay_set.pk)

    table = judge.get(f"/agreement/{essay_set.pk}/csv/").content.decode()

    assert ",'=ann / bob,1,1,0,0," in table


def test_the_table_is_there_for_russian_excel_too(judge, essay_set):
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)
    judge.cookies["django_language"] = "ru"

    page = read(judge, f"/agreement/?set={essay_set.name}")
    (link,) = (each["href"] for each in page.find(".tools a") if "form=csv-ru" in each["href"])
    commas, semicolons = (
        [line.count(sign) for line in judge.get(address).content.decode().splitlines()]
        for address, sign in ((f"/agreement/{essay_set.pk}/csv/", ","), (link, ";"))
    )

    assert semicolons == commas
    assert min(commas) > 1


@pytest.mark.parametrize("role", ["expert", "participant"])
def test_experts_and_participants_see_none_of_it(log_in, role, essay_set):
    compute_agreement(set_id=essay_set.pk)
    client = log_in(PersonFactory(role=role))
    addresses = ("", f"{essay_set.pk}/pairs/", f"{essay_set.pk}/csv/")

    assert [client.get(f"/agreement/{each}").status_code for each in addresses] == [403] * 3


@pytest.mark.parametrize("number", [0, 2**63 - 1, 2**63, 10**30])
@pytest.mark.parametrize("part", ["pairs", "csv"])
def test_a_number_of_no_set_leads_nowhere(judge, number, part):
    assert judge.get(f"/agreement/{number}/{part}/").status_code == 404


def test_from_thirty_essays_on_kappa_stands_with_its_interval(judge, essay_set):
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)
    report = AgreementReport.objects.get()
    (pair,) = map(pair_from_json, report.pairs)
    pairs = [
        replace(
            pair, essay=n, points=({**pair.points[0], "K1": n % 4}, {**pair.points[1], "K1": n % 3})
        )
        for n in range(30)
    ]
    report.figures = [agreement_to_json(each) for each in agreement(pairs, random=Random(1))]
    report.save()

    judge.cookies["django_language"] = "en"
    shown = texts_of(judge.get("/agreement/?set=March"), ".multiples li")

    assert ["κ 0.00 −0." in each for each in shown] == [True, *[False] * 4, True]
    assert ["no kappa" in each for each in shown] == [False, *[True] * 4, False]


def test_the_page_opens_the_newest_set_that_has_something_to_compare(judge, essay_set):
    two_checks(essay_set)
    two_checks(EssaySetFactory(name="April"))
    alone = EssayFactory(essay_set=EssaySetFactory(name="A newer one"))
    score(checked(alone, "first"))

    page = judge.get("/agreement/")

    assert texts_of(page, ".tabs [aria-current]") == ["April"]
    assert texts_of(judge.get("/agreement/?set=March"), ".tabs [aria-current]") == ["March"]


@pytest.mark.parametrize(
    ("points", "axis", "told"),
    [
        ({"K1": 1}, "pairs of checks", ["−1", "0", "1"]),
        ({"K1": 1, "K2": 3}, "pairs of checks", [*("−4", "−3", "−2", "−1"), *"01234"]),
        ({"K1": 3, "K2": 2}, "pairs of checks", ["−4", "−2", "0", "2", "4"]),
        (dict.fromkeys(["K1", "K2", "K3"], 3), "pairs of checks, up to 2", ["−9", "0", "9"]),
    ],
)
def test_a_drawing_names_its_axes(judge, essay_set, points, axis, told):
    two_checks(essay_set)
    compute_agreement(set_id=essay_set.pk)
    report = AgreementReport.objects.get()
    (pair,) = map(pair_from_json, report.pairs)
    none = dict.fromkeys(pair.points[0], 0)
    firsts = [none, none, none | points]
    pairs = [replace(pair, essay=n, points=(each, none)) for n, each in enumerate(firsts)]
    report.figures = [agreement_to_json(each) for each in agreement(pairs, random=Random(1))]
    report.save()

    drawing = read(judge, "/agreement/?set=March").find("svg.spread")[-1]

    assert [each.text for each in drawing.find("text.axis")] == [
        axis,
        "points, first − second",
    ]
    assert [each.text for each in drawing.find("text.gap")] == told
