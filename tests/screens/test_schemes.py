"""The pages of the schemes in Chromium: as a new user goes about them, and for everybody."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from jobs.models import Job
from schemes.adapters import SCHEMES
from schemes.models import SchemeRun
from tests.factories import PersonFactory
from tests.schemes.inputs import INPUTS, RULE, do_all, form_of, ordered, scored, stored
from tests.screens.test_axe import axe, serious  # noqa: F401 - fixtures

pytestmark = pytest.mark.full

EVERY = sorted(INPUTS)
WINDOWS = [{"width": 1440, "height": 900}, {"width": 375, "height": 740}]


@pytest.fixture
def person(site):  # noqa: ARG001 - the rows need the site's database
    return PersonFactory(role="participant")


def fits(page):
    """Nothing but tables is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("slug", EVERY)
def test_a_new_user_scores_files_and_sees_the_result_come(visit, person, tmp_path, slug):
    page = visit(person, "/schemes/")
    page.get_by_role("link", name=str(SCHEMES[slug].title)).click()
    for name, text in INPUTS[slug]().items():
        path = tmp_path / f"{name}.txt"
        path.write_text(text, "utf-8")
        page.locator(f"input[name={name}_file]").set_input_files(path)
    for name, value in form_of(slug).items():
        field = page.locator(f"main [name={name}]")
        if name not in INPUTS[slug]() and field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(str(value))
    page.get_by_role("button", name="Score", exact=True).click()
    expect(page.locator("[role=status] .badge")).to_have_text("waits")
    expect(page.locator("#downloads a")).to_have_count(0)

    do_all()

    expect(page.locator("#items tbody tr").first).to_be_visible()
    expect(page.locator("#downloads a")).to_have_text(["CSV", "JSON"])
    assert page.locator("#outcome").get_attribute("hx-get") is None


def test_a_rule_is_checked_while_it_is_written(visit, person):
    page = visit(person, "/schemes/coscore/")
    rule = json.loads(json.dumps(RULE))
    rule["combos"]["A"]["combo"] = "M(9,T(0))"

    area = page.locator("textarea[name=rule]")
    area.fill(json.dumps(rule))
    area.press("End")

    said = page.locator("#checked-rule li.blocks")
    expect(said).to_have_text("combo A, column 1: Atom 9 is not defined. Define it or use another.")
    area.fill(json.dumps(RULE))
    area.press("End")
    expect(page.locator("#checked-rule .notice")).to_have_text("The rule can be used.")


def test_an_answer_is_tried_without_leaving_the_page(visit, person):
    page = visit(person, "/schemes/coscore/tools/try/")

    page.locator("textarea[name=rule]").fill(json.dumps(RULE, ensure_ascii=False))
    page.get_by_label("Answer", exact=True).first.fill("我要苹果\n爱祖国")
    page.get_by_role("button", name="Try one answer").click()

    expect(page.locator(".trace .key")).to_have_text("5 / 10")
    expect(page.locator(".trace details")).to_have_count(4)


def test_the_table_is_filtered_in_place(visit, person):
    run = scored(person, "use")
    page = visit(person, f"/schemes/runs/{run.uuid}/")
    expect(page.locator("#items tbody tr")).to_have_count(30)

    page.get_by_label("Outcome").select_option("wrong")

    expect(page.locator("#items tbody tr")).to_have_count(2)
    assert page.url.endswith(f"/schemes/runs/{run.uuid}/")


def test_an_exam_is_scored_by_keys_alone(visit, person):
    page = visit(person, "/schemes/use/")
    texts = INPUTS["use"]()

    page.locator("textarea[name=key]").focus()
    page.keyboard.insert_text(texts["key"])
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.name") != "predictions":
        page.keyboard.press("Tab")
    page.keyboard.insert_text(texts["predictions"])
    while page.evaluate("document.activeElement.textContent") != "Score":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator("[role=status] .badge")).to_have_text("waits")


def test_it_works_without_scripts(visit, person):
    page = visit(person, "/schemes/coscore/", java_script_enabled=False)
    for name, text in INPUTS["coscore"]().items():
        page.locator(f"textarea[name={name}]").fill(text)
    page.get_by_role("button", name="Score", exact=True).click()
    do_all()

    page.get_by_role("link", name="reload it").click()

    expect(page.locator("#items tbody tr")).to_have_count(2)


def test_chinese_is_set_in_a_font_of_its_own_and_broken_by_its_rules(visit, person):
    run = scored(person, "coscore", separator="-")
    page = visit(person, f"/schemes/runs/{run.uuid}/")

    cell = page.locator("td:lang(zh)").first
    fonts = cell.evaluate("cell => getComputedStyle(cell).fontFamily")
    breaking = cell.evaluate("cell => getComputedStyle(cell).lineBreak")

    assert (fonts.split(",")[0], breaking) == ('"Noto Sans SC"', "strict")


def pages_of(person):
    """A page of every kind: its address by its name."""
    waiting, lost = ordered(person, "use"), ordered(person, "use")
    token, until = uuid4(), "2100-01-01T00:00Z"
    Job.objects.filter(pk=waiting.job_id).update(state="running", token=token, lease_until=until)
    SchemeRun.objects.filter(pk=waiting.pk).update(state="running", done=3, total=10)
    Job.objects.filter(pk=lost.job_id).update(state="failed")
    stored(person, "use", offered=True)
    runs = {slug: scored(person, slug, **options_of(slug)) for slug in EVERY}
    return {
        "list": "/schemes/",
        "waiting": f"/schemes/runs/{waiting.uuid}/",
        "lost": f"/schemes/runs/{lost.uuid}/",
        **{slug: f"/schemes/{slug}/" for slug in EVERY},
        **{f"run of {slug}": f"/schemes/runs/{run.uuid}/" for slug, run in runs.items()},
        **{
            f"why of {slug}": f"/schemes/runs/{run.uuid}/items/1/"
            for slug, run in runs.items()
            if SCHEMES[slug].explain
        },
        **{
            f"{slug}: {name}": f"/schemes/{slug}/tools/{name}/"
            for slug in EVERY
            for name in SCHEMES[slug].tools
        },
    }


def options_of(slug):
    return {name: value for name, value in form_of(slug).items() if name not in INPUTS[slug]()}


def test_axe_finds_nothing_serious_and_every_page_fits(visit, person, serious):  # noqa: F811
    found, wide = {}, []
    for name, address in pages_of(person).items():
        page = visit(person, address)
        found[name] = serious(page)
        for window in WINDOWS:
            page.set_viewport_size(window)
            wide += [] if fits(page) else [f"{name} {window['width']}"]
        page.close()

    assert {name: problems for name, problems in found.items() if problems} == {}
    assert wide == []


def test_axe_finds_nothing_serious_in_a_trace(visit, person, serious):  # noqa: F811
    page = visit(person, "/schemes/coscore/tools/try/")
    page.locator("textarea[name=rule]").fill(json.dumps(RULE, ensure_ascii=False))
    page.get_by_label("Answer", exact=True).first.fill("我要苹果\n爱祖国")
    page.get_by_role("button", name="Try one answer").click()
    expect(page.locator(".trace .key")).to_be_visible()

    assert serious(page) == []
