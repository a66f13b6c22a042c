from __future__ import annotations

import pytest

from accounts.models import AuditEntry
from annotator.core.values import Meta, Subject
from annotator.models import Essay, MarkupRecord
from annotator.services.importing import Imported, Options, Outcome, import_files
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, named, selection
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def essay_set():
    return EssaySetFactory()


def outcomes(report):
    return {item.name: item.reason or str(item.outcome) for item in report}


def run(essay_set, *files, subject=None, actor=None):
    return outcomes(import_files(files, Options(essay_set, subject, actor)))


def test_a_plain_essay_is_stored_with_what_its_header_says(essay_set):
    header = "Класс: 11\nГод: 2020\nТест: тренировка\nЛиния: право\nИсходный текст: (* a\nb *)\n"

    assert run(essay_set, named("0001.txt", header + PLAIN)) == {"0001.txt": "essay"}

    essay = Essay.objects.get()
    assert essay.text == TEXT
    assert essay.meta() == Meta(
        id="0001",
        uuid=str(essay.uuid),
        theme="Sport unites people",
        class_name="11",
        year=2020,
        subject=Subject.ENGLISH,
        task_text="a\nb",
        category="право",
        test="тренировка",
    )


def test_an_essay_of_the_exchange_format_is_the_same_essay(essay_set):
    assert run(essay_set, exchanged("0001.json")) == {"0001.json": "essay"}
    assert run(essay_set, named("0001.txt")) == {"0001.txt": "known"}
    assert [essay.text for essay in Essay.objects.all()] == [TEXT]


def test_the_chosen_subject_counts_where_the_file_names_none(essay_set):
    assert run(
        essay_set, named("1.txt", TEXT), named("2.txt"), subject=Subject.HISTORY
    ) == dict.fromkeys(["1.txt", "2.txt"], "essay")

    found = dict(Essay.objects.values_list("number", "subject"))
    assert found == {"1": "hist", "2": "eng"}


def test_an_essay_of_no_known_subject_is_refused(essay_set):
    reason = "The subject is not known: add the field «Предмет», or choose it."

    assert run(essay_set, named("0001.txt", TEXT)) == {"0001.txt": reason}
    assert list(Essay.objects.all()) == []


def test_good_files_come_in_and_every_bad_one_is_named_with_its_reason(essay_set):
    report = import_files(
        [
            named("0002_exp1.txt", MARKED.replace("Some", "Most")),
            named("0001_exp1.txt", MARKED.replace("А.лекс", "А.лек")),
            named("0002.txt"),
            named("0003.txt", "\0"),
            named("0001.txt"),
        ],
        Options(essay_set),
    )

    assert report == [
        Imported("0003.txt", Outcome.REFUSED, "The file holds a NUL."),
        Imported("0001.txt", Outcome.ESSAY),
        Imported(
            "0001_exp1.txt",
            Outcome.MARKUP,
            remarks=(
                "line 5, column 16: The code “А.лек” is not in the classifier and was left out.",
            ),
        ),
        Imported("0002.txt", Outcome.ESSAY),
        Imported(
            "0002_exp1.txt",
            Outcome.REFUSED,
            "The text differs from that of essay 0002.",
            remarks=report[4].remarks,
        ),
    ]
    assert [str(record.essay) for record in MarkupRecord.objects.all()] == ["0001"]


def test_a_refused_markup_leaves_no_essay_of_its_own_making_behind(essay_set):
    run(essay_set, named("0001_exp1.txt"), named("0002.txt"))
    refused = run(
        essay_set,
        exchanged("0003_exp1.json", selections=[selection(0, 4, tag="т" * 61)]),
        exchanged("0004_nobody.json", selections=[selection(0, 4)]),
    )

    assert refused == {
        "0003_exp1.json": "Fragment 1: the tag is longer than 60 characters.",
        "0004_nobody.json": "There is no participant “nobody”. Make the account first.",
    }
    assert list(Essay.objects.values_list("number", flat=True)) == ["0001", "0002"]
    assert AuditEntry.objects.filter(action="essay.imported").count() == 2


def test_a_markup_alone_brings_its_essay_along(essay_set):
    assert run(essay_set, named("0001_exp1.txt", MARKED)) == {"0001_exp1.txt": "markup"}
    assert Essay.objects.get().text == TEXT


def test_a_marked_file_that_names_nobody_is_refused(essay_set):
    reason = "It is not said whose markup this is: name the file ID_expNN or ID_login."

    assert run(essay_set, named("0001.txt", MARKED)) == {"0001.txt": reason}
    assert list(Essay.objects.all()) == []


def test_the_same_files_again_change_nothing(essay_set):
    PersonFactory(username="lynx", role="participant")
    files = [
        named("0001.txt"),
        named("0001_exp1.txt", MARKED),
        exchanged("0001_exp2.json", criteria={"K3": 1}),
        exchanged("0001_lynx.json", selections=[selection(0, 4)]),
    ]
    run(essay_set, *files)
    before = list(MarkupRecord.objects.values())

    again = run(essay_set, *files)

    assert set(again.values()) == {"known"}
    assert list(MarkupRecord.objects.values()) == before
    assert Essay.objects.count() == 1


def test_a_changed_markup_supersedes_the_earlier_one(essay_set):
    run(essay_set, named("0001_exp1.txt", MARKED))

    report = run(essay_set, named("0001_exp1.txt", MARKED.replace("believe", "suppose")))

    assert report == {"0001_exp1.txt": "markup"}
    states = MarkupRecord.objects.values_list("state", "fragments__correction")
    assert list(states) == [("superseded", "believe"), ("submitted", "suppose")]


def test_other_stated_points_are_another_markup(essay_set):
    run(essay_set, named("0001_exp1.txt", MARKED))

    assert run(essay_set, named("0001_exp1.txt", MARKED.replace("K3: 2", "K3: 1"))) == {
        "0001_exp1.txt": "markup"
    }


def test_a_text_that_differs_is_refused(essay_set):
    run(essay_set, named("0001.txt"))

    report = run(essay_set, named("0001.txt", PLAIN.replace("sport", "music")))

    assert report == {"0001.txt": "The text differs from that of essay 0001."}
    assert Essay.objects.get().text == TEXT


def test_differences_of_white_space_alone_are_carried_over(essay_set):
    run(essay_set, named("0001.txt"))
    spaced = MARKED.replace("Some people", "Some  people").replace(", while", " ,\nwhile")
    kept = MARKED.replace("Some people", "Some  people\n")

    assert run(essay_set, named("0001_exp1.txt", kept), named("0001_exp2.txt", spaced)) == {
        "0001_exp1.txt": "markup",
        "0001_exp2.txt": "The text differs from that of essay 0001.",
    }

    record = MarkupRecord.objects.get()
    assert record.to_core().covered(record.to_core().fragments[0]) == "think"


def test_the_known_essay_settles_doubtful_brackets(essay_set):
    doubtful = PLAIN.replace("people think", "people (\\ А.лекс think >> believe \\)")
    run(essay_set, named("0001.txt"), named("0002_a.txt", PLAIN.replace("Some", "Most")))

    run(essay_set, named("0001_exp1.txt", doubtful))

    (fragment,) = MarkupRecord.objects.get().to_core().fragments
    assert (fragment.code, fragment.correction) == ("А.лекс", "believe")


def test_a_number_with_an_underline_finds_its_own_essay(essay_set):
    EssayFactory(essay_set=essay_set, number="0001", text="Another text altogether.")
    EssayFactory(essay_set=essay_set, number="0001_b", text=TEXT)

    report = import_files([named("0001_b_exp1.txt", MARKED)], Options(essay_set))

    assert report == [Imported("0001_b_exp1.txt", Outcome.MARKUP)]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (named("1" * 61 + ".txt"), "The essay’s number is longer than 60 characters."),
        (exchanged("1.json", year=-1), "-1 cannot be the year of an essay."),
        (exchanged("1.json", year=99999), "99999 cannot be the year of an essay."),
        (exchanged("1_exp1.json", selections=[selection(0, 4, "А" * 61)]), None),
        (exchanged("1_exp1.json", selections=[selection(0, 4, subtype="с" * 61)]), None),
        (
            exchanged("1_exp1.json", selections=[selection(0, 4)] * 1001),
            "A markup holds at most 1000 fragments.",
        ),
    ],
)
def test_what_no_column_holds_is_refused(essay_set, file, reason):
    (found,) = run(essay_set, file).values()

    assert found == reason or (reason is None and found.endswith("is longer than 60 characters."))
    assert list(Essay.objects.all()) == []


def test_two_sets_may_hold_essays_of_one_number(essay_set):
    other = EssaySetFactory()
    run(essay_set, named("0001.txt"))

    assert run(other, named("0001.txt", PLAIN.replace("sport", "music"))) == {"0001.txt": "essay"}


def test_the_import_of_an_essay_is_audited(essay_set):
    actor = PersonFactory(role="coordinator")

    run(essay_set, named("0001.txt"), actor=actor)

    (entry,) = AuditEntry.objects.filter(action="essay.imported")
    essay = Essay.objects.get()
    assert (entry.actor, entry.object_id, entry.details) == (
        actor,
        str(essay.pk),
        {"file": "0001.txt"},
    )
