"""Every cell of the table of who sees what, walked through the real pages and the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.roles import STAFF
from annotator.core.visibility import (
    VISIBILITY,
    Relation,
    Sight,
    Stage,
    stages_measuring,
    stages_showing,
)
from annotator.models import MarkupRecord
from tests.contest.world import handed
from tests.examples import share
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    nine_more,
    submitted,
)
from tests.pages import page_of
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

TABLE = """
#               training    test        finals      published   practice
staff           history     history     history     history     history
participant     checks      figures     nothing     checks      nothing
handed          checks      text        text        checks      nothing
expert          nothing     nothing     nothing     nothing     nothing
given           text        text        text        text        nothing
third           checks      checks      checks      checks      nothing
third-blind     text        text        text        text        nothing
done            everything  everything  everything  everything  nothing
trying          text        text        text        text        text
tried           text        text        text        text        key
"""
ROWS = [line.split() for line in TABLE.splitlines() if line and line[0] != "#"]
CELLS = [
    (who, stage.value, sight) for who, *row in ROWS for stage, sight in zip(Stage, row, strict=True)
]
SETS = {
    "training": {"access": "open"},
    "test": {"access": "closed"},
    "finals": {"access": "final"},
    "published": {"access": "final", "published_at": timezone.now() - timedelta(days=1)},
    "practice": {"access": "practice"},
}
DOORS = {
    "text": ["/essays/{essay}/", "/essays/{essay}/accuracy/", "/api/essays/{essay}/"],
    "key": [
        *("/markups/{key}/", "/markups/{key}/json/", "/markups/{key}/text/"),
        *("/markups/{key}/comparison/", "/compare/{key}/{key}/", "/api/markups/{key}/"),
        *("/compare/{key}/{key}/json/", "/api/comparisons/{key}/{key}/"),
    ],
    "checks": [
        *("/markups/{one}/", "/markups/{one}/json/", "/markups/{one}/text/"),
        *("/markups/{one}/comparison/", "/compare/{one}/{other}/", "/compare/{other}/{one}/"),
        *("/compare/{one}/{other}/json/", "/compare/{one}/{other}/csv/"),
        *("/api/markups/{one}/", "/api/comparisons/{one}/{other}/", "/api/markups/{one}/scores/"),
    ],
    "everything": ["/markups/{robot}/", "/compare/{robot}/{one}/", "/api/markups/{robot}/"],
    "history": ["/compare/{old}/{one}/", "/markups/{old}/comparison/", "/compare/{old}/{robot}/"],
}
"""The doors that open with each step of sight."""
SECRET = "people"
"""A word of the essay."""
REASON = "a plural of one"
"""What the experts wrote of their marks."""


class Essay:
    """An essay of a set with the markups of two experts and of an algorithm, one of it old."""

    def __init__(self, stage, **rules):
        self.essay = EssayFactory(essay_set=EssaySetFactory(**SETS[stage], **rules))
        mark = fragment(5, 11, comment=REASON)
        author = PersonFactory(role="participant")
        algorithm = {"author": author, "source": MarkupRecord.Source.ALGORITHM}
        old = submitted(self.essay, mark, **algorithm)
        MarkupRecord.objects.filter(pk=old.pk).update(state="superseded")
        self.numbers = {
            "essay": self.essay.pk,
            "one": submitted(self.essay, mark).pk,
            "other": submitted(self.essay, mark).pk,
            "robot": submitted(self.essay, mark, **algorithm).pk,
            "old": old.pk,
            "key": submitted(self.essay, mark, source=MarkupRecord.Source.KEY).pk,
            "draft": DraftFactory(assignment__essay=self.essay, assignment__role="second").pk,
        }

    def somebody(self, who):
        """A person who is this to the essay."""
        if who == "participant":
            return PersonFactory(role="participant")
        if who == "handed":
            return handed(self.essay)
        roles = {"given": "first", "third": "third", "third-blind": "third", "done": "first"}
        person = PersonFactory()
        if who in ("trying", "tried"):
            source = MarkupRecord.Source.PRACTICE
            own = submitted(self.essay, author=person, source=source)
            if who == "trying":
                MarkupRecord.objects.filter(pk=own.pk).update(state="draft")
        if who in roles:
            state = "submitted" if who == "done" else "working"
            AssignmentFactory(essay=self.essay, expert=person, role=roles[who], state=state)
        return person


def essay_for(who, stage):
    return Essay(stage, rules__blind_first=who == "third-blind")


def essays_of_all_stages():
    """An essay of every stage, without and with a blind third check: for whom, in which stage."""
    asked = ("third", "third-blind")
    made = {(who == "third-blind", stage): essay_for(who, stage) for who in asked for stage in SETS}
    return lambda who, stage: made[who == "third-blind", stage]


@pytest.fixture(scope="module")
def essays(module_rows):  # noqa: ARG001 - rows of the module
    """Tests change none of them."""
    return essays_of_all_stages()


def opened(client, essay, turn=0):
    """The steps of sight whose doors are all open; a step is open as a whole or not at all.

    In the fast tier one door of each step is tried, and which one by turn.
    """
    found = ["nothing"]
    for step, doors in DOORS.items():
        tried = share(doors, len(doors), turn)
        statuses = {door: client.get(door.format(**essay.numbers)).status_code for door in tried}
        assert set(statuses.values()) in ({200}, {404}), statuses
        if 200 in statuses.values():
            found.append(step)
    return found


@pytest.mark.parametrize(("who", "stage", "sight"), [cell for cell in CELLS if cell[0] != "staff"])
def test_every_cell_of_the_table_opens_its_doors_and_no_other(essays, log_in, who, stage, sight):
    essay = essays(who, stage)
    client = log_in(essay.somebody(who))
    steps = ["nothing", *DOORS]

    found = opened(client, essay, CELLS.index((who, stage, sight)))

    highest = "nothing" if sight == "figures" else sight
    assert found == steps[: steps.index(highest) + 1]


@pytest.mark.parametrize("stage", SETS)
@pytest.mark.parametrize("role", sorted(STAFF))
def test_the_staff_sees_everything_in_every_stage(essays, log_in, role, stage):
    essay = essays(role, stage)

    turn = len(role) + len(stage)
    assert opened(log_in(PersonFactory(role=role)), essay, turn) == ["nothing", *DOORS]


@pytest.mark.parametrize(("who", "stage", "_sight"), CELLS)
def test_nobody_but_its_author_sees_a_draft(essays, log_in, who, stage, _sight):
    essay = essays(who, stage)
    client = log_in(PersonFactory(role="judge") if who == "staff" else essay.somebody(who))
    draft, one = essay.numbers["draft"], essay.numbers["one"]
    doors = (f"/markups/{draft}/", f"/compare/{draft}/{one}/", f"/api/markups/{draft}/")

    assert [client.get(door).status_code for door in doors] == [404, 404, 404]


@pytest.mark.parametrize(
    ("stage", "shown"),
    [("training", "text"), ("test", "figures"), ("finals", None), ("published", "text")],
)
def test_what_a_participant_sees_of_the_own_markup_beside_an_experts(log_in, stage, shown):
    essay = Essay(stage)
    participant = PersonFactory(role="participant")
    own = nine_more(
        submitted(essay.essay, fragment(0, 4), author=participant, source="algorithm")
    ).pk
    one, robot = essay.numbers["one"], essay.numbers["robot"]
    client = log_in(participant)

    page = client.get(f"/compare/{own}/{one}/")
    rival = client.get(f"/compare/{own}/{robot}/")
    file = client.get(f"/compare/{own}/{one}/json/")
    table = client.get(f"/compare/{own}/{one}/csv/")
    api = client.get(f"/api/comparisons/{own}/{one}/")

    assert rival.status_code == 404
    if shown is None:
        assert {each.status_code for each in (page, file, table, api)} == {404}
        return
    is_text = shown == "text"
    assert (page.status_code, file.status_code) == (200, 200)
    assert (table.status_code, api.status_code) == ((200, 200) if is_text else (404, 404))
    assert ("pairs" in file.json(), SECRET in page.content.decode()) == (is_text, is_text)
    assert (REASON in page.content.decode()) is is_text
    words = page_of(page)
    assert bool(words.find("[data-m]")) is is_text
    assert len(words.find(".bars dd b")) == 6


def test_figures_of_a_test_set_name_neither_experts_nor_codes(log_in):
    essay = Essay("test")
    participant = PersonFactory(role="participant")
    sent = submitted(essay.essay, fragment(0, 4), author=participant, source="algorithm")
    own = nine_more(sent).pk
    expert = MarkupRecord.objects.get(pk=essay.numbers["one"]).author

    address = f"/compare/{own}/{essay.numbers['one']}/"
    client = log_in(participant)
    shown = client.get(address).content.decode() + client.get(f"{address}json/").content.decode()

    assert [word for word in (expert.username, "А.грамм", "Some", REASON) if word in shown] == []


def test_finals_open_at_the_moment_of_their_publication(log_in):
    essay = Essay("finals")
    client = log_in(PersonFactory(role="participant"))
    address = f"/compare/{essay.numbers['one']}/{essay.numbers['other']}/"
    found = []
    for published_at in (timedelta(minutes=1), timedelta(seconds=-1)):
        essay.essay.essay_set.published_at = timezone.now() + published_at
        essay.essay.essay_set.save()
        found.append(client.get(address).status_code)

    assert found == [404, 200]


@pytest.mark.parametrize(("minutes", "status"), [(5, 404), (-5, 200)])
def test_the_clock_of_the_web_server_publishes_nothing(log_in, web_clock, minutes, status):
    essay = Essay("finals")
    essay.essay.essay_set.published_at = timezone.now() + timedelta(minutes=minutes)
    essay.essay.essay_set.save()
    client = log_in(PersonFactory(role="participant"))

    web_clock(2 * 60 * minutes)

    assert client.get(f"/markups/{essay.numbers['one']}/").status_code == status


@pytest.mark.parametrize("access", ["open", "closed"])
def test_a_date_of_publication_means_nothing_to_other_sets(log_in, access):
    essay = Essay("training" if access == "open" else "test")
    essay.essay.essay_set.published_at = timezone.now() + timedelta(
        days=1 if access == "open" else -1
    )
    essay.essay.essay_set.save()
    client = log_in(PersonFactory(role="participant"))

    status = client.get(f"/markups/{essay.numbers['one']}/").status_code

    assert status == (200 if access == "open" else 404)


@pytest.mark.parametrize("role", ["first", "third"])
def test_an_expert_who_has_the_essay_once_more_sees_no_other_first_marking(log_in, role):
    essay = Essay("test")
    expert = PersonFactory()
    AssignmentFactory(essay=essay.essay, expert=expert, role=role, state="submitted")
    AssignmentFactory(essay=essay.essay, expert=expert, role="first", state="waiting", round=2)

    assert opened(log_in(expert), essay) == ["nothing", "text"]


@pytest.mark.parametrize("stage", SETS)
@pytest.mark.parametrize("who", ["given", "third-blind"])
def test_an_own_draft_tells_nothing_of_anothers_check_before_it_is_submitted(log_in, who, stage):
    essay = essay_for(who, stage)
    person = essay.somebody(who)
    own = DraftFactory(assignment=person.assignments.get()).pk
    client, one = log_in(person), essay.numbers["one"]
    pairs = (f"{own}/{one}/", f"{one}/{own}/")
    doors = [f"/compare/{pair}{form}" for pair in pairs for form in ("", "json/", "csv/")]
    doors += [f"/api/comparisons/{pair}" for pair in pairs]
    tried = share(doors, 3, len(who) + len(stage))

    assert {client.get(door).status_code for door in tried} == {404}
    assert client.get(f"/api/markups/{own}/scores/").json()["scores"] == []
    assert client.get(f"/compare/{own}/{own}/").status_code == 200


def test_lists_of_the_api_show_what_the_table_shows(log_in):
    lists = {}
    for stage in SETS:
        essay = Essay(stage)
        answer = log_in(PersonFactory(role="participant")).get(
            f"/api/essays/{essay.essay.pk}/markups/"
        )
        is_shown = answer.status_code == 200
        shown = [each["id"] for each in answer.json()["results"]] if is_shown else None
        lists[stage] = shown and sorted(shown) == sorted(
            [essay.numbers["one"], essay.numbers["other"], essay.numbers["key"]]
        )

    assert lists == dict.fromkeys(SETS) | {"training": True, "published": True}


def test_this_table_is_that_of_the_code():
    said = {
        who: [Sight[sight.upper()] for sight in row] for who, *row in ROWS if who != "third-blind"
    }

    assert said == {relation.value: list(row.values()) for relation, row in VISIBILITY.items()}
    assert set(VISIBILITY) == set(Relation)
    assert all(set(row) == set(Stage) for row in VISIBILITY.values())


def test_stages_are_asked_by_what_they_show_at_least():
    assert {sight.name: len(stages_showing(Relation.PARTICIPANT, sight)) for sight in Sight} == {
        "NOTHING": 5,
        "FIGURES": 3,
        "TEXT": 2,
        "KEY": 2,
        "CHECKS": 2,
        "EVERYTHING": 0,
        "HISTORY": 0,
    }


def test_who_sees_the_text_alone_sees_no_figures():
    assert {relation.value: len(stages_measuring(relation)) for relation in Relation} == {
        "staff": 5,
        "participant": 3,
        "handed": 2,
        "expert": 0,
        "given": 0,
        "third": 4,
        "done": 4,
        "trying": 0,
        "tried": 0,
    }


def test_tables_of_figures_are_shown_by_stage_and_participation(log_in):
    outsider, insider = (PersonFactory(role="participant") for _ in range(2))
    names = {}
    for stage in SETS:
        essay = Essay(stage)
        names[stage] = essay.essay.essay_set.name
        submitted(essay.essay, author=insider, source="algorithm")
    people = {
        "judge": PersonFactory(role=User.Role.JUDGE),
        "expert": PersonFactory(),
        "outsider": outsider,
        "insider": insider,
    }

    shown = {}
    for who, person in people.items():
        heads = [each.text for each in page_of(log_in(person).get("/scores/")).find(".lead h2")]
        shown[who] = [stage for stage, name in names.items() if name in heads]

    assert shown == {
        "judge": ["training", "test", "finals", "published"],
        "expert": ["training", "published"],
        "outsider": ["training", "published"],
        "insider": ["training", "test", "published"],
    }
