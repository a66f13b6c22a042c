"""What a session says in the report of its answers: times, annulled files, the ways there."""

from __future__ import annotations

import pytest

from contest.queries.exchanged import exchange_of, sets_of
from contest.services.sessions.answers import keep_answers
from contest.services.sessions.settling import settle_due
from contest.tasks import keep_answers as keep
from jobs.models import Job
from scoring.core.exchange import AnnulledFile, Exchange
from scoring.models import SolutionReport
from scoring.queries.reports import revision_of
from scoring.services.ordering import KINDS
from scoring.services.report_ordering import order_report, order_report_of_answers
from scoring.services.reporting import compute
from scoring.tasks import assess_answers, compute_report
from tests.contest.test_answers import do_answers, whole_session
from tests.contest.test_answers_together import give_up
from tests.contest.world import Client, marked_set
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.scoring.work import TASKS

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended():
    """A session of three files that has ended: one answered, one late, one never asked for."""
    marked_set(3)
    client = Client()
    client.send(client.next(0).slot, 2.5)
    client.send(client.next(4).slot, 30)
    settle_due(moment=client.moment(10_000))
    do_answers()
    return client


def said(client, **changed):
    (number, _name), *_none = sets_of(client.session)
    whose = {"set_id": number, "author_id": client.person.pk, "origin": client.session.origin}
    return exchange_of(**{**whose, **changed})


def address_of(client):
    (number, _name), *_none = sets_of(client.session)
    return f"/scores/{number}/reports/{client.person.pk}/{client.session.origin}/"


def test_a_session_says_when_answers_came_and_what_is_annulled(ended):
    first, late, unasked = ended.session.files.order_by("position").values_list("name", flat=True)

    assert said(ended) == Exchange(
        3,
        10.0,
        None,
        {first: pytest.approx(2.5, abs=1e-5)},
        (
            AnnulledFile(late, "late", "the answer came too late"),
            AnnulledFile(unasked, "not-requested", "nobody asked for it in time"),
        ),
    )


def test_answers_that_are_no_markups_yet_are_told_as_unread():
    marked_set(3)
    client = whole_session(Client())
    (number,) = set(client.session.files.values_list("essay__essay_set_id", flat=True))
    whose = {"set_id": number, "author_id": client.person.pk, "origin": client.session.origin}

    before = exchange_of(**whose).unread
    do_answers()

    assert (before, exchange_of(**whose).unread) == (3, 0)


def test_the_report_is_ordered_once_when_all_answers_are_read_behind_their_figures():
    marked_set(3)
    client = whole_session(Client())
    first, last = (client.session.files.order_by("position")[each] for each in (0, 2))
    for file in (first, last):
        keep_answers(session_id=client.session.pk, first=file.position, last=file.position)
    assert not Job.objects.filter(kind="scoring.compute_report").exists()

    do_answers()

    job = Job.objects.get(kind="scoring.compute_report")
    assert not Job.objects.filter(kind="scoring.score_pairs", pk__gt=job.pk).exists()
    compute_report(job.pk)
    kept = SolutionReport.objects.get(author=client.person)
    essay_set = kept.essay_set
    assert (kept.origin, kept.revision, len(kept.figures["per_essay"])) == (
        client.session.origin,
        revision_of(essay_set, client.person.pk, client.session.origin, None, None),
        3,
    )
    assert (
        order_report(essay_set=essay_set, author_id=client.person.pk, origin=kept.origin, run=None)
        is None
    )


def test_of_finals_no_report_is_ordered_before_a_run_is_applied():
    essay_set = marked_set(1, access="final")

    order_report_of_answers(set_id=essay_set.pk, author_id=PersonFactory().pk, origin="session-1")

    assert not Job.objects.filter(kind="scoring.compute_report").exists()


def test_of_another_origin_author_or_set_nothing_is_said(ended):
    others = [{"origin": ""}, {"origin": "session-x"}, {"author_id": PersonFactory().pk}]

    assert [said(ended, **other) for other in others] == [None] * 3
    assert said(ended, set_id=0).files == 0


def test_a_session_under_way_says_nothing_yet():
    essay_set = marked_set(2)
    client = Client()
    client.send(client.next(0).slot, 1)

    assert (
        exchange_of(set_id=essay_set.pk, author_id=client.person.pk, origin=client.session.origin)
        is None
    )


def test_the_session_leads_to_its_report_and_back(ended, log_in):
    browser, address = log_in(ended.person), f"/exchange/{ended.session.pk}/"
    (number, _name), *_none = sets_of(ended.session)
    compute(set_id=number, author_id=ended.person.pk, origin=ended.session.origin)

    links = [link["href"] for link in page_of(browser.get(address)).find(".page-head .tools a")]
    assert address_of(ended) in links
    page = browser.get(address_of(ended))
    back = [link["href"] for link in page_of(page).find(".page-head .tools a")]
    assert address in back
    assert texts_of(page, "#h-annulled") == ["Annulled, 2 of 3"]
    assert texts_of(page, ".lostfiles td")[1] == "nobody asked for it in time"


def test_nothing_but_its_owner_and_staff_reads_the_report_of_a_session(ended, log_in):
    rival = PersonFactory(role="participant")

    assert log_in(rival).get(address_of(ended)).status_code == 404
    assert log_in(PersonFactory(role="commission")).get(address_of(ended)).status_code == 200


def queued(kind):
    return Job.objects.filter(kind=kind, state=Job.State.QUEUED).order_by("pk")


@pytest.fixture
def partly_given_up():
    """A session of four answers: one is never read, one has no scores, one no points."""
    marked_set(4)
    client = whole_session(Client(count=4))
    give_up(Job.objects.get(kind="contest.keep_answers"))
    unread, *others = queued("contest.keep_answers")
    give_up(unread)
    for job in others:
        keep(job.pk)
    unscored, ungraded, whole = queued("scoring.assess_answers")
    assess_answers(whole.pk)
    for job in (unscored, ungraded):
        give_up(job)
        Job.objects.filter(pk=job.pk).delete()
    markups = client.session.files.order_by("position").values_list("markup", flat=True)
    give_up(Job.objects.get(key=f"score:{markups[1]}"))
    give_up(Job.objects.get(key=f"grade:{markups[2]}"))
    for job in Job.objects.filter(kind__in=KINDS.values(), state=Job.State.QUEUED):
        TASKS[job.kind](job.pk)
    return client


def test_answers_that_were_given_up_are_left_out_by_name_with_the_reason(partly_given_up, log_in):
    client = partly_given_up
    first, second, *_whole = client.session.files.order_by("position").values_list(
        "name", flat=True
    )

    told = said(client)
    assert told.unread == 0
    assert told.left_out == (
        AnnulledFile(first, "unread", "the platform could not read the answer"),
        AnnulledFile(second, "unscored", "the platform could not score the answer"),
    )
    compute_report(Job.objects.get(kind="scoring.compute_report").pk)
    browser, address = log_in(client.person), address_of(client)
    assert texts_of(browser.get(address), ".leftout li") == [
        f"{first}: the platform could not read the answer",
        f"{second}: the platform could not score the answer",
    ]
    assert [each["essay"] for each in browser.get(f"{address}json/").json()["session"]["left_out"]]
    lines = browser.get(f"{address}csv/").content.decode().split("\r\n")
    assert [line for line in lines if ",left_out," in line] == [
        f"session,,{first},left_out,unread",
        f"session,,{second},left_out,unscored",
    ]


def test_of_a_session_that_was_read_and_scored_nothing_is_left_out(ended, log_in):
    assert said(ended).left_out == ()
    assert texts_of(log_in(ended.person).get(address_of(ended)), ".leftout") == []
