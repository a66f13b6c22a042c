from __future__ import annotations

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from schemes.core.coscore.answers import read_answers
from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.results import score_answers, to_csv
from schemes.core.coscore.scorer import Scorer
from schemes.models import SchemeRun
from tests.schemes.inputs import ANSWERS, RULE, SECRET, do_all, form_of, scored

pytestmark = pytest.mark.django_db


def test_csv_has_what_the_exam_gave_and_no_formula(browser, person):
    run = scored(person, "use")

    response = browser.get(f"/schemes/runs/{run.uuid}/csv/?verdict=wrong")

    rows = list(csv.reader(io.StringIO(response.content.decode())))
    assert rows == [
        ["variant", "id_task", "id", "type", "answer", "points", "max", "reason"],
        ["0", "1", "0", rows[1][3], "2,4", "0", "1", "missing 5; too many 4"],
        ["0", "2", "1", "text", "'=сова", "0", "1", f"read as “сова”; accepted: {SECRET}"],
    ]
    assert response["Content-Disposition"].startswith('attachment; filename="use-')


@pytest.mark.parametrize("answers", [ANSWERS, 'text\n=1+1\n"梨-a"\n3.5\n"a\0b"\n'])
def test_csv_of_coscore_is_that_of_the_command_line(browser, answers):
    broken = {**RULE, "combos": {**RULE["combos"], "C": {"combo": "L(1)", "score": 1.5}}}
    broken["combos"]["C"]["mode"] = "value"
    rule = json.dumps(broken, ensure_ascii=False)
    form = form_of("coscore", rule=rule)
    upload = SimpleUploadedFile("a.csv", answers.encode())
    browser.post("/schemes/coscore/", {**form, "answers": "", "answers_file": upload})
    do_all()

    response = browser.get(f"/schemes/runs/{SchemeRun.objects.get().uuid}/csv/")

    scorer = Scorer(read_rule(rule).rule)
    offline = to_csv(score_answers(scorer, read_answers(answers.replace("\r\n", "\n"))), str)
    assert response.content.decode() == offline.replace("\0", "\ufffd")


def test_json_has_the_figures_and_every_item(browser, person):
    run = scored(person, "use")

    body = browser.get(f"/schemes/runs/{run.uuid}/json/").json()

    assert (body["scheme"], body["version"], body["options"]) == ("use", "1", {})
    assert body["figures"] == run.figures
    assert [item["points"] for item in body["items"]] == list(
        run.items.values_list("points", flat=True)
    )
    assert body["items"][0]["reason"] == "missing 5; too many 4"
