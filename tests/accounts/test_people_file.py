from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from accounts.models import AuditEntry, User
from accounts.services.importing import ListedPerson, import_people
from accounts.services.list_files import ListRefused
from accounts.services.people import set_active
from tests.factories import PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db

HEADER = "login,name,email,role,school,subjects"
GOOD = "anna,Анна Лебедева,anna@school.example,expert,Лицей № 11,eng rus"


@pytest.fixture
def read(coordinator):
    """Import lines under the header, or bytes as they are."""

    def by_coordinator(*lines, actor=coordinator, header=HEADER):
        data = lines[0] if isinstance(lines[0], bytes) else "\n".join([header, *lines]).encode()
        return import_people(data=data, actor=actor)

    return by_coordinator


def people():
    return set(User.objects.exclude(username="coordinator").values_list("username", flat=True))


NO_LETTERS = "No e-mail address: this person gets no letters, nor a link to choose a password."


def test_who_has_no_address_is_remarked_to_get_no_letters(coordinator, log_in):
    answer = upload(log_in(coordinator), f"{HEADER}\n{GOOD}\nolga,,,expert,,\n".encode())

    assert texts_of(answer, "tbody tr") == ["2 anna made", f"3 olga made no letters {NO_LETTERS}"]


def test_a_list_that_is_read_again_makes_only_what_is_new(coordinator, log_in):
    browser = log_in(coordinator)
    upload(browser, f"{HEADER}\n{GOOD}\nolga,,,expert,,\n".encode())

    changed = "anna,Анна Иванова,anna@school.example,expert,Лицей № 11,eng rus"
    again = upload(browser, f"{HEADER}\n{GOOD}\nolga,,,,,\nmira,,m@x.example,,,\n".encode())
    other = upload(browser, f"{HEADER}\n{changed}\n".encode())

    assert texts_of(again, "tbody tr") == [
        "2 anna known already",
        "3 olga known already",
        "4 mira made",
    ]
    assert texts_of(other, "tbody tr .badge") == ["refused"]
    assert User.objects.get(username="anna").full_name == "Анна Лебедева"
    assert AuditEntry.objects.filter(action="person.made").count() == 3


def test_of_accounts_that_are_not_theirs_a_coordinator_learns_nothing_new(read):
    PersonFactory(username="boss", full_name="Boss", role="administrator")

    (line,) = read("boss,Boss,,administrator,,")

    assert line.refusal


def test_a_good_line_becomes_an_account(read, coordinator):
    assert read(GOOD) == [ListedPerson(2, "anna")]

    anna = User.objects.get(username="anna")
    columns = ("full_name", "email", "role", "school", "is_active")
    assert [getattr(anna, name) for name in columns] == [
        "Анна Лебедева",
        "anna@school.example",
        "expert",
        "Лицей № 11",
        True,
    ]
    assert list(anna.specialisms.values_list("subject", flat=True)) == ["eng", "rus"]
    assert not anna.has_usable_password()
    assert AuditEntry.objects.values_list("actor", "action").get() == (
        coordinator.pk,
        "person.made",
    )


def test_only_the_login_is_needed(read):
    read("anna,,,,,")

    anna = User.objects.get(username="anna")
    assert (anna.full_name, anna.email, anna.role, anna.school) == ("", "", "expert", "")


BAD_LOGIN = (
    "login: Enter a valid username. This value may contain only letters, numbers, "
    "and @/./+/-/_ characters."
)
OTHERWISE = "There is this account already. It differs: {}. Change it on the person’s page."
BAD = {
    "unknown role": (
        "ivan,,,boss,,",
        (
            f"Unknown role: boss. Use "
            f"{'; '.join(f'{name} ({code})' for code, name in User.Role.choices)}."
        ),
    ),
    "administrator": (
        "ivan,,,administrator,,",
        "Your role does not give that one. Ask an administrator.",
    ),
    "unknown subject": (
        "ivan,,,expert,,eng latin",
        (
            "Unknown subject: latin. Use English (eng); English, free (eng-free); Russian (rus); "
            "Russian, free (rus-free); Literature (lit); Social science (social); History (hist)."
        ),
    ),
    "bad e-mail": ("ivan,,ivan at school,expert,,", "e-mail: Enter a valid email address."),
    "no login": (",Ivan,,expert,,", "The field “login” is empty."),
    "login of two words": (
        "ivan ivanov,,,expert,,",
        BAD_LOGIN,
    ),
    "login that grows": (
        "\ufb03" * 60 + ",,,expert,,",
        "login: Ensure this value has at most 150 characters (it has 180).",
    ),
    "login too long": (
        "i" * 151 + ",,,expert,,",
        "login: Ensure this value has at most 150 characters (it has 151).",
    ),
    "login of an account": ("known,,,expert,,", OTHERWISE.format("e-mail, subjects")),
    "login of an earlier line": (
        "anna,,,expert,,",
        OTHERWISE.format("full name, e-mail, school, subjects"),
    ),
    "login of an account in other letters": (
        "KNOWN,,,expert,,",
        "There is an account known: logins must differ in more than case.",
    ),
    "login of an earlier line in other letters": (
        "Anna,,,expert,,",
        "There is an account anna: logins must differ in more than case.",
    ),
    "e-mail of an account": (
        "ivan,,KNOWN@school.example,expert,,",
        "Another account has this e-mail.",
    ),
    "e-mail of an earlier line": (
        "ivan,,Anna@school.example,expert,,",
        "Another account has this e-mail.",
    ),
    "NUL in the name": (
        "ivan,I\0van,,expert,,",
        "full name: The name holds control characters. Remove them.",
    ),
    "line end in the name": (
        'ivan,"Ivan\n=cmd",,expert,,',
        "full name: The name holds control characters. Remove them.",
    ),
    "name in decomposed letters": (
        "ivan,Сергеи\u0306,,expert,,",
        "full name: Write the name with composed letters (NFC).",
    ),
}


@pytest.mark.parametrize(("line", "reason"), BAD.values(), ids=BAD)
def test_a_bad_line_is_named_with_its_reason_and_the_others_come_in(read, line, reason):
    PersonFactory(username="known", email="known@school.example")
    last = 4 + line.count("\n")

    done = read(GOOD, line, "olga,,,expert,,")

    login = line.partition(",")[0]
    assert done == [
        ListedPerson(2, "anna"),
        ListedPerson(last - 1, login, reason),
        ListedPerson(last, "olga", remark=NO_LETTERS),
    ]
    assert people() == {"known", "anna", "olga"}


def test_nul_in_a_login_is_a_bad_line(read):
    assert read("iv\0an,,,expert,,") == [ListedPerson(2, "iv\0an", BAD_LOGIN)]
    assert people() == set()


def test_an_administrator_may_list_administrators(read, administrator):
    assert read("chief,,,administrator,,", actor=administrator) == [
        ListedPerson(2, "chief", remark=NO_LETTERS)
    ]
    assert User.objects.get(username="chief").is_staff


@pytest.mark.parametrize(
    ("data", "login"),
    [
        ("\ufeff" + HEADER + "\r\n" + GOOD + "\r\n", "anna"),
        (HEADER.replace(",", ";") + "\n" + GOOD.replace(",", ";"), "anna"),
        ("\ufeff" + HEADER.replace(",", ";") + "\r\n" + GOOD.replace(",", ";"), "anna"),
        ("role,login,name,email,school,subjects\nexpert,anna,,,,eng\n", "anna"),
        (HEADER + ",phone\n" + GOOD + ",+7 900\n", "anna"),
        (HEADER + "\n\n" + GOOD + "\n\n", "anna"),
        (HEADER + "\nanna,,,expert\n", "anna"),
        (HEADER + '\n"anna","Лебедева, Анна",,expert,"Школа ""7""",\n', "anna"),
        (HEADER + '\n anna , Анна ,,expert,,"eng,rus"\n', "anna"),
    ],
    ids=[
        "byte order mark and CRLF",
        "semicolons",
        "as Excel saves it",
        "other order",
        "a column more",
        "empty lines",
        "a short line",
        "quotes",
        "spaces",
    ],
)
def test_lists_come_in_many_shapes(read, data, login):
    assert [(person.login, person.refusal) for person in read(data.encode())] == [(login, "")]


def test_semicolons_do_not_shift_the_columns(read):
    read((HEADER.replace(",", ";") + "\nanna;Лебедева, Анна;;expert;Школа;eng rus").encode())

    anna = User.objects.get(username="anna")
    assert (anna.full_name, anna.school) == ("Лебедева, Анна", "Школа")
    assert anna.specialisms.count() == 2


def test_roles_and_subjects_are_read_by_their_names_too(read):
    lines = (
        "anna;;;эксперт;;Английский (свободная форма), русский hist",
        "boris;;;Participant;;",
        "vera;;;эксперт;;Русский язык, английский язык история",
    )
    found = read("\n".join([HEADER.replace(",", ";"), *lines]).encode())

    anna, vera = (User.objects.get(username=name) for name in ("anna", "vera"))
    assert [each.refusal for each in found] == ["", "", ""]
    assert set(vera.specialisms.values_list("subject", flat=True)) == {"eng", "rus", "hist"}
    assert set(anna.specialisms.values_list("subject", flat=True)) == {"eng-free", "rus", "hist"}
    assert User.objects.get(username="boris").role == "participant"


ALL_COLUMNS = "login, full name, e-mail, role, school, subjects"

WHOLE = {
    "in another encoding": (
        f"{HEADER}\nanna,José André Zoë,,expert,,".encode("latin-1"),
        "The list is not in UTF-8. In Excel, save it as “CSV UTF-8”.",
    ),
    "without a column": (
        b"login,name,email,school\nanna,,,",
        "The first line must name the columns; missing: role, subjects.",
    ),
    "without any line": (
        b"\n",
        f"The first line must name the columns; missing: {ALL_COLUMNS}.",
    ),
    "of nobody": (HEADER.encode() + b"\n", "The list names nobody."),
    "of too many": (
        (HEADER + "".join(f"\np{n},,,,," for n in range(2001))).encode(),
        "The list holds more than 2000 people.",
    ),
    "with an endless field": (
        f"{HEADER}\n{GOOD}\n{'x' * 200_000},,,,,".encode(),
        "Line 3 is not CSV: field larger than field limit (131072).",
    ),
    "with an endless header": (
        b"x" * 200_000,
        "Line 1 is not CSV: field larger than field limit (131072).",
    ),
}


@pytest.mark.parametrize(("data", "reason"), WHOLE.values(), ids=WHOLE)
def test_a_list_that_cannot_be_read_makes_nobody(read, data, reason):
    with pytest.raises(ListRefused) as refused:
        read(data)

    assert (str(refused.value), people()) == (reason, set())


def upload(browser, data, name="people.csv"):
    return browser.post("/people/import/", {"file": SimpleUploadedFile(name, data)})


def test_the_page_shows_what_became_of_every_line(coordinator, log_in):
    answer = upload(log_in(coordinator), f"{HEADER}\n{GOOD}\n<b>,,,boss,,\n".encode())

    page = answer.content.decode()
    assert answer.status_code == 200
    assert [text in page for text in ("anna", "&lt;b&gt;", "Unknown role: boss", "<b>")] == [
        True,
        True,
        True,
        False,
    ]
    assert people() == {"anna"}


def test_the_page_counts_the_lines_and_names_the_refused_ones_first(coordinator, log_in):
    upload(log_in(coordinator), f"{HEADER}\n{GOOD}\n".encode())
    lines = f"{HEADER}\n{GOOD}\nboris,,,expert,,\nclara,,,boss,,\n".encode()

    page = upload(log_in(coordinator), lines)

    assert texts_of(page, "#came dd") == ["1", "1", "1"]
    assert texts_of(page, "#came dt") == ["New accounts", "Known already", "Refused lines"]
    assert texts_of(page, "tbody th") == ["clara", "anna", "boris"]


def test_missing_columns_are_named_in_the_language_of_the_page(read):
    with override("ru"), pytest.raises(ListRefused) as refusal:
        read("логин,школа\nanna,".encode())

    words = "полное имя, электронная почта, роль, предметы"
    assert str(refusal.value).endswith(f": {words}.")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff", "The list is not in UTF-8. In Excel, save it as “CSV UTF-8”."),
        (b"", "The submitted file is empty."),
        (b"x" * (5 * 1024 * 1024 + 1), "The file is larger than 5 MB."),
    ],
    ids=["another encoding", "empty", "too large"],
)
def test_the_page_says_why_a_list_is_refused(coordinator, log_in, data, reason):
    answer = upload(log_in(coordinator), data)

    assert (answer.status_code, reason in answer.content.decode()) == (422, True)


def test_without_a_file_the_page_asks_for_one(coordinator, log_in):
    answer = log_in(coordinator).post("/people/import/")

    assert (answer.status_code, "This field is required." in answer.content.decode()) == (422, True)


def test_the_page_of_a_report_loaded_anew_leads_back_to_the_people(coordinator, log_in):
    assert log_in(coordinator).get("/people/import/")["Location"] == "/people/"


def closed_account(**fields):
    return PersonFactory(username="exp7", is_active=False, password="!", subjects=[], **fields)


def test_a_closed_account_that_an_import_made_is_completed_and_opened(coordinator, log_in):
    made = closed_account()

    answer = upload(log_in(coordinator), f"{HEADER}\nEXP7,Ольга,o@school.example,,,eng\n".encode())

    made.refresh_from_db()
    assert (made.full_name, made.email, made.is_active) == ("Ольга", "o@school.example", True)
    assert [each.subject for each in made.specialisms.all()] == ["eng"]
    assert texts_of(answer, "tbody tr") == [
        "2 EXP7 completed An import had made this account; it is complete and open now."
    ]


def test_an_account_that_somebody_closed_stays_closed(read, coordinator):
    person = PersonFactory(username="exp7", password="!", subjects=[])
    set_active(person=person, active=False, actor=coordinator)

    (line,) = read("exp7,Ольга,,,,eng")

    told = "There is this account already, and it is closed. Open it on the page “People”."
    assert line.refusal == told
    assert not User.objects.get(username="exp7").is_active


RUSSIAN = "Логин;Полное имя;Электронная почта;Роль;Школа;Предметы;ещё что-то"
SHORT = "логин;ФИО;почта;роль;школа;предметы"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251", "koi8-r", "cp866"])
@pytest.mark.parametrize("header", [RUSSIAN, SHORT])
def test_russian_lists_are_read_as_excel_saves_them(read, encoding, header):
    line = "anna;Анна Лебедева;anna@school.example;эксперт;Лицей;русский"

    assert read(f"{header}\r\n{line}\r\n".encode(encoding)) == [ListedPerson(2, "anna")]

    anna = User.objects.get(username="anna")
    assert [anna.full_name, anna.school] == ["Анна Лебедева", "Лицей"]
    assert list(anna.specialisms.values_list("subject", flat=True)) == ["rus"]
