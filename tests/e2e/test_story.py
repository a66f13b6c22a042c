"""The whole way of one essay, as people see it: SQLite in Russian, PostgreSQL in English."""

from __future__ import annotations

import json
import re
from email import message_from_bytes, policy
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from accounts.models import User
from annotator.models import EssaySet
from contest.management.commands.demo import FILES
from tests.e2e.database import together
from tests.e2e.pages import (
    PASSWORD,
    delete_mark,
    describe,
    log_in,
    mark,
    mark_whole_text,
    open_mark,
    select,
)
from tests.e2e.promises import all_ended
from tests.e2e.visitor import Program
from tests.e2e.watch import browser
from tests.factories import EssaySetFactory, PersonFactory, RuleSetFactory

pytestmark = pytest.mark.full

LANGUAGES = {"sqlite": "ru", "postgresql": "en"}
SUBJECT = "eng-free"
"""A subject of the story's own: experts of other tests cannot be called to its essay."""
BLOCKS = [
    ("After leaving school, some young people", "ПРОБЛЕМА"),
    ("In my opinion, a year between school and university", "ЛМНЕНИЕ"),
    ("it helps a person to choose a profession", "АРГУМЕНТ"),
    ("teaches young people", "АРГУМЕНТ"),
    ("travelling gives them", "АРГУМЕНТ"),
    ("However, there are those", "ПРМНЕНИЕ"),
    ("I cannot agree", "ОБОСНОВАНИЕ"),
    ("To conclude", "ВЫВОД"),
]
"""With these marked K1 and K2 are 3 each, without any of them 0 and 1: 14 and 9 points in all."""


@pytest.fixture
def language(stack):
    return LANGUAGES[stack.vendor]


@pytest.fixture
def say(language):
    """A sentence of the catalogue as this story's people read it."""

    def translated(sentence, values=()):
        with override(language):
            return gettext(sentence) % values

    return translated


@pytest.fixture
def cast(stack, language):  # noqa: ARG001 - the rows need the database
    """A coordinator and three experts who can log in, and an empty essay set."""
    names = {"coordinator": [], "exp1": [SUBJECT], "exp2": [SUBJECT], "exp3": [SUBJECT]}
    hasher = Argon2PasswordHasher()
    for name, subjects in names.items():
        PersonFactory(
            username=name,
            full_name=f"Person {name}",
            role=User.Role.EXPERT if subjects else User.Role.COORDINATOR,
            subjects=subjects,
            password=hasher.encode(PASSWORD, hasher.salt()),
        )
    return EssaySetFactory(
        name="Training", access=EssaySet.Access.OPEN, rules=RuleSetFactory(name="Story")
    )


@pytest.fixture
def people(stack, cast, worker, chromium_path):  # noqa: ARG001 - they come before the browser
    """Gives pages to people; at the end nothing may have gone wrong on any of them."""
    with browser(chromium_path, stack.url) as opened:
        yield opened
        assert opened.watch.problems == []


def number(value, language):
    return value.replace(".", ",") if language == "ru" else value


def test_from_the_file_to_the_table(stack, people, language, say):
    coordinator = log_in(people.page(language), "coordinator")
    expect(coordinator.locator("html")).to_have_attribute("lang", language)

    import_essay(coordinator, say)
    assign_two(coordinator, say)
    program = invite_algorithm(stack, people, coordinator, language, say)

    first = log_in(people.page(language), "exp1")
    begin(first)
    mark_everything(first)
    expect(total(first)).to_have_text("14/14")
    submit(first, say)
    assert_waits_for_nothing(first, say)

    second = log_in(people.page(language), "exp2")
    begin(second)
    mark_little(second)
    expect(total(second)).to_have_text("9/14")
    submit(second, say)

    third = log_in(people.page(language), "exp3")
    wait_for_work(stack, third)
    begin(third)
    read_both(third, language, say)
    mark(third, "independant", "А.орф")
    describe(third, correction="independent")
    expect(third.locator(".marks .note")).to_contain_text("independent")
    third.locator("[data-do=rest]").click()
    third.locator("#open-pairs [value=rest]").click()
    expect(third.locator("#undecided")).to_have_text("0")
    hand_in(third, say)  # once all is decided, the sheet opens by itself

    essay_id = essay_on_desk(coordinator)
    send_markup(program, essay_id)
    # In a thread of its own: Playwright's loop runs in this one.
    stack.until(lambda: together(all_ended) == [True], "every job ends")
    read_decision(coordinator, essay_id, say)
    read_comparison(coordinator, language)
    read_scores(coordinator, language)


def import_essay(page, say):
    text = (FILES / "0001001.txt").read_text("utf-8")
    text = re.sub("Предмет: .*\n", "", text)
    page.get_by_role("link", name=say("Import"), exact=True).first.click()
    page.locator("#id_essay_set").select_option(label="Training")
    page.locator("#id_subject").select_option(SUBJECT)
    page.locator("#files").set_input_files(
        [{"name": "0009001.txt", "mimeType": "text/plain", "buffer": text.encode()}]
    )
    page.locator("main form button").click()
    line = page.locator("main tbody tr")
    expect(line).to_contain_text("0009001.txt")
    expect(line).to_contain_text(say("new essay"))
    page.locator("main").get_by_role("button", name=say("Import"), exact=True).click()
    expect(page.locator("h1")).to_have_text(say("What became of the files"))


def assign_two(page, say):
    open_checks(page)
    page.get_by_role("button", name=say("Assign the least loaded experts")).click()
    table = page.locator("main table").first
    expect(table.locator("tbody tr").nth(0)).to_contain_text("Person exp1")
    expect(table.locator("tbody tr").nth(1)).to_contain_text("Person exp2")
    expect(table.locator("tbody tr").nth(2)).to_contain_text(say("nobody"))


def open_checks(page):
    page.goto("/desk/?set=Training")
    page.get_by_role("link", name="0009001").click()


def essay_on_desk(page):
    open_checks(page)
    return int(urlsplit(page.url).path.rstrip("/").rpartition("/")[2])


def invite_algorithm(stack, people, coordinator, language, say):
    """An account, a letter, a password, a key: the way of a participant's program."""
    coordinator.goto("/people/new/")
    coordinator.locator("#id_username").fill("lynx")
    coordinator.locator("#id_full_name").fill("Algorithm Lynx")
    coordinator.locator("#id_email").fill("lynx@example.org")
    coordinator.locator("#id_role").select_option("participant")
    coordinator.locator("main form button.primary").click()
    line = found_in_list(coordinator, "Algorithm Lynx")
    line.get_by_role("button", name=say("Send a link")).click()
    expect(coordinator.locator(".messages")).to_contain_text("lynx@example.org")

    participant = people.page(language)
    participant.goto(link_in_letter(stack))
    participant.locator("#id_new_password1").fill(PASSWORD)
    participant.locator("#id_new_password2").fill(PASSWORD)
    participant.locator("main form button").click()
    log_in(participant, "lynx")
    expect(participant.locator("tbody tr", has_text="0009001")).to_be_visible()
    participant.goto("/account/")
    participant.locator("#id_name").fill("the program")
    participant.get_by_role("button", name=say("Make a key")).click()
    return Program(stack, participant.locator("code.secret").inner_text())


def found_in_list(page, name):
    """The row of a list that comes in pages: other tests have people, too."""
    line = page.locator("main tbody tr", has_text=name)
    while not line.count():
        page.locator(".pager a[rel=next]").click()
        page.wait_for_load_state()
    return line


def link_in_letter(stack):
    letters = (each.read_bytes() for each in (stack.folder / "mail").iterdir())
    (text,) = (
        letter.get_content()
        for letter in (message_from_bytes(each, policy=policy.default) for each in letters)
        if letter["To"] == "lynx@example.org"
    )
    return re.search(r"http://\S+", text)[0]


def begin(page):
    page.goto("/queue/")
    page.locator("tbody tr", has_text="0009001").locator("form button.primary").first.click()
    expect(page.locator("#desk")).to_be_visible()


def total(page):
    return page.locator("#points .sum .v")


def mark_everything(page):
    """All blocks and two mistakes; one mark is changed on the way, two are taken back."""
    for words, code in BLOCKS:
        mark(page, words, code)
    mark(page, "worked", "А.лекс")
    describe(page, code="А.грамм", subcode="видовр", correction="has worked", explanation="Now.")
    note = page.locator(".marks .note", has_text="worked")
    expect(note).to_contain_text("А.грамм видовр")
    expect(note).to_contain_text("has worked")
    mark(page, "independant", "А.орф")
    describe(page, correction="independent")
    mark(page, "unique", "А.запас")
    delete_mark(page)
    mark_whole_text(page, "А.стиль")
    delete_mark(page)
    expect(page.locator(".marks .note")).to_have_count(10)
    expect(page.locator("#essay [data-m]", has_text="worked").last).to_have_text("worked")


def mark_little(page):
    mark(page, "worked", "А.грамм")
    describe(page, subcode="видовр", correction="had been")
    open_mark(page, "worked")
    describe(page, correction="had worked")
    select(page, "independant")
    mark(page, "independant", "А.орф")
    describe(page, correction="independent")
    expect(page.locator(".marks .note")).to_have_count(2)


def submit(page, say):
    page.get_by_role("button", name=say("Submit the check")).click()
    hand_in(page, say)


def hand_in(page, say):
    page.locator("#hand-in").click()
    page.wait_for_url("**/queue/")
    about = {"number": "0009001", "set": "Training"}
    told = say("Essay %(number)s of “%(set)s” is submitted.", about)
    expect(page.locator(".messages")).to_contain_text(told)


def assert_waits_for_nothing(page, say):
    expect(page.get_by_text(say("Nothing waits"))).to_be_visible()


def wait_for_work(stack, page):
    def is_there():
        page.goto("/queue/")
        return page.locator("tbody tr", has_text="0009001").count()

    stack.until(is_there, "the third expert is called")


def read_both(page, language, say):
    """The third expert reads the two earlier markups and their comparison, and comes back."""
    desk = page.url
    earlier = page.locator("#earlier a")
    expect(earlier).to_have_count(3)
    for index, (count, points) in enumerate([(10, "14/14"), (2, "9/14")]):
        page.goto(desk)
        earlier.nth(index).click()
        expect(page.locator(".marks .note")).to_have_count(count)
        expect(total(page)).to_have_text(points)
        expect(page.get_by_role("button", name=say("Submit the check"))).to_have_count(0)
    page.goto(desk)
    earlier.nth(2).click()
    assert_compared(page, language)
    page.goto(desk)


def assert_compared(page, language):
    """Ten fragments beside two of them: M2 is 2 · 2 / (10 + 2), the others are shares of it."""
    bars = page.locator(".bars dd b")
    shown = ("64.3", "33.3", "6.7", "6.7", "6.7", "3.3")
    figures = [number(each, language) for each in shown]
    expect(bars).to_have_text(figures)
    expect(page.locator(".strip .total")).to_have_text(number("11.3", language))
    expect(page.locator(".kk p").first.locator("b")).to_have_text(["14", "9"])
    expect(page.locator(".difflist > li")).to_have_count(10)
    expect(page.locator(".difflist > li.st-same")).to_have_count(1)
    expect(page.locator(".difflist > li.st-correction")).to_have_count(1)
    expect(page.locator(".difflist > li.st-only_left")).to_have_count(8)


def send_markup(program, essay_id):
    """The algorithm says the same as the second expert."""
    essay = program.get(f"/api/essays/{essay_id}/").json()
    text = essay["text"]

    def place(words, **attributes):
        start = text.index(words)
        return {"startSelection": start, "endSelection": start + len(words), **attributes}

    selections = [
        place("worked", type="А.грамм", subtype="видовр", correction="had worked"),
        place("independant", type="А.орф", correction="independent"),
    ]
    answer = program.send(essay_id, {**essay, "selections": selections})
    assert answer.status == 201, answer.text
    assert json.loads(answer.text)["fragments"] == 2


def read_decision(page, essay_id, say):
    page.goto(f"/desk/essays/{essay_id}/")
    rows = page.locator("main table").first.locator("tbody tr")
    for index, (name, points) in enumerate([("exp1", "14"), ("exp2", "9"), ("exp3", "9")]):
        expect(rows.nth(index)).to_contain_text(f"Person {name}")
        expect(rows.nth(index).locator("td.num").first).to_have_text(points)
    notice = page.locator(".notice").filter(
        has_text=say("The third check came. It was needed because:")
    )
    expect(notice).to_contain_text(say("The third check came. It was needed because:"))
    expect(notice).to_contain_text(
        say("the totals differ by %(d)s, the threshold is %(t)s", {"d": 5, "t": 4})
    )


def read_comparison(page, language):
    page.goto(page.url.replace("/desk/essays/", "/essays/"))
    page.locator(".matrix a", has_text="Person exp1, Person exp2:").click()
    assert_compared(page, language)


def read_scores(page, language):
    """STAR is the mean of 30, 100 and 40; STER of 11.33, 30, 5.09, 18.18, 40 and 66.67."""
    page.goto("/scores/")
    panel = page.locator("section.panel", has_text="Training")
    expect(panel.locator(".facts dd")).to_have_text([number("28.55", language), "1"])
    expect(panel.locator("tbody tr td, tbody tr th")).to_have_text(
        [
            "1",
            "Algorithm Lynx",
            {"ru": "1 из 1", "en": "1 of 1"}[language],
            number("56.67", language),
            number("198.5", language),
        ]
    )
