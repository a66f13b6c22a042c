"""Bad input of the contest through its doors: refused by name, with the clause, nothing written.

Each case is asked in both languages, and the rows of the contest are the same afterwards.
"""

from __future__ import annotations

from http import HTTPStatus
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from accounts.models import User
from annotator.core.values import Subject
from annotator.models import EssaySet, MarkupRecord
from annotator.services.archives import NamedBytes
from annotator.services.imports.importing import import_files
from annotator.services.imports.steps import Options
from contest.models import Consent, Contest, Final, UploadCounter
from contest.services.contest_finals import WantedRun, plan_contest_final
from contest.services.contests import describe_contest
from contest.services.parameters import propose_parameters
from jobs.models import Job
from schemes.models import SchemeRun
from tests.contest.data_world import taking_uploads
from tests.contest.running_world import DAY, announced, now, person, prepared, team_in, wanted
from tests.factories import EssayFactory, EssaySetFactory
from tests.pages import page_of
from tests.schemes.inputs import QAC_RESPONSES
from web.refusals import Refused

pytestmark = pytest.mark.django_db
CONTEST = "/contests/spring/"
APPLICATION = {
    "name": "Owls",
    "about": "Rules",
    "captain": "Olga Sova",
    "email": "olga@example.org",
    "agrees": "on",
}
FINAL = {"kind": "final", "name": "Another", "count": ""}
VALUES = {
    "limit": 60,
    "interval": 60,
    "sends": 10,
    "share": 5,
    "window": 120,
    "star_to_qualify": 50,
    "annulled_to_qualify": 5,
    "reason_ru": "Так решено",
    "reason_en": "So decided",
}


@pytest.fixture
def contest():
    return announced()


def written():
    """How many rows there are of everything a refusal might leave half-written."""
    kept = [*apps.get_app_config("contest").get_models(), Job, SchemeRun, MarkupRecord, EssaySet]
    return {model.__name__: model.objects.count() for model in (*kept, User)}


def refused(user, path, body, words, *, status=(HTTPStatus.UNPROCESSABLE_ENTITY,)):
    """The same sent in English and in Russian; what is said in each, and nothing written."""
    before = written()
    for language, told in zip(("en", "ru"), words, strict=True):
        browser = Client(headers={"accept-language": language})
        if user is not None:
            browser.force_login(user)
        answer = browser.post(path, body() if callable(body) else body)
        said = page_of(answer).one("main").text if answer.status_code != 302 else ""
        assert (answer.status_code in status, language) == (True, language), answer.status_code
        assert told in said
    assert written() == before


def typed(moment):
    return moment.strftime("%Y-%m-%dT%H:%M")


@pytest.mark.usefixtures("contest")
@pytest.mark.parametrize("missing", APPLICATION)
def test_an_application_with_a_missing_field_names_it(missing):
    before = written()
    body = {name: value for name, value in APPLICATION.items() if name != missing}

    for language, words in (("en", "This field is required."), ("ru", "Обязательное поле.")):
        answer = Client(headers={"accept-language": language}).post(f"{CONTEST}apply/", body)
        page = page_of(answer)
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert [each.text for each in page.find("main .help.bad")] == [words]
        clauses = {"en": "Clauses 3.1 and 4.3 of the reg", "ru": "Пункты 3.1 и 4.3 регламента"}
        assert clauses[language] in page.one("main .notice").text
        assert page.one(f"#id_{missing}")["aria-invalid"] == "true"

    assert written() == before


@pytest.mark.usefixtures("contest")
@pytest.mark.parametrize(
    ("dates", "english", "russian"),
    [
        (
            (-9, -1),
            "Clause 3.1 of the regulation: applications were",
            "Пункт 3.1 регламента: заявки",
        ),
        ((1, 9), "Clause 3.1 of the regulation: applications are", "Пункт 3.1 регламента: заявки"),
    ],
)
def test_an_application_out_of_its_time_is_refused_with_the_moment(dates, english, russian):
    begin, end = (now() + days * DAY for days in dates)
    Contest.objects.update(applications_from=begin, applications_until=end)

    refused(None, f"{CONTEST}apply/", APPLICATION, (english, russian))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("limit", 0), ("limit", 10**9), ("interval", -1), ("sends", 0), ("share", 100.5)),
        *(("window", -5), ("star_to_qualify", 101), ("annulled_to_qualify", 200)),
        *(("share", "nan"), ("limit", "many")),
    ],
)
def test_a_parameter_out_of_range_is_refused_by_its_name(contest, field, value):
    body = {**VALUES, "rules": contest.parameter_sets.get().rules_id, field: value}
    before = written()

    for language in ("en", "ru"):
        browser = Client(headers={"accept-language": language})
        browser.force_login(person("organiser"))
        answer = browser.post(f"{CONTEST}parameters/propose/", body)
        page = page_of(answer)
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "2.17" in page.one("main .page-head").text
        told = [each.text for each in page.find("main form [role=alert]")]
        label = page.one(f"label[for=id_{field}]").text
        at_it = page.one(f"#id_{field}").attributes.get("aria-invalid") == "true"
        assert at_it or any(label.casefold() in each.casefold() for each in told), told

    assert {**written(), "User": 0} == {**before, "User": 0}


@pytest.mark.parametrize(
    ("days", "kind", "english", "russian"),
    [
        (-1, "final", "The start is past.", "Это время уже прошло."),
        (-1, "final", "Clause 7.5 of the regulation", "Пункт 7.5 регламента"),
        (5, "final", "Clause 7.5 of the regulation", "Пункт 7.5 регламента"),
        (-1, "rehearsal", "The start is past.", "Это время уже прошло."),
    ],
)
def test_a_final_in_the_past_or_too_near_is_refused(contest, days, kind, english, russian):
    team_in(contest)
    role = "final" if kind == "final" else "test"
    held = contest.data_sets.get(role=role).essay_set
    start = typed(now() + days * DAY)
    body = {**FINAL, "kind": kind, "essay_set": held.pk, "starts_at": start}

    refused(person("organiser"), f"{CONTEST}manage/finals/plan/", body, (english, russian))


@pytest.mark.parametrize("moment", ["9999-12-31T23:59", "0001-01-01T00:00"])
def test_a_day_at_the_ends_of_the_calendar_is_refused(contest, moment):
    organiser, words = person("organiser"), ("the years 2000 to 2199", "с 2000 по 2199 год")
    held = contest.data_sets.get(role="final").essay_set
    final = {**FINAL, "essay_set": held.pk, "starts_at": moment}
    phase = {"kind": "finals", "starts_at": moment, "ends_at": moment, "sure": "1"}

    refused(organiser, f"{CONTEST}manage/finals/plan/", final, words)
    refused(organiser, f"{CONTEST}manage/phase/", phase, words)


def test_two_finals_that_overlap_are_refused_by_the_name_of_the_other(contest):
    team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    start = (now() + 31 * DAY).replace(second=0)
    organiser = person("organiser")
    run = WantedRun("The first", held, start, Final.Kind.FINAL, 1)
    plan_contest_final(contest=contest, wanted=run, actor=organiser)
    at_once = typed(start.astimezone(ZoneInfo(contest.zone)))
    body = {**FINAL, "essay_set": held.pk, "starts_at": at_once}

    for words in (
        (
            "It would run at the same time as “The first”",
            "Это совпало бы по времени с «The first»",
        ),
        ("Clause 4.4 of the regulation", "Пункт 4.4 регламента"),
    ):
        refused(organiser, f"{CONTEST}manage/finals/plan/", body, words)


@pytest.mark.usefixtures("contest")
def test_a_set_of_another_subject_is_refused():
    other = EssaySetFactory(access="closed")
    EssayFactory(essay_set=other, subject="rus")
    body = {"role": "test", "essay_set": other.pk, "name": ""}

    for words in (
        ("The contest is of the subject", "Предмет конкурса"),
        ("Clause 5.1 of the regulation", "пункт 5.1 регламента"),
    ):
        refused(person("organiser"), f"{CONTEST}manage/sets/", body, words)


def test_a_final_on_a_set_with_an_essay_of_another_subject_is_refused(contest):
    team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    EssayFactory(essay_set=held, subject="rus", number="0007")
    body = {**FINAL, "essay_set": held.pk, "starts_at": typed(now() + 31 * DAY)}

    refused(
        person("organiser"),
        f"{CONTEST}manage/finals/plan/",
        body,
        ("the essay 0007 of the set", "у эссе 0007 выборки"),
    )


def test_essays_of_another_subject_come_into_no_set_of_a_contest(contest):
    coordinator = person("coordinator")
    for role in ("training", "test", "final"):
        held = contest.data_sets.get(role=role).essay_set
        for language, words in (
            ("en", "The set “{set}” belongs to a contest of another subject: essay 0009 is none"),
            ("ru", "Выборка «{set}» относится к конкурсу по другому предмету: эссе 0009"),
        ):
            files = [NamedBytes("0009.txt", "Некий текст.".encode())]
            with translation.override(language):
                (row,) = import_files(files, Options(held, Subject.RUSSIAN, coordinator))
            assert row.outcome == "refused"
            assert row.reason.startswith(words.format(set=held))
        assert not held.essays.filter(number="0009").exists()


def test_a_set_that_is_still_to_be_made_is_of_no_contest_and_takes_any_subject(tmp_path):
    contest = announced("autumn")
    contest.data_sets.all().delete()
    (tmp_path / "0009.txt").write_text("Some text.", encoding="utf-8")
    out = StringIO()

    rules = contest.parameter_sets.get().rules.name
    new = {"set": "May", "make_set": True, "rules": rules, "subject": "social", "dry_run": True}
    call_command("import_essays", tmp_path, **new, stdout=out)

    assert out.getvalue().splitlines()[0] == "essay    0009.txt"


def test_a_contest_does_not_become_one_of_another_subject_than_its_essays_are_of():
    made = prepared("autumn")

    with pytest.raises(Refused, match="The contest is of the subject “Russian”; the essay"):
        describe_contest(contest=made, values={"subject": "rus"}, actor=made.made_by)

    made.refresh_from_db()
    assert made.subject == "eng"


def proposal_of(contest, organiser):
    return propose_parameters(contest=contest, wanted=wanted(limit=50), actor=organiser)


def test_nobody_agrees_to_an_own_proposal_and_nobody_twice(contest):
    judge = person("judge")
    organiser = person("organiser")
    made = proposal_of(contest, organiser)
    path = f"{CONTEST}parameters/{made.version}/consent/"
    body = {"agrees": "1", "reason": ""}
    User.objects.filter(pk=organiser.pk).update(role="judge")
    organiser.refresh_from_db()

    refused(organiser, path, body, ("Clause 2.17 of the regulation: others", "Пункт 2.17"))
    browser = Client()
    browser.force_login(judge)
    assert browser.post(path, body).status_code == 302
    said = Consent.objects.count()
    again = {"words": ("Clause 2.17", "Пункт 2.17"), "status": [HTTPStatus.CONFLICT]}
    refused(judge, path, body, **again)
    refused(person("judge"), path, body, **again)

    assert (said, Consent.objects.count()) == (1, 1)


@pytest.fixture
def predictions():
    return taking_uploads()


def file_of(more="", **fields):
    return {"file": SimpleUploadedFile("a.txt", f"{QAC_RESPONSES}{more}".encode()), **fields}


def test_uploads_over_quota_after_the_end_and_of_another_scheme_are_refused(predictions):
    lynx = team_in(predictions)
    path = f"/contests/{predictions.slug}/uploads/send/"

    refused(
        lynx.account,
        path,
        lambda: file_of(scheme="use"),
        (
            "Clause 5.1 of the regulation: “Contest” takes predictions for “QAC: question",
            "Пункт 5.1 регламента: «Конкурс» принимает ответы для «QAC: ",
        ),
    )
    for more in ("\n", "\n\n"):
        browser = Client()
        browser.force_login(lynx.account)
        assert browser.post(path, file_of(more)).status_code == 302
    over = (
        "Clause 2.17 of the regulation: your team has used its 2",
        "Пункт 2.17 регламента: ваша",
    )
    refused(lynx.account, path, file_of, over, status=(422, 429))
    counted = list(UploadCounter.objects.values_list("of_day", "total"))
    predictions.phases.update(starts_at=now() - 3 * DAY, ends_at=now() - DAY)
    after = ("Clause 4.1 of the regulation: uploads to", "Пункт 4.1 регламента: загрузки")
    refused(lynx.account, path, file_of, after)

    assert counted == [(2, 2)] == list(UploadCounter.objects.values_list("of_day", "total"))
