"""The board of uploads as JSON and CSV: what its page tells, to whom the page tells it."""

from __future__ import annotations

import csv
import io
from datetime import datetime

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest.models import Contest, Phase, PhaseVerdict, Upload, UploadTerms
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from tests.contest.data_world import qac, taking_uploads
from tests.contest.phases import COURSE, say
from tests.contest.test_uploads import GOOD, POOR, sent_by, team_of
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.schemes.inputs import do_all
from tests.test_api_described import check

pytestmark = pytest.mark.django_db
WHY = {"reason": "Marked by hand", "protocol": "No. 5"}
COLUMNS = [
    *("phase", "rank", "name", "final", "public", "public_rank", "uploads"),
    *("state", "upload", "why", "protocol", "since"),
]
KINDS = ("", "json/", "csv/")


@pytest.fixture
def contest():
    """A contest of QAC: Bear and Lynx uploaded a good file, Lynx a poor one before, Owl a poor one.

    Fox uploads something that waits.
    """
    made = taking_uploads(shows_test_board=True)
    lynx, bear, owl, fox = (team_of(made, name) for name in ("Lynx", "Bear", "=Owl", "Fox"))
    for whose, data in ((lynx, POOR), (lynx, GOOD), (bear, GOOD), (owl, POOR)):
        sent_by(whose, data)
    do_all()
    sent_by(fox)
    return made


@pytest.fixture
def organiser():
    return PersonFactory(role="organiser")


def address_of(contest, kind=""):
    return f"/contests/{contest.slug}/uploads/board/{kind}"


def json_of(contest, client=None):
    return (client or Client()).get(address_of(contest, "json/")).json()


def rows_of(contest, asked="", delimiter=","):
    text = Client().get(address_of(contest, "csv/") + asked).content.decode()
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


def upload_of(name, last=True):
    found = Upload.objects.filter(team__name=name).order_by("pk")
    return found.last() if last else found.first()


def approve(contest):
    """The results are approved as they are, after what waits was read."""
    do_all()
    contest.phases.update(ends_at=timezone.now())
    for kind, role in COURSE:
        say(contest, kind, role)


def approved(contest):
    """The moment of the approval, as programs read it."""
    approve(contest)
    return DjangoJSONEncoder().default(PhaseVerdict.objects.get(kind="approved").at)


def board(rows, **fields):
    terms = UploadTerms.objects.get()
    usual = {"phase": "qualification", "still_since": None, "digest": terms.public_digest}
    return {**usual, "salt": None, "rows": rows, "apart": [], "since": [], **fields}


def placed(rank, upload, uploads, **fields):
    """A row of whose upload stands, as it is told before the phase is closed."""
    told = {"rank": rank, "name": upload.team.name, "final": None, "public": upload.public}
    return {**told, "public_rank": rank, "uploads": uploads, **fields}


def test_before_the_approval_programs_read_the_public_part_alone(contest):
    bear, lynx, owl = (upload_of(name) for name in ("Bear", "Lynx", "=Owl"))

    answer = Client().get(address_of(contest, "json/"))

    rows = [placed(1, bear, 1), placed(1, lynx, 2), placed(3, owl, 1)]
    assert answer.json() == {"contest": contest.slug, "boards": [board(rows)]}
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    assert bear.final is not None
    assert b"Fox" not in answer.content


def test_after_it_the_final_part_decides_and_the_moment_is_told(contest):
    finals = {"Bear": 0.25, "Fox": 0.75, "Lynx": 0.25, "=Owl": 0.5}
    do_all()
    for name, share in finals.items():
        Upload.objects.filter(team__name=name).update(final=share)
    at = approved(contest)

    found = json_of(contest)

    rows = [
        placed(1, upload_of("Fox"), 1, final=0.75),
        placed(2, upload_of("=Owl"), 1, final=0.5, public_rank=4),
        placed(3, upload_of("Bear"), 1, final=0.25, public_rank=1),
        placed(3, upload_of("Lynx"), 2, final=0.25, public_rank=1),
    ]
    told = board(rows, still_since=at, salt=UploadTerms.objects.get().salt)
    assert found == {"contest": contest.slug, "boards": [told]}


def test_a_phase_that_is_closed_without_such_a_protocol_does_not_stand_still(contest):
    Phase.objects.update(closed_at=timezone.now())

    (found,) = json_of(contest)["boards"]

    assert (found["still_since"], found["salt"]) == (None, UploadTerms.objects.get().salt)
    assert [each["final"] for each in found["rows"]] == [
        upload_of(each["name"]).final for each in found["rows"]
    ]


def test_what_stands_apart_is_told_with_its_reason_and_protocol(contest, organiser):
    said = {"contest": contest, "actor": organiser, **WHY}
    upload, owl = upload_of("Lynx"), upload_of("=Owl").team
    annul_solution(solution=upload, **said)
    exclude_team(team=owl, **said)

    found = json_of(contest)
    table = rows_of(contest)

    bear, lynx = upload_of("Bear"), upload_of("Lynx", last=False)
    why = {"words": "Marked by hand", "protocol": "No. 5"}
    apart = [
        {"name": "Lynx", "upload": "answers.txt", "reason": "annulled", **why},
        {"name": "=Owl", "upload": None, "reason": "excluded", **why},
    ]
    rows = [placed(1, bear, 1), placed(2, lynx, 1)]
    assert found == {"contest": contest.slug, "boards": [board(rows, apart=apart)]}
    public = [str(each.public) for each in (bear, lynx)]
    of, why = "qualification", ["Marked by hand", "No. 5"]
    assert table == [
        COLUMNS,
        [of, "1", "Bear", "", public[0], "1", "1", "ranked", *[""] * 4],
        [of, "2", "Lynx", "", public[1], "2", "1", "ranked", *[""] * 4],
        [of, "", "Lynx", *[""] * 4, "annulled", "answers.txt", *why, ""],
        [of, "", "'=Owl", *[""] * 4, "excluded", "", *why, ""],
    ]


def test_what_is_decided_since_the_approval_stands_beside_the_approved_places(contest, organiser):
    said = {"contest": contest, "actor": organiser}
    lynx, owl, bear, fox = (upload_of(name) for name in ("Lynx", "=Owl", "Bear", "Fox"))
    annul_solution(solution=lynx, **said, **WHY)
    exclude_team(team=owl.team, **said, **WHY)
    at = approved(contest)
    (before,) = json_of(contest)["boards"]
    lift_annulment(solution=lynx, reason="A mistake", **said)
    take_team_back(team=owl.team, reason="A mistake", **said)
    annul_solution(solution=bear, **said, **WHY)
    exclude_team(team=fox.team, **said, **WHY)

    (after,) = json_of(contest)["boards"]
    table = rows_of(contest)

    why = {"words": "Marked by hand", "protocol": "No. 5"}
    unsaid = {"words": None, "protocol": None}
    assert [(each["rank"], each["name"]) for each in before["rows"]] == [
        (1, "Bear"),
        (1, "Fox"),
        (3, "Lynx"),
    ]
    assert (before["since"], before["still_since"]) == ([], at)
    assert after == before | {
        "since": [
            {"name": "Bear", "upload": "answers.txt", "since": "annulled", **why},
            {"name": "Fox", "upload": None, "since": "excluded", **why},
            {"name": "Lynx", "upload": "answers.txt", "since": "stands", **unsaid},
            {"name": "=Owl", "upload": None, "since": "stands", **unsaid},
        ]
    }
    of, nothing, why = "qualification", [""] * 5, ["Marked by hand", "No. 5"]
    assert table[-4:] == [
        [of, "", "Bear", *nothing, "answers.txt", *why, "annulled"],
        [of, "", "Fox", *nothing, "", *why, "excluded"],
        [of, "", "Lynx", *nothing, "answers.txt", "", "", "stands"],
        [of, "", "'=Owl", *nothing, "", "", "", "stands"],
    ]


def test_the_table_opens_in_a_spreadsheet_and_no_name_is_a_formula_there(contest):
    bear, lynx, owl = (str(upload_of(name).public) for name in ("Bear", "Lynx", "=Owl"))

    table = rows_of(contest)

    of, nothing = "qualification", [""] * 4
    assert table == [
        COLUMNS,
        [of, "1", "Bear", "", bear, "1", "1", "ranked", *nothing],
        [of, "1", "Lynx", "", lynx, "1", "2", "ranked", *nothing],
        [of, "3", "'=Owl", "", owl, "3", "1", "ranked", *nothing],
    ]


def test_the_page_leads_to_both_and_in_russian_to_the_table_of_russian_excel(contest):
    def tools(language):
        page = page_of(Client(headers={"accept-language": language}).get(address_of(contest)))
        return [(each.text, each["href"]) for each in page.find(".page-head .tools a")]

    table, told = address_of(contest, "csv/"), address_of(contest, "json/")
    assert tools("en") == [("CSV", table), ("JSON", told)]
    russian = ("Excel", f"{table}?form=csv-ru")
    assert tools("ru") == [("CSV", table), russian, ("JSON", told)]
    points = [row[4] for row in rows_of(contest)]
    commas = [row[4] for row in rows_of(contest, "?form=csv-ru", ";")]
    assert commas == [each.replace(".", ",") for each in points]
    assert "," in commas[1]


def test_the_page_says_since_when_the_places_stay(contest):
    words = "The results are approved; the places stay since"
    before = page_of(Client().get(address_of(contest))).one("main").text

    at = approved(contest)

    page = page_of(Client(headers={"accept-language": "en"}).get(address_of(contest))).one("main")
    assert (words in before, words in page.text) == (False, True)
    assert datetime.fromisoformat(page.one("time")["datetime"]).replace(
        microsecond=0
    ) == datetime.fromisoformat(at).replace(microsecond=0)
    russian = Client(headers={"accept-language": "ru"}).get(address_of(contest))
    assert "Итоги утверждены; места не меняются с" in page_of(russian).one("main").text


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_may_not_read_the_board_finds_none_of_its_files(contest, log_in, kind):
    own, other = team_of(contest, "Hare").account, team_of(qac(), "Wolf").account
    readers = [Client(), *(log_in(each) for each in (own, other, PersonFactory()))]
    judge, address = log_in(PersonFactory(role="judge")), address_of(contest, kind)

    def answered():
        return [each.get(address).status_code for each in (*readers, judge)]

    assert answered() == [200] * 5
    Contest.objects.filter(pk=contest.pk).update(shows_test_board=False)
    assert answered() == [404, 404, 404, 404, 200]
    Contest.objects.filter(pk=contest.pk).update(announced_at=None, shows_test_board=True)
    assert answered() == [404, 404, 404, 404, 200]
    assert judge.get(f"/contests/nowhere/uploads/board/{kind}").status_code == 404
    assert judge.get(f"/contests/{qac().slug}/uploads/board/{kind}").status_code == 404


def test_strangers_read_what_staff_read_and_no_login_stands_there(contest, log_in):
    judge = log_in(PersonFactory(role="judge"))
    logins = Upload.objects.values_list("team__account__username", flat=True)

    answers = [Client().get(address_of(contest, kind)) for kind in KINDS[1:]]

    assert json_of(contest) == json_of(contest, judge)
    for answer in answers:
        assert [each for each in logins if each in answer.content.decode()] == []
    assert "Lynx" in answers[0].content.decode()


@pytest.mark.parametrize("visitor", ["stranger", "judge"])
def test_files_are_kept_by_browsers_as_the_page_is(contest, log_in, visitor):
    client = Client() if visitor == "stranger" else log_in(PersonFactory(role="judge"))
    page, *files = (client.get(address_of(contest, kind)) for kind in KINDS)

    assert [each.get("Cache-Control") for each in files] == [page.get("Cache-Control")] * 2
    assert [client.head(address_of(contest, kind)).status_code for kind in KINDS] == [200] * 3
    assert [client.post(address_of(contest, kind)).status_code for kind in KINDS] == [405] * 3


@pytest.mark.parametrize("is_approved", [False, True])
def test_twenty_teams_cost_what_two_do(is_approved):
    def queries(teams):
        contest = taking_uploads(shows_test_board=True)
        for number in range(teams):
            sent_by(team_of(contest, f"Team {number}"), GOOD)
        do_all()
        if is_approved:
            approve(contest)
        found = []
        for kind in KINDS:
            with CaptureQueriesContext(connection) as asked:
                assert Client().get(address_of(contest, kind)).status_code == 200
            found.append(len(asked))
        return found

    assert queries(2) == queries(20)


def test_programs_find_the_board_of_uploads_by_the_api(contest, log_in):
    described = log_in(PersonFactory(role="judge")).get("/api/schema/?format=json").json()
    reader, address = log_in(PersonFactory(role="participant")), f"/api/contests/{contest.slug}/"

    answer = reader.get(address)
    Contest.objects.filter(pk=contest.pk).update(shows_test_board=False)
    hidden = reader.get(address)

    check(described, "/api/contests/{slug}/", "get", answer)
    check(described, "/api/contests/{slug}/", "get", hidden)
    place = {"page": address_of(contest), "json": address_of(contest, "json/")}
    assert (answer.json()["upload_board"], hidden.json()["upload_board"]) == (place, None)
    assert Client().get(place["json"]).status_code == 404
