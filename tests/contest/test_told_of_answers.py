"""What programs are told of what they sent: odd, of another text, no object, with another key."""

from __future__ import annotations

import pytest
from django.test import Client as Browser

from tests.contest.test_rest_door import HOME, Program, essay_of
from tests.contest.world import marked_set, team
from tests.factories import PersonFactory
from tests.test_api_described import check

pytestmark = pytest.mark.django_db


@pytest.fixture
def program():
    marked_set(3)
    return Program(team())


@pytest.fixture
def described(log_in):
    return log_in(PersonFactory(role="judge")).get("/api/schema/?format=json").json()


ODD = {"selections": [{"startSelection": 0, "endSelection": 4, "type": "А.грам"}]}
ODD["selections"].append(
    {"startSelection": 2, "endSelection": 6, "type": "А.грамм", "corection": ""}
)


def test_what_is_odd_in_an_answer_that_counts_is_named_with_place_and_remedy(program, described):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    essay = essay_of(number, file)

    sent = program.post(f"sessions/{number}/files/{file}/", {**ODD, "text": essay.text})

    check(described, "/api/exchange/sessions/{id}/files/{file}/", "post", sent)
    told = [
        (each["code"], each["path"], each["fragment"], each["blocks"], each["message"])
        for each in sent.json()["problems"]
    ]
    assert (sent.json()["accepted"], told) == (
        True,
        [
            (
                "unknown-key",
                "selections[1].corection",
                2,
                False,
                "The key is not part of the format and was ignored. Check its spelling.",
            ),
            (
                "bad-error-type",
                "selections[0].type",
                1,
                False,
                "The code “А.грам” is not in the classifier of this subject. Check its spelling.",
            ),
            (
                "crossing-kept",
                "selections[1]",
                2,
                False,
                (
                    "The fragment crosses fragment 1. Both are kept; the markup language "
                    "can only nest,"
                    " so this markup has no TXT form. Nest one in the other to have it."
                ),
            ),
        ],
    )


def test_of_very_many_problems_the_first_are_told_and_the_others_counted(program, described):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    fragments = [{"startSelection": 0, "endSelection": 4, "type": f"Х{n}"} for n in range(30)]
    body = {"selections": fragments, "text": essay_of(number, file).text}

    sent = program.post(f"sessions/{number}/files/{file}/", body)

    check(described, "/api/exchange/sessions/{id}/files/{file}/", "post", sent)
    *first, last = sent.json()["problems"]
    assert [each["fragment"] for each in first] == list(range(1, 21))
    assert (last["code"], last["message"], last["blocks"]) == (
        "further-problems",
        "Further problems: 10. “razbor validate” names all of them.",
        False,
    )


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            lambda text: text.replace("\n", " \n", 1) if "\n" in text else f"{text} ",
            (
                "The text differs from the essay in its white space, first in line 1. Send the "
                "essay’s own text as it came."
            ),
        ),
        (
            lambda text: f"Oh {text}",
            (
                "The text differs from the essay: in line 1 of the essay stands “{}”, "
                "here “Oh {}”. "
                "Send the essay’s own text."
            ),
        ),
    ],
    ids=["white space", "a word"],
)
def test_of_another_text_the_place_is_told(program, changed, told):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]
    essay = essay_of(number, file)
    words = essay.text.split()

    sent = program.post(
        f"sessions/{number}/files/{file}/", {"selections": [], "text": changed(essay.text)}
    ).json()

    place = told.format(" ".join(words[:5]), " ".join(words[:4]))
    assert (sent["reason"], [each["message"] for each in sent["problems"]]) == ("foreign", [place])


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"[]", "and this is a list. Put its fragments into “selections”."),
        (b'"She (* have *)"', "and this is a string. “razbor parse FILE --json” makes such an"),
        (b"5", "is expected, and this is none."),
    ],
)
def test_what_is_no_object_is_told_in_words(program, body, told):
    number = program.open().json()["id"]
    file = program.post(f"sessions/{number}/next/").json()["file"]

    sent = program.post(f"sessions/{number}/files/{file}/", body).json()

    (message,) = [each["message"] for each in sent["problems"]]
    assert (sent["reason"], told in message) == ("broken", True)


def test_another_scheme_of_keys_is_answered_with_the_one_to_use():
    bearer = Browser(headers={"Authorization": "Bearer abc"})
    answers = [bearer.get(HOME, headers={"Accept-Language": language}) for language in ("en", "ru")]

    assert [each.status_code for each in answers] == [401, 401]
    assert [each.json()["message"] for each in answers] == [
        "The scheme of keys is Token, not Bearer: send “Authorization: Token KEY”.",
        "Схема ключей — Token, а не Bearer: пришлите «Authorization: Token КЛЮЧ».",
    ]


FEW = "Ask for 10 to 1000 files: the limits are those of the original contest’s clients."
SLOW = "Ask for 10 to 60 seconds: the limits are those of the original contest’s clients."


def test_a_number_of_files_beyond_the_limits_is_told_with_them(program):
    few, slow = program.open(files=3), program.open(time=61)

    assert [each.json()["fields"] for each in (few, slow)] == [
        {"files": [FEW]},
        {"time": [SLOW]},
    ]


@pytest.mark.parametrize(
    ("wish", "known"),
    [
        ({"mode": "qualification"}, "algorithmic, technical, final"),
        ({"set": "dev"}, "train, test"),
        ({"language": "ru"}, "all, rus, eng"),
        ({"subject": "math"}, "eng, eng-free, rus, rus-free, lit, social, hist"),
    ],
)
def test_a_word_that_is_none_of_those_known_is_told_with_them(program, wish, known):
    ((field, word),) = wish.items()

    answer = program.open(**wish)

    assert (answer.status_code, answer.json()["fields"]) == (
        400,
        {field: [f"There is no “{word}” here. One of these: {known}."]},
    )
