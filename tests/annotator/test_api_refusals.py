from __future__ import annotations

import json

import pytest
from django.utils.translation import gettext, override

from annotator.models import MarkupRecord
from tests.annotator.files import TEXT, selection
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db

LENGTH = len(TEXT)


@pytest.fixture
def essay():
    return EssayFactory(essay_set=EssaySetFactory(access="open"), text=TEXT)


@pytest.fixture
def send(log_in, essay):
    participant = PersonFactory(role="participant")

    def post(body, *, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        address = f"/api/essays/{essay.pk}/markups/"
        return log_in(participant).post(address, data, content_type=kind, headers=headers)

    return post


def problem(code, message, *, path, number=None, place=""):
    return {
        "code": code,
        "message": message,
        "place": place or path,
        "path": path,
        "fragment": number,
        "blocks": True,
    }


def of_fragment(number, key=""):
    """The place of what does not fit: by its number in words, and by its path."""
    path = f"selections[{number - 1}]{key}"
    return {"path": path, "number": number, "place": f"fragment {number}"}


NO_OBJECT = "One JSON object with “text” and “selections” is expected, and this is"
TURNED = "“razbor parse FILE --json” makes such an object of bracket text."
DIFFERS = "The text differs from the essay: in line 1 of the essay stands"
OWN = "Send the essay’s own text."
NO_LIST = "A value of another type is expected here: list."
UNREADABLE = [
    *((each, "selections", "This is missing. Add it; expected: list.") for each in ({}, b"")),
    *(({"selections": each}, "selections", NO_LIST) for each in ({}, None, "[]")),
    ([], "", f"{NO_OBJECT} a list. Put its fragments into “selections”."),
    ("text", "", f"{NO_OBJECT} a string. {TURNED}"),
    ({"selections": [1]}, "selections[0]", "A value of another type is expected here: object."),
    (
        {"selections": [selection(0, 4), selection("a", 4)]},
        "selections[1].startSelection",
        "A value of another type is expected here: whole number.",
    ),
    (
        {"selections": [selection(0, 4, ["А.грамм"])]},
        "selections[0].type",
        "A value of another type is expected here: string.",
    ),
    (
        {"selections": [], "criteria": {"K1": "two"}},
        "criteria.K1",
        (
            "A value of another type is expected here: "
            "points such as 3 or 3.5, or several in a list."
        ),
    ),
    (
        {"selections": [], "criteria": 1},
        "criteria",
        "A value of another type is expected here: object.",
    ),
    (
        {"selections": [selection(0, LENGTH + 1)]},
        "selections[0]",
        f"The bounds 0–{LENGTH + 1} lie outside the text of {LENGTH} characters.",
    ),
    (
        {"selections": [selection(-2, 4)]},
        "selections[0]",
        "The bounds -2–4 are negative. Count from 0.",
    ),
    (
        {"selections": [selection(4, 2)]},
        "selections[0]",
        "The fragment ends at 2, before it begins at 4.",
    ),
    (
        {"selections": [selection(4, 4)]},
        "selections[0]",
        "The fragment is empty: it begins and ends at 4.",
    ),
    ({"selections": [], "text": f"{TEXT}!"}, "text", f"{DIFFERS} “agree.”, here “agree.!”. {OWN}"),
    (
        {"selections": [], "text": 5},
        "text",
        f"{DIFFERS} “Some people think that sport”, here “5”. {OWN}",
    ),
]

UNFIT = [
    (
        [selection(0, 4, "Я.нет")],
        1,
        "The code “Я.нет” is not in the classifier of this subject. Check its spelling.",
    ),
    ([selection(0, 4, "")], 1, "The fragment has no code. Choose one."),
    (
        [selection(0, 4), selection(5, 11, subtype="нет")],
        2,
        "The code А.грамм has no subcode “нет”. Choose one of its own.",
    ),
    ([selection(0, 4, "ИСП")], 1, "ИСП needs a correction. Write what should stand here."),
    (
        [selection(0, 4, "А.объем")],
        1,
        "А.объем is a mistake of the whole text. Mark it without a place.",
    ),
]


@pytest.mark.parametrize(("body", "path", "message"), UNREADABLE)
def test_what_cannot_be_read_is_refused_with_its_path(send, body, path, message):
    response = send(body)

    answer = response.json()
    assert (response.status_code, answer["code"], answer["message"]) == (
        422,
        "problems",
        "The markup cannot be read.",
    )
    first = answer["problems"][0]
    assert (first["path"], first["message"], first["blocks"]) == (path, message, True)
    assert list(MarkupRecord.objects.all()) == []


@pytest.mark.parametrize(("selections", "number", "message"), UNFIT)
def test_what_does_not_fit_the_subject_is_refused_with_its_fragment(
    send, selections, number, message
):
    response = send({"selections": selections})

    answer = response.json()
    assert (response.status_code, answer["message"]) == (
        422,
        "1 problem keeps the markup from being submitted.",
    )
    assert [(each["fragment"], each["place"], each["message"]) for each in answer["problems"]] == [
        (number, f"fragment {number}", message)
    ]
    assert list(MarkupRecord.objects.all()) == []


@pytest.mark.parametrize("item", [selection(0, 4, None), {"startSelection": 0, "endSelection": 4}])
def test_a_fragment_without_a_code_is_refused_as_such(send, item):
    response = send({"selections": [selection(0, 4), item]})

    assert (response.status_code, response.json()["problems"]) == (
        422,
        [problem("empty-type", "The fragment has no code. Choose one.", **of_fragment(2, ".type"))],
    )


def test_every_problem_of_a_markup_is_told_at_once(send):
    """Of its structure, of codes, of names too long: numbers are those of the file."""
    response = send(
        {
            "selections": [
                selection(0, 4, "Я.нет"),
                selection(9, 1),
                selection(5, "x"),
                selection(5, 11, tag="т" * 61),
                selection(12, 17, "ИСП"),
            ]
        }
    )

    assert response.json() == {
        "code": "problems",
        "message": "The markup cannot be read.",
        "problems": [
            problem(
                "start-coordinates",
                "The fragment ends at 1, before it begins at 9.",
                path="selections[1]",
                number=2,
            ),
            problem(
                "err-schema-validate",
                "A value of another type is expected here: whole number.",
                path="selections[2].endSelection",
                number=3,
            ),
            problem(
                "bad-error-type",
                "The code “Я.нет” is not in the classifier of this subject. Check its spelling.",
                **of_fragment(1, ".type"),
            ),
            problem(
                "empty-correction",
                "ИСП needs a correction. Write what should stand here.",
                **of_fragment(5, ".correction"),
            ),
            problem(
                "name-too-long",
                "The tag is longer than 60 characters. Shorten it.",
                **of_fragment(4, ".tag"),
            ),
        ],
    }


@pytest.mark.parametrize(
    ("field", "key"), [("tag", "tag"), ("code", "type"), ("subcode", "subtype")]
)
def test_a_name_longer_than_its_column_is_refused(send, field, key):
    spaces = {"type": "А.запас" + " " * 60, "subtype": "син" + " " * 60, "tag": "т" * 61}
    fields = {"type": "А.запас", key: spaces[key]}

    response = send(
        {"selections": [selection(0, 4), selection(5, 11, fields.pop("type"), **fields)]}
    )

    assert (response.status_code, response.json()) == (
        422,
        {
            "code": "problems",
            "message": "1 problem keeps the markup from being submitted.",
            "problems": [
                problem(
                    "name-too-long",
                    f"The {field} is longer than 60 characters. Shorten it.",
                    **of_fragment(2, f".{key}"),
                )
            ],
        },
    )


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\x1b", "\x7f"])
def test_a_tag_that_would_be_read_as_another_one_is_refused(send, sign):
    response = send({"selections": [selection(0, 4, tag=f"т1{sign}")] * 2})

    told = "The tag holds control characters. Remove them."
    assert response.status_code == 422
    assert response.json()["problems"] == [
        problem("bad-tag", told, **of_fragment(n, ".tag")) for n in (1, 2)
    ]


def test_a_block_of_the_whole_text_is_refused(send):
    response = send({"selections": [selection(0, 0, "ПРОБЛЕМА"), selection(0, 0, "А.логика")]})

    told = (
        "ПРОБЛЕМА is a semantic block and needs a place: it is not counted. Mark its words instead."
    )
    assert response.status_code == 422
    assert response.json()["problems"] == [problem("block-without-place", told, **of_fragment(1))]
    assert list(MarkupRecord.objects.all()) == []


def test_of_a_million_faults_as_many_are_told_as_anybody_reads(send):
    response = send(b'{"selections": [' + b"1," * 800_000 + b"1]}")

    *first, last = response.json()["problems"]
    assert (response.status_code, len(first), last["code"]) == (422, 20, "further-problems")


def test_of_very_many_problems_the_first_are_told_and_the_others_counted(send):
    unread = send({"selections": [selection(9, 1)] * 30})
    unfit = send({"selections": [selection(0, 4, f"Х{number}") for number in range(30)]})
    odd = send({"selections": [selection(0, 4, color=f"{number}") for number in range(30)]})

    told = "Further problems: 10. “razbor validate” names all of them."
    lists = [unread.json()["problems"], unfit.json()["problems"], odd.json()["remarks"]]
    assert [(len(each), each[-1]["code"], each[-1]["message"]) for each in lists] == [
        (21, "further-problems", told)
    ] * 3
    assert unfit.json()["message"] == "30 problems keep the markup from being submitted."
    assert [each[-1]["blocks"] for each in lists] == [True, True, False]


def test_too_many_fragments_are_refused(send):
    response = send({"selections": [selection(0, 4)] * 1001})

    assert (response.status_code, response.json()) == (
        422,
        {"code": "problems", "message": "A markup holds at most 1000 fragments."},
    )


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        (
            b'{"selections": [}',
            {
                "code": "not-json",
                "message": "This is not JSON. Look at the quotes, commas and brackets here.",
                "line": 1,
                "column": 17,
            },
        ),
        (
            b'{"selections": [],\n "selections": []}',
            {
                "code": "json-repeated-key",
                "message": "The key “selections” stands twice in one object. Keep one of them.",
                "line": 2,
                "column": 2,
            },
        ),
        (b" ", {"code": "not-json", "line": 1, "column": 2}),
        (
            b'{"selections": [{"tag": "\\u0000"}]}',
            {
                "code": "text-has-nul",
                "message": "A string holds a NUL character. Remove it.",
                "path": "selections[0].tag",
            },
        ),
        (
            b'{"text": "\\ud800"}',
            {
                "code": "text-has-surrogate",
                "message": "A string holds half of a surrogate pair. Write the whole character.",
                "path": "text",
            },
        ),
        (
            b"\xff",
            {
                "code": "not-utf8",
                "message": "Byte 0 is not UTF-8. Save the file in that encoding.",
                "byte": 0,
            },
        ),
        (b"[" * 100, {"code": "json-too-deep", "line": 1, "column": 65}),
        (b'{"a": NaN}', {"code": "json-bad-number", "line": 1, "column": 7}),
    ],
)
def test_what_is_no_sound_json_is_refused_with_its_place(send, body, answer):
    response = send(body)

    assert response.status_code == 400
    assert {**response.json(), **answer} == response.json()


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"]
)
def test_another_content_type_is_refused(send, kind):
    response = send(b"selections=", kind=kind)

    assert (response.status_code, response.json()["code"]) == (415, "unsupported_media_type")


def test_a_body_beyond_the_limit_is_refused(send, settings):
    fill = b'{"selections": []%s}'
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    spaces = limit - len(fill) + 2

    fits, large = send(fill % (b" " * spaces)), send(fill % (b" " * (spaces + 1)))

    assert fits.status_code == 201
    assert (large.status_code, large.json()) == (
        413,
        {"code": "too-large", "message": "The request is larger than 2.5 MB."},
    )


@pytest.mark.parametrize("language", ["ru", "en"])
def test_messages_come_in_the_language_that_is_asked_for(send, language):
    response = send({"selections": [selection(0, 4, "ИСП")]}, **{"Accept-Language": language})

    with override(language):
        expected = gettext("ИСП needs a correction. Write what should stand here.")
        place = gettext("fragment {number}").format(number=1)
    (found,) = response.json()["problems"]
    assert (found["message"], found["place"]) == (expected, place)
    assert response.headers["Content-Language"] == language
