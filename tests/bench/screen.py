"""The marking screen on the server: SQLite, one client, 300 words with 40 nested fragments."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from django.template import Context, Template
from django.test import Client
from django.test.utils import get_runner, setup_test_environment, teardown_test_environment

from annotator.core.painting import paint
from annotator.models import FragmentRecord, MarkupRecord
from annotator.services.markup import row_of
from annotator.templatetags.essay_text import essay_text
from tests.bench.essays import nested_markup
from tests.bench.timing import Case
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory

NAIVE = Template(
    '{% for run in runs %}<span class="f" data-s="{{ run.span.start }}" '
    'data-m="{{ run.over|join:" " }}">{{ run.text }}</span>{% endfor %}'
)


@contextmanager
def uninstrumented() -> Iterator[None]:
    """Templates as a server renders them: the test environment copies every context."""

    def render(template: Template, context: object) -> object:
        return template.nodelist.render(context)  # type: ignore[attr-defined]

    with mock.patch.object(Template, "_render", render):
        yield


@contextmanager
def database() -> Iterator[None]:
    """An empty database for the time of the measurement."""
    from django.conf import settings  # noqa: PLC0415 - settings are ready only now

    setup_test_environment()
    runner = get_runner(settings)(verbosity=0, interactive=False)
    old = runner.setup_databases()
    try:
        yield
    finally:
        runner.teardown_databases(old)
        teardown_test_environment()


def draft(fragments: int) -> MarkupRecord:
    """A draft of an essay of 300 words."""
    markup = nested_markup(300, fragments)
    essay = EssayFactory(text=markup.text)
    record = DraftFactory(assignment=AssignmentFactory(essay=essay, state="working"))
    FragmentRecord.objects.bulk_create(row_of(record, each) for each in markup.fragments)
    return record


def cases() -> Iterator[Case]:
    markup = nested_markup(300, 40)
    context = Context({"runs": paint(markup)})
    yield Case(
        "render 40 fragments",
        lambda: essay_text(markup),
        lambda: NAIVE.render(context),
        "a template's loop",
    )
    record = draft(40)
    client = Client()
    client.force_login(record.author)
    address = f"/markups/{record.pk}/"
    yield Case(
        "open the marking page",
        lambda: client.get(address),
        lambda: client.get("/queue/"),
        "a plain page",
    )
    first = record.fragments.first()
    yield Case("change a mark", lambda: change(client, record, first))


def change(client: Client, record: MarkupRecord, row: FragmentRecord) -> None:
    record.refresh_from_db(fields=["version"])
    fields = {"version": record.version, "explanation": f"explained {record.version} times"}
    answer = client.post(
        f"/markups/{record.pk}/fragments/{row.pk}/", fields, headers={"HX-Request": "true"}
    )
    assert answer.status_code == 200, answer.content


def sizes() -> Iterator[str]:
    """Bytes that go over the wire, compressed."""
    record = draft(40)
    client = Client()
    client.force_login(record.author)
    page = client.get(f"/markups/{record.pk}/").content
    row = record.fragments.first()
    answer = client.post(
        f"/markups/{record.pk}/fragments/{row.pk}/",
        {"version": record.version, "tag": "x1"},
        headers={"HX-Request": "true"},
    ).content
    for name, content in (("page", page), ("answer to a change", answer)):
        packed = len(gzip.compress(content)) / 1024
        yield f"{name}: {len(content) / 1024:.1f} KiB, compressed {packed:.1f} KiB"
