from __future__ import annotations

import pytest

from accounts.models import AuditEntry, User
from annotator.core.values import Meta, Subject
from annotator.models import Essay, MarkupRecord
from annotator.services.imports.importing import Imported, Options, Outcome, import_files
from tests.annotator.files import MARKED, PLAIN, TEXT, exchanged, named, selection
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory

HINT = "If the essay itself is to change, make a new version of it on its page."
pytestmark = pytest.mark.django_db

LEFT_OUT = "The code “А.лек” is not in the classifier and was left out. Check its spelling."


@pytest.fixture
def essay_set():
    return EssaySetFactory()


def outcomes(report):
    return {item.name: item.reason or str(item.outcome) for item in report}


def run(essay_set, *files, subject=None, actor=None, from_markups=False):
    return outcomes(import_files(files, Options(essay_set, subject, actor, from_markups)))


def test_the_organisers_long_names_bring_an_essay_with_its_markups(essay_set):
    report = run(
        essay_set,
        named("0000001_ru_his_o_reformah___1861_noexp.txt"),
        named("0000001_ru_his_o_reformah___1861_exp061.txt", MARKED),
        named("0000002_en_en_sport_noexp.txt", MARKED),
    )

    assert report == {
        "0000001_ru_his_o_reformah___1861_noexp.txt": "essay",
        "0000001_ru_his_o_reformah___1861_exp061.txt": "markup",
        "0000002_en_en_sport_noexp.txt": (
            "It is not said whose markup this is: name the file ID_expNN or ID_login."
        ),
    }
    markups = MarkupRecord.objects.values_list("essay__number", "author__username")
    assert list(markups) == [("0000001", "exp061")]


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


def test_outer_blanks_of_an_essay_are_remarked(essay_set):
    (item,) = import_files([exchanged("0001.json", f"{TEXT}\n")], Options(essay_set))

    assert (item.outcome, item.remarks) == (
        Outcome.ESSAY,
        ("text: The text begins or ends with white space. Remove it.",),
    )
    assert Essay.objects.get().text == f"{TEXT}\n"


def test_an_essay_of_blanks_alone_is_none(essay_set):
    assert run(essay_set, exchanged("0001.json", " \n")) == {
        "0001.json": "The file holds no essay."
    }


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
            remarks=(f"line 5, column 16: {LEFT_OUT}",),
        ),
        Imported("0002.txt", Outcome.ESSAY, remarks=("It has the same text as essay 0001.",)),
        Imported(
            "0002_exp1.txt",
            Outcome.REFUSED,
            f"The text differs from that of essay 0002. {HINT}",
            remarks=report[4].remarks,
        ),
    ]
    assert [str(record.essay) for record in MarkupRecord.objects.all()] == ["0001"]


def test_a_refused_markup_leaves_no_essay_of_its_own_making_behind(essay_set):
    run(essay_set, named("0001_exp1.txt"), named("0002.txt"), from_markups=True)
    refused = run(
        essay_set,
        exchanged("0003_exp1.json", selections=[selection(0, 4, tag="т" * 61)]),
        exchanged("0004_nobody.json", selections=[selection(0, 4)]),
        from_markups=True,
    )

    assert refused == {
        "0003_exp1.json": "Fragment 1: the tag is longer than 60 characters.",
        "0004_nobody.json": "There is no participant “nobody”. Make the account first.",
    }
    assert list(Essay.objects.values_list("number", flat=True)) == ["0001", "0002"]
    assert AuditEntry.objects.filter(action="essay.imported").count() == 2


def test_a_markup_before_its_essay_is_refused_and_becomes_none(essay_set):
    reason = (
        "Essay 0001 is neither in the set nor among the files that can be read: "
        "import it before its markups or together with them."
    )
    broken = named("0001.txt", "\0")

    assert run(essay_set, named("0001_exp1.txt", MARKED)) == {"0001_exp1.txt": reason}
    assert run(essay_set, broken, named("0001_exp1.txt", MARKED))["0001_exp1.txt"] == reason
    assert (Essay.objects.count(), User.objects.count()) == (0, 0)


def test_a_markup_alone_brings_its_essay_along_where_that_is_asked_for(essay_set):
    found = run(essay_set, named("0001_exp1.txt", MARKED), from_markups=True)

    assert found == {"0001_exp1.txt": "markup"}
    assert Essay.objects.get().text == TEXT


@pytest.mark.parametrize("number", ["0001", "essay_on"])
def test_a_file_of_an_unknown_author_is_no_essay(essay_set, number):
    reason = (
        "There is no participant “nobody”. Make the account first; or, if the file holds an "
        "essay, leave the underline out of its name."
    )

    found = run(essay_set, named(f"{number}.txt"), named(f"{number}_nobody.txt"))
    alone = run(essay_set, named("0003_nobody.txt"))

    assert found == {f"{number}.txt": "essay", f"{number}_nobody.txt": reason}
    assert alone == {"0003_nobody.txt": reason}
    assert list(Essay.objects.values_list("number", flat=True)) == [number]


def test_an_essay_may_have_an_underline_in_its_name(essay_set):
    files = [named("essay_on_sport.txt"), named("essay_on_music.txt")]

    assert run(essay_set, *files) == dict.fromkeys([file.name for file in files][::-1], "essay")
    assert set(run(essay_set, *files).values()) == {"known"}


@pytest.mark.parametrize("text", [PLAIN, MARKED])
def test_an_experts_login_alone_does_not_make_a_file_an_experts(essay_set, text):
    PersonFactory(username="sokolova")
    reason = (
        "“sokolova” is an expert’s login, and the file does not say that an expert wrote it: "
        "add the line «Эксперт: sokolova» to its head, or the field meta.expert in JSON."
    )

    found = run(essay_set, named("0001.txt"), named("0001_sokolova.txt", text))
    as_told = run(essay_set, named("0001_sokolova.txt", f"Эксперт: sokolova\n{MARKED}"))

    assert found == {"0001.txt": "essay", "0001_sokolova.txt": reason}
    assert as_told == {"0001_sokolova.txt": "markup"}


def test_of_two_markups_by_one_author_in_an_import_the_other_is_refused(essay_set):
    other = exchanged("0001_exp1.json", selections=[selection(0, 4)])
    same = named("0001_EXP1.txt", MARKED)

    assert run(essay_set, named("0001.txt"), named("0001_exp1.txt", MARKED), same, other) == {
        "0001.txt": "essay",
        "0001_EXP1.txt": "markup",
        "0001_exp1.json": "Another file holds another markup of essay 0001 by EXP1. Keep one.",
        "0001_exp1.txt": "known",
    }


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
    run(essay_set, named("0001.txt"), named("0001_exp1.txt", MARKED))

    report = run(essay_set, named("0001_exp1.txt", MARKED.replace("believe", "suppose")))

    assert report == {"0001_exp1.txt": "markup"}
    states = MarkupRecord.objects.values_list("state", "fragments__correction")
    assert list(states) == [("superseded", "believe"), ("submitted", "suppose")]


def test_other_stated_points_are_another_markup(essay_set):
    run(essay_set, named("0001.txt"), named("0001_exp1.txt", MARKED))

    assert run(essay_set, named("0001_exp1.txt", MARKED.replace("K3: 2", "K3: 1"))) == {
        "0001_exp1.txt": "markup"
    }


def test_a_text_that_differs_is_refused(essay_set):
    run(essay_set, named("0001.txt"))

    report = run(essay_set, named("0001.txt", PLAIN.replace("sport", "music")))

    assert report == {"0001.txt": f"The text differs from that of essay 0001. {HINT}"}
    assert Essay.objects.get().text == TEXT


def test_differences_of_white_space_alone_are_carried_over(essay_set):
    run(essay_set, named("0001.txt"))
    spaced = MARKED.replace("Some people", "Some  people").replace(", while", " ,\nwhile")
    kept = MARKED.replace("Some people", "Some  people\n")

    assert run(essay_set, named("0001_exp1.txt", kept), named("0001_exp2.txt", spaced)) == {
        "0001_exp1.txt": "markup",
        "0001_exp2.txt": f"The text differs from that of essay 0001. {HINT}",
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
    (found,) = run(essay_set, file, from_markups=True).values()

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


def test_a_file_whose_name_and_field_name_two_people_is_refused(essay_set):
    PersonFactory(username="exp1")
    marked = "Эксперт: exp1\n" + MARKED

    (known, refused) = import_files(
        [named("0001.txt"), named("0001_vasya.txt", marked)], Options(essay_set)
    )

    assert (known.outcome, refused.reason) == (
        "essay",
        "The file’s name says “vasya”, its field of the expert “exp1”.",
    )
    assert not User.objects.filter(username="vasya").exists()


@pytest.mark.parametrize("said", ["exp778", "olga"])
def test_a_file_whose_name_and_field_name_two_experts_is_refused(essay_set, said):
    PersonFactory(username="olga")
    name = "3000023_exp777.txt"

    report = run(essay_set, named(name, f"Эксперт: {said}\n{MARKED}"), from_markups=True)

    assert report == {name: f"The file’s name says “exp777”, its field of the expert “{said}”."}
    assert list(User.objects.values_list("username", flat=True)) == ["olga"]


def test_an_experts_number_may_stand_beside_a_name_that_is_no_login(essay_set):
    marked = named("3000023_exp777.txt", f"Эксперт: Иванова О. П.\n{MARKED}")

    assert run(essay_set, marked, from_markups=True) == {"3000023_exp777.txt": "markup"}
    assert [user.username for user in User.objects.all()] == ["exp777"]


def test_a_copy_of_an_essay_names_the_one_that_was_first(essay_set):
    EssayFactory(essay_set=essay_set, number="0009", text=TEXT)
    EssayFactory(number="0001", text=TEXT)

    report = import_files(
        [named("0010.txt"), named("0011.txt", PLAIN + " So?")], Options(essay_set)
    )

    assert [item.remarks for item in report] == [("It has the same text as essay 0009.",), ()]


@pytest.mark.parametrize("stem", ["0001 ", "0001\u00a0", "\u200b0001", "00\u00ad01", "0001\u200e"])
def test_what_nobody_sees_is_no_part_of_an_essays_number(essay_set, stem):
    run(essay_set, named(f"{stem}.txt"), named(f"{stem}_exp1 .txt", MARKED))

    found = MarkupRecord.objects.values_list("essay__number", "author__username")
    assert list(found) == [("0001", "exp1")]
