"""Contests of each of the four other scoring systems, from the key to the protocol."""

from __future__ import annotations

import json
from statistics import mean

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.defaultfilters import floatformat
from django.test import Client

from contest.core.splits import is_public
from contest.models import Phase, PhaseProtocol, Team, Upload, UploadCounter, UploadTerms
from schemes.adapters import SCHEMES
from schemes.models import SchemeItem, SchemeRun
from tests.contest.data_world import contest_of, in_days, phase_of
from tests.contest.phases import COURSE, phase, say
from tests.contest.running_world import person
from tests.contest.world import team
from tests.pages import page_of, texts_of
from tests.schemes.inputs import INPUTS, do_all, scored

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.parametrize("slug", sorted(SCHEMES)),
]

FORMS = {
    "qac": {"task": "1", "match": "article"},
    "coscore": {"separator": "-"},
}
"""What is chosen in the form of the terms besides the numbers."""
CHEAP = {"per_day": 2, "in_all": 3, "public_share": 50}


def given(slug):
    """The bytes a contest keeps as its key, and those a team sends."""
    texts, scheme = INPUTS[slug](), SCHEMES[slug]
    sources = (scheme.kept_by_contests, scheme.sent_to_contests)
    key, sent = (texts[each.name].encode() for each in sources)
    return key, sent


@pytest.fixture
def contest(slug):
    made = contest_of(scheme=slug, subject="", live=False, shows_test_board=True)
    phase_of(made, "qualification", -1, 5)
    return made


def with_terms(contest, log_in):
    """Organisers say the terms on their page."""
    key, _sent = given(contest.scheme)
    address = f"/contests/{contest.slug}/uploads/terms/qualification/"
    body = {**CHEAP, **FORMS.get(contest.scheme, {}), "key": SimpleUploadedFile("key", key)}
    answer = log_in(person("organiser")).post(address, body)
    assert answer.status_code == 302, texts_of(answer, ".errorlist li")
    return contest.phases.get().upload_terms


def lynx_in(contest):
    return Team.objects.create(contest=contest, name="Lynx", account=team())


def sent_on_page(log_in, whose, data, name="answers.txt"):
    address = f"/contests/{whose.contest.slug}/uploads/send/"
    file = SimpleUploadedFile(name, data)
    return log_in(whose.account).post(address, {"file": file}, follow=True)


def parts_of(slug, terms):
    """What the same files are worth outside of a contest, by the parts of the key."""
    scheme, run = SCHEMES[slug], scored(person("participant"), slug, **terms.options)
    rows = SchemeItem.objects.filter(run=run).values_list("name", "verdict", "points", "maximum")
    parts = {True: [], False: []}
    for name, *worth in rows:
        points, most = scheme.worth(*worth)
        if points is not None and most:
            public = is_public(name, seed=terms.seed, share=terms.public_share)
            parts[public].append(points / most)
    return [mean(each) for each in parts.values()]


def test_a_file_is_worth_what_the_scheme_says_by_both_parts_of_the_key(slug, contest, log_in):
    terms, lynx = with_terms(contest, log_in), lynx_in(contest)

    answer = sent_on_page(log_in, lynx, given(slug)[1])
    do_all()

    upload = Upload.objects.get()
    assert (answer.status_code, upload.state) == (200, "scored")
    assert [upload.public, upload.final] == pytest.approx(parts_of(slug, terms))


def test_quotas_count_what_was_scored_and_nothing_that_was_refused(slug, contest, log_in):
    with_terms(contest, log_in)
    lynx, sent = lynx_in(contest), given(slug)[1]

    sent_on_page(log_in, lynx, b"\xff\xfe nothing of the kind")
    do_all()
    for number in range(2):
        sent_on_page(log_in, lynx, sent + b"\n" * number)
    do_all()
    over = sent_on_page(log_in, lynx, sent + b"\n" * 3)

    states = list(Upload.objects.order_by("pk").values_list("state", flat=True))
    assert states == ["refused", "scored", "scored"]
    assert UploadCounter.objects.values_list("of_day", "total").get() == (2, 2)
    assert "has used its 2 uploads of today" in page_of(over).text


def test_the_board_and_the_protocol_have_the_best_upload_of_a_team(slug, contest, log_in):
    terms, lynx = with_terms(contest, log_in), lynx_in(contest)
    sent_on_page(log_in, lynx, given(slug)[1])
    do_all()
    address = f"/contests/{contest.slug}/uploads/board/"
    public, final = parts_of(slug, terms)

    shown = page_of(Client(headers={"accept-language": "en"}).get(address))
    Phase.objects.update(ends_at=in_days(-0.01))
    for kind, role in COURSE:
        say(contest, kind, role)

    assert [each.text for each in shown.find("tbody th")] == ["Lynx"]
    assert floatformat(public, 4) in shown.one("tbody").text
    protocol = PhaseProtocol.objects.get()
    told = json.loads(protocol.content)["uploads"]
    (row,) = told["rows"]
    assert (told["key"], row["team"], row["uploads"], row["rank"]) == (
        *(UploadTerms.objects.get().digest, "Lynx"),
        *(1, 1),
    )
    assert [row["public"], row["final"]] == pytest.approx([public, final])
    assert phase(contest).closed_at is not None
    paper = f"/contests/{contest.slug}/protocols/qualification/{protocol.pk}/"
    page = page_of(log_in(person("judge")).get(paper)).text
    assert floatformat(final, 4) in page
    assert log_in(person("expert")).get(paper).status_code == 403


def test_no_word_of_the_key_is_told_to_a_team(slug, contest, log_in):
    with_terms(contest, log_in)
    lynx, (key, sent) = lynx_in(contest), given(slug)

    files = {"sent": sent, "key": key, "nothing": b"nothing"}
    told = [sent_on_page(log_in, lynx, data, name).text for name, data in files.items()]
    do_all()
    page = page_of(log_in(lynx.account).get(f"/contests/{contest.slug}/uploads/"))
    told += [row.text for row in page.find("#sent tbody tr") if not row.text.startswith("key")]
    told += [each for upload in Upload.objects.filter(name="key") for each in upload.refusals()]

    assert [each for each in told if "тайнопись" in each] == []
    assert len(told) > len(files)


def test_the_items_a_key_is_drawn_by_are_those_a_run_gives_points_for(slug):
    scheme = SCHEMES[slug]
    run = scored(person("participant"), slug)
    source = scheme.kept_by_contests
    read = source.read(INPUTS[slug]()[source.name].encode(), {}, {})

    rows = SchemeItem.objects.filter(run=run).values_list("name", "verdict", "points", "maximum")
    valued = [name for name, *worth in rows if all(scheme.worth(*worth)[1:])]

    assert sorted(scheme.names_of(read)) == sorted(valued)


def test_what_was_odd_is_told_of_what_a_team_sent_and_never_of_a_hidden_table(
    slug, contest, log_in
):
    with_terms(contest, log_in)
    _key, data = given(slug)
    sent_on_page(log_in, lynx_in(contest), data)
    do_all()
    SchemeRun.objects.update(problems=[{"ru": "Странно.", "en": "Odd."}] * 25)

    told = Upload.objects.get().remarks()

    assert (len(told), len({*told})) == ((0, 0) if slug == "coscore" else (21, 2))
