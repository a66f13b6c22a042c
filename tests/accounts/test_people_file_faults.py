"""A line of a list of people is refused with all that is wrong with it at once."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.services.importing import import_people
from accounts.services.list_files import ListRefused
from tests.accounts.test_people_file import BAD, BAD_LOGIN, HEADER, OTHERWISE
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

NOT_GIVEN = "Your role does not give that one. Ask an administrator."


@pytest.fixture
def read(coordinator):
    def line(words):
        (done,) = import_people(data=f"{HEADER}\n{words}".encode(), actor=coordinator)
        return done

    return line


SEVERAL = {
    "in every column": (
        "ivan ivanov,I\0van,ivan at school,boss,S\0,latin",
        [
            BAD_LOGIN,
            "full name: The name holds control characters. Remove them.",
            "e-mail: Enter a valid email address.",
            BAD["unknown role"][1],
            "school: The name holds control characters. Remove them.",
            BAD["unknown subject"][1],
        ],
    ),
    "no login, and an e-mail of an account": (
        ",,known@school.example,administrator,,",
        [
            "The field “login” is empty.",
            NOT_GIVEN,
            "Another account has this e-mail.",
        ],
    ),
    "an e-mail and a login of accounts": (
        "KNOWN,,known@school.example,expert,,latin",
        [
            BAD["unknown subject"][1],
            "There is an account known: logins must differ in more than case.",
            "Another account has this e-mail.",
        ],
    ),
    "an account told otherwise, and a subject that is none": (
        "known,Ivan,known@school.example,expert,,latin",
        [BAD["unknown subject"][1], OTHERWISE.format("full name")],
    ),
}


@pytest.mark.parametrize(("line", "reasons"), SEVERAL.values(), ids=SEVERAL)
def test_all_that_is_wrong_with_a_line_is_named_at_once(read, line, reasons):
    PersonFactory(username="known", email="known@school.example")

    done = read(line)

    assert done.refusal == " ".join(reasons)
    assert set(User.objects.values_list("username", flat=True)) == {"coordinator", "known"}


def test_a_line_that_would_complete_an_account_of_an_import_names_all_that_is_wrong(read):
    PersonFactory(username="exp7", full_name="", email="", is_active=False, password="!")

    done = read("exp7,,exp at school,expert,,latin")

    assert done.refusal == " ".join([BAD["bad e-mail"][1], BAD["unknown subject"][1]])
    assert not User.objects.get(username="exp7").is_active


@pytest.mark.parametrize(
    ("name", "school"),
    [
        ("Анна", ""),
        ("Ежов Е. Е.", "СОШ № 5"),
        ("ИВАНОВ ИВАН", "МБОУ СОШ № 12 «ЛИЦЕЙ»"),
        ("Щукина Юлия", "ЦО"),
        ("Зубков Ю.", ""),
        ("Бубнов Д.", ""),
        ("Шубин М. Ю.", ""),
        ("Бублик Б. Б.", ""),
    ],
)
@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866"])
def test_a_short_list_with_initials_and_capitals_is_read_as_excel_saves_it(
    coordinator, encoding, name, school
):
    line = f"anna,{name},,expert,{school},eng"
    import_people(data=f"{HEADER}\r\n{line}\r\n".encode(encoding, "replace"), actor=coordinator)

    anna = User.objects.get(username="anna")
    said = school.encode(encoding, "replace").decode(encoding)
    assert (anna.full_name, anna.school) == (name, said)


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "cp866"])
@pytest.mark.parametrize("name", ["ЖУК Ю. Ш.", "Ю. Ш."])
def test_a_name_that_may_be_in_two_encodings_is_not_guessed(coordinator, encoding, name):
    with pytest.raises(ListRefused, match="CSV UTF-8"):
        import_people(data=f"{HEADER}\nanna,{name},,expert,,".encode(encoding), actor=coordinator)
