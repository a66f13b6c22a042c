"""Contests of CoScore: teams send rules, which are tried on scored answers nobody chooses."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from contest.models import Team, Upload, UploadTerms
from contest.queries.uploads import board_of
from contest.services.uploads.uploading import Sent, send_upload
from schemes.access import keys_used_by
from tests.contest.data_world import contest_of, phase_of, terms_of
from tests.contest.world import team
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.schemes.inputs import ANSWERS, RULE, do_all
from web.refusals import Refused

pytestmark = pytest.mark.django_db
SCORED = "text,score\n我爱祖国,3\n苹果,2\n梨,0\n我,0\n"
GOOD = json.dumps(RULE).encode()
"""Of the third answer it says 2."""
POOR = json.dumps({**RULE, "combos": {"B": RULE["combos"]["B"]}}).encode()
"""Of the second answer it says 0, as of the third."""
BROKEN = json.dumps(
    {**RULE, "combos": {"A": {"combo": "L(3)", "score": 1, "mode": "value"}}}
).encode()
"""It asks for a fourth blank: no answer has one."""


@pytest.fixture
def phase():
    contest = contest_of(scheme="coscore", subject="", live=False, shows_test_board=True)
    found = phase_of(contest, "qualification", -1, 5)
    terms_of(found, key=SCORED.encode(), options={"separator": "-"}, per_day=9, in_all=9)
    UploadTerms.objects.update(seed=3)
    return found


def sent_by(phase, name, data=GOOD):
    team_ = Team.objects.filter(name=name).first() or Team.objects.create(
        contest=phase.contest, name=name, account=team()
    )
    sent = Sent("rule.json", data)
    upload, _is_new = send_upload(contest=phase.contest, user=team_.account, sent=sent)
    do_all()
    upload.refresh_from_db()
    return upload


def right(upload):
    """How many items the rule scored as people did, and of how many."""
    public, final = upload.public or 0, upload.final or 0
    hits = public * upload.public_items + final * upload.final_items
    return round(hits, 9), upload.public_items + upload.final_items


def test_a_rule_is_worth_the_share_of_answers_it_scores_as_people_did(phase):
    found = [right(sent_by(phase, "Lynx", data)) for data in (GOOD, POOR)]

    assert found == [(3, 4), (3, 4)]
    assert {each.state for each in Upload.objects.all()} == {"scored"}


def test_no_team_chooses_its_items_answers_its_rule_fails_at_are_wrong_ones(phase):
    upload = sent_by(phase, "Lynx", BROKEN)

    assert (upload.state, right(upload)) == ("scored", (0, 4))


def test_every_team_is_tried_on_the_same_answers_of_each_part(phase):
    uploads = [sent_by(phase, name, data) for name, data in (("Lynx", GOOD), ("Owl", BROKEN))]

    parts = {(each.public_items, each.final_items) for each in uploads}
    assert len(parts) == 1
    items = {tuple(each.run.items.values_list("name", flat=True)) for each in uploads}
    assert items == {("2", "3", "4", "5")}


def test_the_board_is_that_of_the_other_schemes(phase):
    for name, data in (("Lynx", BROKEN), ("Owl", GOOD), ("Lynx", POOR), ("Fox", BROKEN)):
        sent_by(phase, name, data)

    shown = Client().get(f"/contests/{phase.contest.slug}/uploads/board/")

    told = [(line.place, line.team, line.uploads) for line in board_of(phase).public]
    assert told[-1][1:] == ("Fox", 1)
    assert sorted(each[1:] for each in told) == [("Fox", 1), ("Lynx", 2), ("Owl", 1)]
    assert texts_of(shown, "tbody th") == [each[1] for each in told]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("text,score\n苹果,2\n梨,\n", "Line 3: no score stands beside the answer"),
        ("text\n苹果\n", "Line 2: no score stands beside the answer"),
        (json.dumps(RULE), "text"),
    ],
)
def test_a_key_is_a_table_of_answers_that_people_have_scored(key, words):
    contest = contest_of(scheme="coscore", subject="", live=False)
    options = {"separator": "-"}

    with pytest.raises(Refused, match=words):
        terms_of(phase_of(contest, "qualification", -1, 5), key=key.encode(), options=options)

    assert not UploadTerms.objects.exists()


def test_answers_instead_of_a_rule_are_refused_without_a_word_of_the_key(phase):
    upload = sent_by(phase, "Lynx", ANSWERS.encode())

    assert upload.state == "refused"
    assert upload.refusals() != []
    assert "祖国" not in " ".join(upload.refusals())


@pytest.mark.usefixtures("phase")
def test_the_key_of_a_contest_stands_in_for_no_rule():
    key = UploadTerms.objects.get().key

    assert key.source == "answers"
    assert not keys_used_by(key.owner).exists()


def test_the_pages_say_what_is_kept_and_what_is_sent(phase, log_in):
    lynx = sent_by(phase, "Lynx").team
    address = f"/contests/{phase.contest.slug}/uploads/"

    sending = page_of(log_in(lynx.account).get(address))
    terms = page_of(log_in(PersonFactory(role="organiser")).get(f"{address}terms/qualification/"))

    assert "Rule" in sending.one("label[for=id_file]").text
    assert "answers" in terms.one("label[for=id_key]").text
    assert log_in(PersonFactory()).get(address).status_code == 404
