"""Archives everybody may take: what is in them, when they are refused, how they are given out."""

from __future__ import annotations

import hashlib
import json
from zipfile import ZipFile

import pytest
from django.db import DatabaseError, transaction

from annotator.models import MarkupRecord
from contest import tasks
from contest.core.moments import moment_of
from contest.models import (
    Annulment,
    DataSet,
    Phase,
    PhaseProtocol,
    PhaseVerdict,
    Publication,
    PublicationOrder,
    Team,
    Upload,
)
from contest.services.publication_files import ROLE_OF
from contest.services.publishing import order_publication, path_of
from contest.services.sessions.settling import settle_due
from razbor.main import main
from tests.contest.data_world import contest_of, data_set_of, in_days, phase_of
from tests.contest.test_answers import do_answers, whole_session
from tests.contest.world import Client as Program
from tests.contest.world import Mode, final_at, team
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db
Kind = Publication.Kind
MARK = fragment(0, 4, "А.грамм")


@pytest.fixture(autouse=True)
def _exports(settings, tmp_path):
    settings.EXPORTS = tmp_path


@pytest.fixture
def organiser():
    return PersonFactory(role="organiser")


def published(contest, kind, organiser):
    ordered = order_publication(contest=contest, kind=kind, actor=organiser)
    tasks.make_publication(ordered.job_id)
    ordered.refresh_from_db()
    assert (ordered.job.state, ordered.job.error, ordered.refused) == ("done", "", "")
    return ordered.publication


def marked(data_set, username="ivanova"):
    """The first essay of a set with an expert's markup."""
    essay = data_set.essay_set.essays.order_by("pk").first()
    author = PersonFactory(username=username)
    submitted(essay, MARK, author=author, source=MarkupRecord.Source.EXPERT)
    return essay


def approved(contest):
    """The protocol of the finals, approved by organisers."""
    phase = contest.phases.get(kind=Phase.Kind.FINALS)
    protocol = PhaseProtocol.objects.create(phase=phase, content="{}", digest="0" * 64)
    who = PersonFactory(role="organiser")
    PhaseVerdict.objects.create(protocol=protocol, kind="approved", who=who)
    return protocol


def finals(live=False):
    """A contest whose finals are over, with a team and an excluded one, both with a markup."""
    contest = contest_of(live=live)
    phase_of(contest, starts=-9, ends=-8, closed=-7)
    essay = marked(data_set_of(contest, essays=1))
    for name, excluded_at in (("Рысь, 2", None), ("Cheats", in_days(-1))):
        account = team()
        why = "cheated" if excluded_at else ""
        Team.objects.create(
            contest=contest,
            name=name,
            account=account,
            excluded_at=excluded_at,
            excluded_because=why,
        )
        submitted(essay, MARK, author=account, source=MarkupRecord.Source.ALGORITHM)
    return contest, essay


def names_in(publication):
    with ZipFile(path_of(publication)) as archive:
        return archive.namelist()


def member(publication, name):
    with ZipFile(path_of(publication)) as archive:
        return archive.read(name)


def test_a_training_archive_has_essays_and_markups_without_names_of_experts(organiser):
    contest = contest_of()
    essay = marked(data_set_of(contest, "training", essays=1))
    submitted(essay, MARK, source=MarkupRecord.Source.ALGORITHM)

    made = published(contest, Kind.TRAINING, organiser)

    number = essay.number
    listed = names_in(made)
    alias = listed[3].rpartition("_")[2].removesuffix(".json")
    marks = f"training/experts/{number}_{alias}"
    assert listed == [
        "LICENCE.txt",
        *(f"training/essays/{number}{ending}" for ending in (".json", ".txt")),
        *(f"{marks}{ending}" for ending in (".json", ".txt")),
        *("SHA256SUMS", "manifest.json"),
    ]
    told = json.loads(member(made, f"{marks}.json"))
    assert (told["meta"]["expert"], len(told["selections"])) == (alias, 1)
    assert all(b"ivanova" not in member(made, name) for name in listed)
    assert "CC BY 4.0" in member(made, "LICENCE.txt").decode()
    assert (made.essays, made.size) == (1, path_of(made).stat().st_size)


@pytest.mark.parametrize("kind", [Kind.TRAINING, Kind.TEST])
def test_of_an_order_it_is_told_how_many_files_its_archive_will_have(kind, organiser):
    contest = contest_of()
    essay = marked(data_set_of(contest, ROLE_OF[kind].value, essays=2))
    for source in (MarkupRecord.Source.ALGORITHM, MarkupRecord.Source.EXPERT):
        submitted(essay, MARK, source=source)

    made = published(contest, kind, organiser)

    files = json.loads(member(made, "manifest.json"))["files"]
    assert PublicationOrder.objects.get().total == len(files)


def test_the_manifest_and_the_sums_name_every_file_with_its_checksum(organiser):
    contest = contest_of()
    marked(data_set_of(contest, "training", essays=2))

    made = published(contest, Kind.TRAINING, organiser)

    manifest = json.loads(member(made, "manifest.json"))
    named = {each["path"]: each["sha256"] for each in manifest["files"]}
    own = {"SHA256SUMS", "manifest.json"}
    assert named == {
        name: hashlib.sha256(member(made, name)).hexdigest()
        for name in names_in(made)
        if name not in own
    }
    sums = dict(line.split("  ")[::-1] for line in member(made, "SHA256SUMS").decode().splitlines())
    assert sums == named
    assert manifest["licence"] == "CC BY 4.0"


def test_a_test_archive_holds_texts_only(organiser):
    contest = contest_of()
    essay = marked(data_set_of(contest, "test", essays=1))

    made = published(contest, Kind.TEST, organiser)

    texts = [name for name in names_in(made) if name.startswith("test/")]
    assert texts == [f"test/essays/{essay.number}{ending}" for ending in (".json", ".txt")]
    assert member(made, texts[1]).decode() == essay.text
    assert json.loads(member(made, texts[0]))["selections"] == []


def test_an_archive_of_finals_has_the_markups_of_teams_by_name_but_of_none_excluded(organiser):
    contest, essay = finals()
    approved(contest)

    made = published(contest, Kind.FINALS, organiser)

    by_teams = [name for name in names_in(made) if "/participants/" in name]
    assert by_teams == [
        f"final/participants/Рысь-2/{essay.number}{ending}" for ending in (".json", ".txt")
    ]
    manifest = json.loads(member(made, "manifest.json"))
    assert manifest["teams"] == [{"name": "Рысь, 2", "folder": "Рысь-2"}]


def test_an_unpacked_archive_of_finals_is_counted_again_with_one_command(
    organiser, tmp_path, capsys
):
    contest, _essay = finals()
    approved(contest)
    with ZipFile(path_of(published(contest, Kind.FINALS, organiser))) as archive:
        archive.extractall(tmp_path / "finals")

    status = main(["board", str(tmp_path / "finals"), "--json"])

    rows = json.loads(capsys.readouterr().out)["rows"]
    assert (status, [(row["name"], row["counted"]) for row in rows]) == (0, [("Рысь-2", 1)])


def test_of_live_finals_only_answers_of_standing_sessions_are_published(organiser):
    contest, _essay = finals(live=True)
    approved(contest)

    made = published(contest, Kind.FINALS, organiser)

    assert [name for name in names_in(made) if "/participants/" in name] == []


def annulled_upload():
    """An upload to another contest that organisers have annulled."""
    contest = contest_of(live=False)
    phase = phase_of(contest, "qualification", -9, -8)
    whose = Team.objects.create(contest=contest, name="Bear", account=team())
    upload = Upload.objects.create(
        phase=phase,
        team=whose,
        sent_by=whose.account,
        name="answers.zip",
        digest="0" * 64,
        size=1,
        day=phase.starts_at.date(),
        state=Upload.State.TAKEN,
    )
    why = {"reason": "By hand", "protocol": "No. 5"}
    return Annulment.objects.create(upload=upload, who=PersonFactory(role="organiser"), **why)


def test_an_upload_annulled_in_another_contest_leaves_out_no_answer_of_a_session(organiser):
    contest = contest_of(live=True)
    phase_of(contest, starts=-9, ends=-8, closed=-7)
    (lynx, owl) = (
        Team.objects.create(contest=contest, name=name, account=team()) for name in ("Lynx", "Owl")
    )
    start = moment_of(in_days(-8.5))
    final = final_at(start, lynx.account, owl.account, essays=1)
    for each in (lynx, owl):
        whole_session(Program(each.account, mode=Mode.FINAL, moment=start))
    settle_due()
    do_answers()
    DataSet.objects.create(contest=contest, role="final", essay_set=final.essay_set)
    approved(contest)
    annulled_upload()
    why = {"reason": "By hand", "protocol": "No. 6", "who": organiser}
    Annulment.objects.create(session=owl.account.exchange_sessions.get(), **why)

    made = published(contest, Kind.FINALS, organiser)

    by_teams = {name.split("/")[2] for name in names_in(made) if "/participants/" in name}
    assert by_teams == {"Lynx"}


def test_an_archive_of_finals_holds_no_essay_that_no_standing_final_gave_out(organiser):
    contest = contest_of(live=True)
    phase_of(contest, starts=-9, ends=-8, closed=-7)
    lynx = Team.objects.create(contest=contest, name="Lynx", account=team())
    final = final_at(moment_of(in_days(-8.5)), lynx.account, essays=2)
    DataSet.objects.create(contest=contest, role="final", essay_set=final.essay_set)
    given = sorted(final.files.values_list("essay__number", flat=True))
    kept_back = EssayFactory(essay_set=final.essay_set)
    submitted(kept_back, MARK, source=MarkupRecord.Source.EXPERT)
    approved(contest)

    made = published(contest, Kind.FINALS, organiser)

    texts = [name for name in names_in(made) if name.endswith(".txt") and "/" in name]
    assert texts == [f"final/essays/{number}.txt" for number in given]
    assert made.essays == 2


def test_finals_are_published_once_their_protocol_is_approved(organiser):
    contest, _essay = finals()
    before = refusal_of(contest, organiser)
    protocol = approved(contest)
    ordered = order_publication(contest=contest, kind=Kind.FINALS, actor=organiser)
    type(protocol).objects.filter(pk=protocol.pk).update(voided_at=in_days(0))

    tasks.make_publication(ordered.job_id)

    ordered.refresh_from_db()
    assert before.startswith("Clauses 7.13 and 8.2 of the regulation")
    assert (ordered.refused, ordered.publication) == (before, None)
    assert not Publication.objects.exists()


def refusal_of(contest, actor, kind=Kind.FINALS):
    with pytest.raises(Refused) as refused:
        order_publication(contest=contest, kind=kind, actor=actor)
    return str(refused.value)


def test_each_refusal_says_why(organiser):
    sealed = contest_of()
    data_set_of(sealed)

    assert refusal_of(sealed, organiser).startswith("Clause 2.8 of the regulation")
    words = "The contest has no essays of this kind: training."
    assert refusal_of(sealed, organiser, Kind.TRAINING) == words
    stranger = PersonFactory(role="coordinator")
    assert refusal_of(sealed, stranger) == "Archives are published by organisers."
    assert not PublicationOrder.objects.exists()


def test_the_same_content_has_the_same_bytes_and_more_of_it_has_others(organiser):
    contest = contest_of()
    found = data_set_of(contest, "training", essays=1)
    marked(found)
    first = published(contest, Kind.TRAINING, organiser)
    again = published(contest, Kind.TRAINING, organiser)
    marked(found, "petrova")
    more = published(contest, Kind.TRAINING, organiser)

    assert (first.checksum, first.file) == (again.checksum, again.file)
    assert more.checksum != first.checksum
    checksum = hashlib.sha256(path_of(first).read_bytes()).hexdigest()
    assert checksum == first.checksum
    titles = [each.title_en for each in contest.announcements.all()]
    assert titles == ["The training set is published"] * 3


def test_a_publication_never_changes(organiser):
    contest = contest_of()
    data_set_of(contest, "test")
    made = published(contest, Kind.TEST, organiser)

    with pytest.raises(DatabaseError), transaction.atomic():
        Publication.objects.filter(pk=made.pk).update(checksum="0" * 64)


def test_an_order_that_is_under_way_is_given_back_and_one_done_does_nothing_twice(organiser):
    contest = contest_of()
    data_set_of(contest, "test")

    first = order_publication(contest=contest, kind=Kind.TEST, actor=organiser)
    second = order_publication(contest=contest, kind=Kind.TEST, actor=organiser)
    tasks.make_publication(first.job_id)
    tasks.make_publication(first.job_id)

    assert first == second
    assert Publication.objects.count() == 1
