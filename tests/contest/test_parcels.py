"""Archives of markups: what is taken, what is refused and why, and twice the same."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from annotator.core.values import MarkedFile, Markup, Meta
from annotator.models import MarkupRecord
from annotator.services.markup import send_markup
from contest import tasks
from contest.models import Parcel
from contest.services.uploads import parcels
from contest.services.uploads.parcels import send_parcel
from jobs.models import Job
from tests.contest.world import answer, handed, team
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db
TEXT = "He have a dog."
BRACKETS = "Предмет: английский\n\nHe (\\ А.грамм \\ have >> has \\) a dog."


@pytest.fixture
def person():
    return team()


@pytest.fixture
def essay_set():
    found = EssaySetFactory(access="open", takes_parcels=True)
    for number in ("0001", "0002", "0003"):
        EssayFactory(essay_set=found, number=number, text=TEXT)
    return found


def zipped(**files):
    """An archive of files by their names, of the same bytes at any second."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    content.seek(0)
    content.name = "markups.zip"
    return content


def send(person, essay_set, **files):
    archive = zipped(**files)
    parcel, _is_new = send_parcel(
        participant=person, essay_set=essay_set, name="markups.zip", stream=archive
    )
    return parcel


def taken(parcel):
    """The jobs of a parcel done; what became of its files, by their names."""
    for _ in range(9):
        waiting = Job.objects.filter(kind="contest.take_parcel", state=Job.State.QUEUED)
        for job in waiting:
            tasks.take_parcel(job.pk)
    states = Job.objects.filter(kind="contest.take_parcel").values_list("state", "error")
    assert set(states) == {("done", "")}
    parcel.refresh_from_db()
    return {each.name: each.reason or each.outcome for each in parcel.files.all()}


def current_of(person):
    found = MarkupRecord.objects.filter(author=person, state="submitted").order_by("essay__number")
    return [(each.essay.number, each.origin, len(each.rows())) for each in found]


def essays_of(essay_set):
    return list(essay_set.essays.order_by("number"))


def test_each_file_is_a_submission_or_is_refused_with_its_reason(person, essay_set):
    first, second, _third = essays_of(essay_set)
    login = person.username
    files = {
        "0001.json": answer(first),
        f"deep/0002_{login}.txt": BRACKETS,
        "0003.json": b"[1",
        "0003_exp01.json": answer(first),
        "0003_rival.txt": BRACKETS,
        "0003 (1).json": answer(first),
        "0004.json": answer(first),
        "again/0001.json": answer(first, code="А.лекс"),
        "../0003.json": answer(first),
        "0003.md": b"# no",
        "more/0003.json": answer(second),
        "most/0003.txt": "Предмет: английский\n\nQuite another text.",
        "none/0003.txt": "Предмет: английский\n",
        "wrapped/0003.json": json.dumps({"essay": {"text": TEXT, "markups": []}}),
    }

    parcel = send(person, essay_set, **files)
    told = taken(parcel)

    assert told.pop("0003.json").startswith("line 1, column 3: This is not JSON")
    assert told.pop("more/0003.json").startswith("meta.id: This says “0002”, but")
    assert told == {
        "0001.json": "taken",
        f"deep/0002_{login}.txt": "taken",
        "0003_exp01.json": "The file’s name says that the markup is by exp01, and you are "
        f"{login}. Name it by the essay’s number alone.",
        "0003_rival.txt": "The file’s name says that the markup is by rival, and you are "
        f"{login}. Name it by the essay’s number alone.",
        "0003 (1).json": "The name looks like that of a copy of “0003”. Leave the file out, or "
        "name it so.",
        "0004.json": "There is no essay 0004 in the set.",
        "again/0001.json": f"Another file holds another markup of essay 0001 by {login}. Keep one.",
        "../0003.json": "The file’s path leads out of the archive.",
        "0003.md": "Only .txt and .json files are read from an archive.",
        "most/0003.txt": "The text is not that of essay 0003 any more. In line 1 of the essay "
        "stands “He have a dog.”, in the file “Quite another text.”. Put it back as it was handed "
        "out: only brackets are added.",
        "none/0003.txt": "The file holds no text. Send the whole text of essay 0003, with brackets "
        "where it is marked.",
        "wrapped/0003.json": "The file holds an essay with all its markups. Send a file of "
        "your own markup alone.",
    }
    assert current_of(person) == [("0001", "", 1), ("0002", "", 1)]
    assert (parcel.state, parcel.taken, parcel.known, parcel.refused) == ("done", 2, 0, 12)
    assert bytes(parcel.content) == b""


def test_the_same_archive_twice_changes_nothing(person, essay_set):
    files = {f"{each.number}.json": answer(each) for each in essays_of(essay_set)}
    first = send(person, essay_set, **files)
    archive = zipped(**files)
    waiting = send_parcel(participant=person, essay_set=essay_set, name="a.zip", stream=archive)
    assert waiting == (first, False)
    taken(first)
    before = list(MarkupRecord.objects.filter(author=person).values_list("pk", "state"))

    second = send(person, essay_set, **files)

    assert second != first
    assert set(taken(second).values()) == {"known"}
    assert list(MarkupRecord.objects.filter(author=person).values_list("pk", "state")) == before


def test_a_free_markup_gives_way_and_an_answer_of_a_session_stays(person, essay_set):
    first = essays_of(essay_set)[0]
    free = MarkedFile(Meta(), Markup(first.text, (fragment(3, 7), fragment(8, 9))))
    send_markup(essay=first, author=person, file=free, client_key=None)

    taken(send(person, essay_set, **{"0001.json": answer(first)}))

    assert current_of(person) == [("0001", "", 1)]


def test_a_worker_that_was_killed_goes_on_where_it_stood(person, essay_set, monkeypatch):
    monkeypatch.setattr(parcels, "CHUNK", 2)
    files = {f"{each.number}.json": answer(each) for each in essays_of(essay_set)}
    parcel = send(person, essay_set, **files)
    stored = list(parcels._files(parcel))
    parcels._take_in(parcel, *stored[0])  # what a first try had done

    told = taken(parcel)

    assert set(told.values()) == {"taken"}
    assert MarkupRecord.objects.filter(author=person).count() == 3
    assert Job.objects.filter(kind="contest.take_parcel").count() == 2


@pytest.mark.parametrize(
    ("fields", "is_taken"),
    [
        ({}, True),
        ({"access": "closed"}, False),
        ({"takes_parcels": False}, False),
        ({"access": "final"}, False),
        ({"state": "closed"}, False),
        ({"state": "preparing"}, False),
    ],
)
def test_a_set_says_whether_it_takes_archives(person, fields, is_taken):
    essay_set = EssaySetFactory(**{"access": "open", "takes_parcels": True, **fields})
    essay = EssayFactory(essay_set=essay_set)
    files = {f"{essay.number}.json": answer(essay)}

    if is_taken:
        assert set(taken(send(person, essay_set, **files)).values()) == {"taken"}
    else:
        with pytest.raises(Refused, match="takes no archives"):
            send(person, essay_set, **files)


def test_of_a_test_set_essays_are_taken_that_a_session_gave_out():
    essay_set = EssaySetFactory(access="closed", takes_parcels=True)
    given, other = EssayFactory(essay_set=essay_set), EssayFactory(essay_set=essay_set)
    files = {f"{each.number}.json": answer(each) for each in (given, other)}

    told = taken(send(handed(given), essay_set, **files))

    assert list(told.values()) == ["taken", f"There is no essay {other.number} in the set."]


def test_an_empty_file_of_a_markup_is_called_empty(person, essay_set):
    said = "The file is empty. Send a markup, be it one without fragments."

    told = taken(send(person, essay_set, **{"0001.json": b"\n", "0002.json": b""}))

    assert told == {"0001.json": said, "0002.json": said}


def test_of_very_many_problems_of_a_file_the_first_are_told_and_the_others_counted(
    person, essay_set
):
    first, second, _third = essays_of(essay_set)
    place = {"startSelection": 0, "endSelection": 4}
    unread = [{**place, "type": 5}] * 30
    unknown = [{**place, "type": f"Х{n}"} for n in range(30)]
    odd = [{**place, "type": "А.грамм", f"key{n}": 1} for n in range(30)]
    files = {
        "0001.json": json.dumps({"text": first.text, "selections": unread}),
        "0002.json": json.dumps({"text": second.text, "selections": unknown}),
        "0003.json": json.dumps({"text": TEXT, "selections": odd}),
    }

    parcel = send(person, essay_set, **files)
    taken(parcel)

    more = "Further problems: 10. “razbor validate” names all of them."
    rows = {each.name: each for each in parcel.files.all()}
    assert {name: (len(each.reasons), each.reasons[-1:]) for name, each in rows.items()} == {
        "0001.json": (21, [more]),
        "0002.json": (21, [more]),
        "0003.json": (0, []),
    }
    assert rows["0002.json"].reasons[19] == (
        "fragment 20: The code “Х19” is not in the classifier of this subject. Check its spelling."
    )
    assert rows["0002.json"].reason == " ".join(rows["0002.json"].reasons)
    remarks = rows["0003.json"].remarks
    assert (len(remarks), remarks[-1]) == (21, more)


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"no archive", zipped().read()])
def test_what_is_no_archive_is_refused_at_once(person, essay_set, content):
    with pytest.raises(Refused, match="not a ZIP archive"):
        send_parcel(
            participant=person, essay_set=essay_set, name="a.zip", stream=io.BytesIO(content)
        )

    assert not Parcel.objects.exists()


def test_a_fourth_archive_waits_for_the_others(person, essay_set):
    first = essays_of(essay_set)[0]
    for code in ("А.грамм", "А.лекс", "А.орф"):
        send(person, essay_set, **{"0001.json": answer(first, code=code)})

    with pytest.raises(Refused, match="not taken in yet"):
        send(person, essay_set, **{"0001.json": answer(first, code="А.стиль")})


def test_a_participant_sends_on_the_page_and_reads_what_was_refused(person, essay_set, log_in):
    browser = log_in(person)
    first = essays_of(essay_set)[0]
    files = {"0001.json": answer(first), "9.json": answer(first)}

    sent = browser.post(
        "/exchange/parcels/send/", {"essay_set": essay_set.pk, "file": zipped(**files)}
    )
    under_way = page_of(browser.get(sent.url))
    taken(Parcel.objects.get())
    page = page_of(browser.get(sent.url))

    assert under_way.find("#parcel")[0]["hx-trigger"] == "every 2s"
    assert not page.find("#parcel[hx-trigger]")
    rows = [each.text.split() for each in page.find("tbody tr")]
    assert rows[0][0] == "9.json"
    assert " ".join(rows[0]).endswith("There is no essay 9 in the set.")
    assert rows[1] == ["0001.json", "taken"]
    on_a_phone = page_of(browser.get("/exchange/parcels/")).find("td.a-left")
    assert [(each["data-label"], each.text) for each in on_a_phone] == [("Refused", "1")]
    assert log_in(team()).get(sent.url).status_code == 404
    assert log_in(PersonFactory(role="coordinator")).get(sent.url).status_code == 200


def test_programs_send_by_the_name_of_the_set(person, essay_set, log_in):
    browser = log_in(person)
    first = essays_of(essay_set)[0]
    files = {"0001.json": answer(first), "9.json": answer(first)}

    sent = browser.post(
        "/api/exchange/parcels/", {"essay_set": essay_set.name, "file": zipped(**files)}
    )
    taken(Parcel.objects.get())
    address = f"/api/exchange/parcels/{sent.json()['id']}/"
    line, listed = browser.get(address).json(), browser.get(f"{address}files/").json()

    assert (sent.status_code, sent.json()["state"]) == (201, "waiting")
    assert (line["state"], line["taken"], line["refused"]) == ("done", 1, 1)
    assert [each["name"] for each in listed["results"]] == ["9.json", "0001.json"]
    assert listed["results"][0]["reason"] == "There is no essay 9 in the set."
    wrong = browser.post("/api/exchange/parcels/", {"essay_set": "none", "file": zipped(**files)})
    told = f"No set of this name takes archives from you now. These do: “{essay_set}”."
    assert (wrong.status_code, wrong.json()["fields"]) == (400, {"essay_set": [told]})


def test_what_the_page_cannot_take_is_told_beside_the_file_and_its_set_stays(
    person, essay_set, log_in
):
    browser = log_in(person)
    empty = page_of(browser.get("/exchange/parcels/"))

    wrong = browser.post(
        "/exchange/parcels/send/", {"essay_set": essay_set.pk, "file": io.BytesIO(b"no archive")}
    )

    page = page_of(wrong)
    chosen = f'#id_essay_set option[selected][value="{essay_set.pk}"]'
    assert (wrong.status_code, len(empty.find(chosen)), len(page.find(chosen))) == (422, 1, 1)
    (told,) = page.find(".help.bad")
    assert told.text == "This is not a ZIP archive with files in it, or it is damaged."
