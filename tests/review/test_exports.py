from __future__ import annotations

import json
import re
from datetime import timedelta
from itertools import pairwise
from uuid import uuid4
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from accounts.models import AuditEntry, User
from accounts.services.importing import import_people
from annotator.core.codec import file_from_json
from annotator.models import EssaySet
from annotator.models.rules import FINAL_RULES
from annotator.services.archives import read_uploads
from annotator.services.imports.importing import Options, import_files
from annotator.services.versions import SAID, correct_essay, replace_essay
from jobs.models import Job
from jobs.services.sweep import sweep
from jobs.signals import ticked
from review.models import Export, FinalGrade
from review.models.deadlines import SetTerms
from review.services import export_files, exporting
from review.services.agreeing import compute_agreement
from review.services.exporting import FORMS, expire_exports, make_export, order_export, path_of
from review.tasks import make_export as make_export_task
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.review.exporting import cells_of, checked, final_grade_of, made, ordered, rows_of
from tests.scoring.work import score
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("exports_folder")]

Kind, Form = Export.Kind, Export.Form


def test_results_are_a_row_an_essay(coordinator, essay_set):
    head, one, two = rows_of(made(coordinator, Kind.RESULTS, essay_set=essay_set))
    found = dict(zip(head, one, strict=True))

    assert head[:5] == ["essay", "subject", "theme", "class", "year"]
    assert [found[name] for name in ("essay", "subject", "year", "gap")] == [
        "1",
        "eng",
        "2024",
        "0",
    ]
    assert (found["1: expert"], found["1: state"], found["2: expert"]) == (
        "ann",
        "submitted",
        "bob",
    )
    assert [found[f"1: K{n}"] for n in range(1, 6)] == ["0", "1", "3", "3", "2"]
    totals = ("1: total", "3: total", "third check needed")
    assert [found[name] for name in totals] == ["9", "", "0"]
    assert 0 < float(found["accuracy of 1 by 2, %"]) < 100
    assert (two[0], set(two[3:])) == ("2", {""})


def test_results_tell_the_final_grade_that_counts(coordinator, essay_set):
    essay = essay_set.essays.get(number="1")
    void = {"voided_at": Now(), "voided_because": "reopened"}
    final_grade_of(essay, total=3, **void)
    final_grade_of(essay)

    SetTerms.objects.create(essay_set=essay_set, zone="Asia/Tokyo")

    head, one, two = rows_of(made(coordinator, Kind.RESULTS, essay_set=essay_set))
    at = head.index("final grade: total")

    columns = ["total", *(f"K{n}" for n in range(1, 6)), "rule", "settled at (Asia/Tokyo)"]
    assert head[at:] == [f"final grade: {each}" for each in columns]
    assert one[at:-2] == ["9", "0", "", "", "", ""]
    settled = FinalGrade.objects.get(voided_at=None).settled_at.astimezone(ZoneInfo("Asia/Tokyo"))
    rule = dict(FINAL_RULES)["nearest-two/criteria"]
    assert one[-2:] == [rule, f"{settled:%Y-%m-%d %H:%M:%S}"]
    assert set(two[at:]) == {""}


def test_results_name_an_essay_once_in_its_latest_version(coordinator, essay_set):
    essay = essay_set.essays.get(number="2")
    replace_essay(essay=essay, text="Another text.", reason="a page was missing", actor=coordinator)

    _head, *rows = rows_of(made(coordinator, Kind.RESULTS, essay_set=essay_set))

    assert [row[0] for row in rows] == ["1", "2"]


@pytest.mark.parametrize("change", ["a final grade", "a corrected theme"])
def test_what_stands_in_the_results_makes_them_anew(coordinator, essay_set, change):
    essay = essay_set.essays.get(number="1")
    before = made(coordinator, Kind.RESULTS, essay_set=essay_set)
    if change == "a final grade":
        final_grade_of(essay)
    else:
        values = {name: getattr(essay, name) for name in SAID} | {"theme": "Parks"}
        correct_essay(essay=essay, seen=essay.revision, actor=coordinator, values=values)

    after = made(coordinator, Kind.RESULTS, essay_set=essay_set)

    assert (before.pk != after.pk, rows_of(before) != rows_of(after)) == (True, True)


def test_an_essay_that_lost_its_second_check_beside_a_third_has_its_row(coordinator, essay_set):
    essay = EssayFactory(essay_set=essay_set, number="0009")
    checked(essay)
    checked(essay, role="third")

    rows = rows_of(made(coordinator, Kind.RESULTS, essay_set=essay_set))

    assert [row[0] for row in rows].count("0009") == 1


def test_no_cell_is_a_formula_in_any_form(coordinator, essay_set):
    for form, separator in ((Form.CSV, ","), (Form.RUSSIAN_CSV, ";")):
        _, *rows = rows_of(made(coordinator, Kind.RESULTS, form, essay_set), separator)
        assert [row[2] for row in rows] == ['\'=HYPERLINK("x")', "'@SUM(A1)"]
    cells = cells_of(made(coordinator, Kind.RESULTS, Form.XLSX, essay_set))
    assert [cell for cell in cells if cell.startswith("'")] == ['\'=HYPERLINK("x")', "'@SUM(A1)"]


def _cell(export, name):
    head, row, *_ = rows_of(export, ";")
    return row[head.index(name)]


def test_russian_excel_gets_semicolons_and_decimal_commas(coordinator, essay_set):
    export = made(coordinator, Kind.RESULTS, Form.RUSSIAN_CSV, essay_set)

    assert path_of(export).read_bytes().startswith(b"\xef\xbb\xbfessay;subject;")
    assert re.fullmatch(r"\d+,\d+", _cell(export, "accuracy of 1 by 2, %"))


def test_the_headings_are_in_the_language_of_who_ordered_it(coordinator, essay_set, log_in):
    client = log_in(coordinator)
    client.cookies["django_language"] = "ru"
    client.post("/exports/", {"kind": "results", "form": "csv", "essay_set": essay_set.pk})
    export = Export.objects.get()

    make_export(export_id=export.pk)

    assert (export.language, rows_of(export)[0][0]) == ("ru", "эссе")


def test_all_markups_come_as_files_with_a_manifest(coordinator, essay_set):
    essay = essay_set.essays.get(number="2")
    robot = PersonFactory(role="participant", username="../robot")
    crossing = (fragment(0, 6), fragment(4, 9))
    submitted(essay, *crossing, author=robot, source="algorithm")

    archive = ZipFile(path_of(made(coordinator, Kind.MARKUPS, essay_set=essay_set)))
    manifest = json.loads(archive.read("manifest.json"))
    *experts, sent = manifest["markups"]

    assert sorted(archive.namelist()) == sorted(
        ["manifest.json"]
        + [name for line in manifest["markups"] for name in (line["json"], line["txt"]) if name]
    )
    assert [(line["author"], line["source"], line["no_txt_because"]) for line in experts] == [
        ("ann", "expert", None),
        ("bob", "expert", None),
    ]
    assert (sent["txt"], sent["json"]) == (None, "algorithms/2_..-robot.json")
    assert "crosses" in sent["no_txt_because"]
    read = file_from_json(json.loads(archive.read(experts[0]["json"])))
    assert read.problems == ()
    assert [(each.span.start, each.span.end) for each in read.file.markup.fragments] == [(5, 11)]


def test_an_archive_of_markups_can_be_imported_again(coordinator, essay_set):
    with path_of(made(coordinator, Kind.MARKUPS, essay_set=essay_set)).open("rb") as archive:
        files = list(read_uploads([("markups.zip", archive)]))

    done = import_files(files, Options(EssaySetFactory(), from_markups=True))

    assert {each.name: str(each.outcome) for each in done if each.name != "experts/1_bob.txt"} == {
        "experts/1_ann.json": "markup",
        "experts/1_ann.txt": "known",
        "experts/1_bob.json": "markup",
    }


def test_markups_of_two_versions_of_an_essay_have_files_of_their_own(coordinator, essay_set):
    essay = essay_set.essays.get(number="1")
    replace_essay(essay=essay, text="Another text.", reason="a page", actor=coordinator)
    latest = essay_set.essays.get(number="1", closed_at=None)
    record = submitted(latest, fragment(0, 4), author=User.objects.get(username="ann"))

    archive = ZipFile(path_of(made(coordinator, Kind.MARKUPS, essay_set=essay_set)))

    named = [name for name in archive.namelist() if "_ann" in name and name.endswith(".json")]
    assert sorted(named) == ["experts/1_ann.json", f"experts/1_ann_{record.pk}.json"]


def test_a_participant_takes_the_experts_markups_of_an_open_set_and_no_algorithms(essay_set):
    robot = PersonFactory(role="participant")
    submitted(essay_set.essays.get(number="1"), fragment(0, 4), author=robot, source="algorithm")
    aliased = made(PersonFactory(role="participant"), Kind.TRAINING, essay_set=essay_set)
    EssaySet.objects.update(names_experts=True)
    export = made(PersonFactory(role="participant"), Kind.TRAINING, essay_set=essay_set)

    lines = [json.loads(line) for line in path_of(export).read_text().splitlines()]

    assert "ann" not in path_of(aliased).read_text()
    assert [line["fileName"] for line in lines] == ["1_ann.json", "1_bob.json"]
    assert {line["meta"]["id"] for line in lines} == {"1"}


@pytest.mark.parametrize("access", ["closed", "final"])
def test_only_open_sets_are_training_sets(coordinator, access):
    essay_set = EssaySetFactory(access=access)
    told = {}

    for owner in (PersonFactory(role="participant"), coordinator, PersonFactory()):
        with translation.override("en"), pytest.raises(Refused) as refusal:
            order_export(owner=owner, kind=Kind.TRAINING, form=Form.JSONL, essay_set=essay_set)
        told[owner.role] = str(refusal.value)

    reason = "A training set needs a set whose markups participants see; of this one they do not."
    assert told == {
        "participant": reason,
        "coordinator": reason,
        "expert": "This may not be exported by you.",
    }


def test_people_are_those_whom_a_manager_keeps(coordinator):
    PersonFactory(username="ann", full_name="=Ann", role="expert")
    PersonFactory(role="judge")

    head, *rows = rows_of(made(coordinator, Kind.PEOPLE))

    assert head[:3] == ["login", "full name", "e-mail"]
    assert head[-3:] == ["last seen (Europe/Moscow)", "checks handed back", "F1 with other experts"]
    assert [(row[0], row[1], row[6:]) for row in rows] == [
        ("ann", "'=Ann", ["1", "0", "0", "0", "0", "", "", "0", ""])
    ]


def test_people_come_in_again_from_their_export(coordinator):
    named = {"username": "ann", "full_name": "=Анна", "school": "Lyceum"}
    ann = PersonFactory(**named, email="a@school.example")
    subjects = sorted(ann.specialisms.values_list("subject", flat=True))
    rows = rows_of(made(coordinator, Kind.PEOPLE))
    ann.delete()

    import_people(data="\n".join(map(",".join, rows)).encode(), actor=coordinator)

    again = User.objects.get(username="ann")
    assert [again.full_name, again.school, again.email, again.role] == [
        "=Анна",
        "Lyceum",
        "a@school.example",
        "expert",
    ]
    assert sorted(again.specialisms.values_list("subject", flat=True)) == subjects


def test_agreement_is_computed_where_it_is_not_kept(coordinator, essay_set):
    head, *rows = rows_of(made(coordinator, Kind.AGREEMENT, essay_set=essay_set))
    found = {(row[1], row[2]): dict(zip(head, row, strict=True)) for row in rows}

    assert found["points", "K1"]["pairs"] == found["points", "K1"]["equal"] == "1"
    assert found["marks", "other borders"]["both"] == "1"
    assert found["experts", "ann / bob"]["absolute sum"] == "0"
    assert found["points", "total"]["kappa"] == ""


def test_ordered_twice_it_is_made_once_until_something_changes(coordinator, essay_set):
    asked = {"kind": Kind.RESULTS, "form": Form.CSV, "essay_set": essay_set}
    first = order_export(owner=coordinator, **asked)

    assert order_export(owner=coordinator, **asked) == first
    make_export(export_id=first.pk)
    assert order_export(owner=coordinator, **asked) == first
    assert order_export(owner=coordinator, **asked | {"form": Form.XLSX}) != first
    AssignmentFactory(essay=essay_set.essays.get(number="2"))
    assert order_export(owner=coordinator, **asked) != first
    assert Job.objects.filter(kind="review.make_export").count() == 3
    assert AuditEntry.objects.filter(action="export.ordered").count() == 3


def test_a_worker_that_is_killed_leaves_no_half_file_and_the_next_begins_anew(
    coordinator, essay_set, exports_folder
):
    export = order_export(owner=coordinator, kind=Kind.RESULTS, form=Form.CSV, essay_set=essay_set)
    left = exports_folder / f"{export.uuid}-{uuid4().hex}.part"
    left.mkdir(parents=True)
    (left / "file").write_text("half")
    Export.objects.filter(pk=export.pk).update(state="running", done=1, total=2)

    make_export_task(export.job_id)

    assert [each.name for each in exports_folder.iterdir()] == [f"{export.uuid}.csv"]
    assert len(rows_of(export)) == 3


def test_a_worker_that_lost_its_lease_writes_nothing(
    coordinator, essay_set, exports_folder, monkeypatch
):
    export = order_export(owner=coordinator, kind=Kind.RESULTS, form=Form.CSV, essay_set=essay_set)
    tell = exporting._begin

    def robbed(*args):
        Job.objects.filter(pk=export.job_id).update(token=uuid4())
        return tell(*args)

    monkeypatch.setattr(exporting, "_begin", robbed)
    make_export_task(export.job_id)

    export.refresh_from_db()
    assert (export.state, list(exports_folder.iterdir())) == ("waiting", [])


def test_a_fault_leaves_nothing_behind_and_the_job_is_tried_again(
    coordinator, essay_set, exports_folder, monkeypatch
):
    export = order_export(owner=coordinator, kind=Kind.MARKUPS, form=Form.ZIP, essay_set=essay_set)

    def fail(*_args):
        raise OSError("no room")

    monkeypatch.setattr(export_files, "_put", fail)
    make_export_task(export.job_id)

    export.job.refresh_from_db()
    assert (export.job.state, list(exports_folder.iterdir())) == ("queued", [])


def test_what_was_given_up_is_ordered_anew(coordinator, essay_set):
    lost = ordered(coordinator, essay_set)
    Job.objects.filter(pk=lost.job_id).update(attempts=3)
    sweep()

    assert ordered(coordinator, essay_set) != lost
    lost.refresh_from_db()
    assert lost.state == "failed"


def test_tick_deletes_files_after_their_time(coordinator, essay_set, exports_folder):
    old, kept = (made(coordinator, Kind.RESULTS, form, essay_set) for form in list(Form)[:2])
    Export.objects.filter(pk=old.pk).update(expires_at=Now() - timedelta(seconds=1))

    ticked.send(sender=None)

    assert [each.name for each in exports_folder.iterdir()] == [f"{kept.uuid}.csv"]
    old.refresh_from_db()
    assert old.state == "expired"
    again = order_export(owner=coordinator, kind=Kind.RESULTS, form=Form.CSV, essay_set=essay_set)
    assert again != old


def test_a_round_of_tick_without_old_files_is_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        expire_exports()


def test_so_many_wait_at_a_time(coordinator, essay_set, monkeypatch):
    monkeypatch.setattr(exporting, "MOST_WAITING", 1)
    ordered(coordinator, essay_set)

    with pytest.raises(Refused):
        order_export(owner=coordinator, kind=Kind.RESULTS, form=Form.XLSX, essay_set=essay_set)


@pytest.mark.parametrize("kind", [Kind.RESULTS, Kind.MARKUPS, None])
def test_every_batch_costs_the_same_statements(coordinator, kind, monkeypatch):
    for module in ("export_tables", "export_files", "agreeing"):
        monkeypatch.setattr(f"review.services.{module}.BATCH", 2)
    essay_set, counts = EssaySetFactory(), []
    for _ in range(3):  # one, two and three batches of two essays with two checks each
        essays = EssayFactory.create_batch(2, essay_set=essay_set)
        for essay in essays:
            score(checked(essay, fragment(5, 11)), checked(essay, role="second"))
        export = kind and order_export(
            owner=coordinator, kind=kind, form=FORMS[kind][0], essay_set=essay_set
        )
        with CaptureQueriesContext(connection) as queries:
            if export:
                make_export(export_id=export.pk)
            else:
                compute_agreement(set_id=essay_set.pk)
        counts.append(len(queries))

    (step,) = {after - before for before, after in pairwise(counts)}
    assert 0 < step <= 15
