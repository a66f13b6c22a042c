"""``razbor exchange --zip`` against a platform that really listens."""

from __future__ import annotations

import zipfile

import pytest

from accounts.services.tokens import issue_token
from annotator.models import MarkupRecord
from contest.models import Parcel
from razbor.client import Exchange, as_form
from tests.contest.world import answer, team
from tests.factories import EssayFactory, EssaySetFactory


@pytest.fixture
def essay_set(transactional_db):  # noqa: ARG001 - the rows need the database
    return EssaySetFactory(access="open", takes_parcels=True, name="Открытая № 1")


@pytest.fixture
def archive(tmp_path):
    def write(*members):
        path = tmp_path / "разметки.zip"
        with zipfile.ZipFile(path, "w") as file:
            for name, data in members:
                file.writestr(name, data)
        return path

    return write


@pytest.mark.usefixtures("worker")
def test_an_archive_is_sent_and_what_is_refused_is_told(
    essay_set, archive, run, live_server, monkeypatch
):
    person = team()
    monkeypatch.setenv("RAZBOR_TOKEN", issue_token(user=person, name="program"))
    essay = EssayFactory(essay_set=essay_set)
    path = archive((f"{essay.number}.json", answer(essay)), ("9.json", answer(essay)))

    status, out, err = run("exchange", "--url", live_server.url, "--zip", path, "--to", essay_set)

    parcel = Parcel.objects.get()
    assert (status, err, parcel.name) == (1, "", "разметки.zip")
    assert out.splitlines() == [
        f"Archive {parcel.pk} was sent: 2 files for “{essay_set}”.",
        "9.json: refused. There is no essay 9 in the set.",
        "Taken: 1, known already: 0, refused: 1.",
    ]
    assert MarkupRecord.objects.get(author=person).essay == essay
    exchange = Exchange(live_server.url, issue_token(user=person, name="another"))
    assert [each["name"] for each in exchange.refused(parcel.pk, at_once=1)] == ["9.json"]


@pytest.mark.usefixtures("worker")
def test_what_is_odd_in_a_file_that_is_taken_is_told_too(
    essay_set, archive, run, live_server, monkeypatch
):
    person = team()
    monkeypatch.setenv("RAZBOR_TOKEN", issue_token(user=person, name="program"))
    plain, odd = EssayFactory(essay_set=essay_set), EssayFactory(essay_set=essay_set)
    misspelt = answer(odd).replace(b'"group"', b'"corection": "", "group"')
    path = archive(
        (f"{plain.number}.json", answer(plain)),
        (f"{odd.number}.json", misspelt),
        ("9.json", answer(odd)),
    )

    status, out, _err = run("exchange", "--url", live_server.url, "--zip", path, "--to", essay_set)

    assert (status, [line for line in out.splitlines() if ".json" in line]) == (
        1,
        [
            "9.json: refused. There is no essay 9 in the set.",
            (
                f"{odd.number}.json: remark. selections[0].corection: The key is not part of the "
                "format and was ignored. Check its spelling."
            ),
        ],
    )
    assert out.splitlines()[-1] == "Taken: 2, known already: 0, refused: 1."
    exchange = Exchange(live_server.url, issue_token(user=person, name="another"))
    (parcel,) = Parcel.objects.all()
    told = [each["name"] for each in exchange.told_of(parcel.pk, at_once=1)]
    assert told == ["9.json", f"{odd.number}.json"]
    assert [each["name"] for each in exchange.refused(parcel.pk)] == ["9.json"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no archive", "this is no sound .zip archive."),
        ([("read.me", b"-")], "no .json or .txt files are in it."),
        (None, "No such file or directory."),
    ],
)
def test_what_cannot_be_sent_is_told_before_anybody_is_asked(archive, run, tmp_path, content, told):
    path = tmp_path / "разметки.zip"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        archive(*content)

    status, out, err = run("exchange", "--url", "http://127.0.0.1:9", "--zip", path, "--to", "A")

    assert (status, out) == (2, "")
    assert err.rstrip().endswith(f"{path}: {told}")


def test_an_archive_needs_its_set(run):
    status, _out, err = run("exchange", "--url", "http://127.0.0.1:9", "--zip", "a.zip")

    assert status == 2
    assert "--zip and --to belong together" in err


def test_a_name_cannot_break_out_of_its_form():
    _kind, body = as_form({"essay_set": "A"}, 'a"\r\nX: y\\.zip', b"PK")

    assert b'filename="a%22X: y.zip"\r\n' in body
