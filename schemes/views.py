"""The pages of the schemes: forms, runs with their tables, stored keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import EVERYBODY, Visit, open_to
from schemes.access import keys_kept_by, may_explain, runs_seen_by
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import MAX_ITEMS, Scheme, Tool, Unfit
from schemes.adapters.tables import as_json, table_of
from schemes.adapters.words import in_language
from schemes.forms import ItemFilter, KeyForm, RunForm
from schemes.models import SchemeRun
from schemes.services import keys, runs
from schemes.services.quotas import (
    one_at_a_time,
    refuse_full,
    refuse_too_many,
    refuse_waiting,
)
from web.core.sheets import as_csv
from web.files import as_file
from web.forms import sent_with_files, status_of
from web.paging import page_of
from web.refusals import Refused

CHUNK: Final = 2000


@require_GET
@open_to(EVERYBODY)
def schemes(request: Visit) -> HttpResponse:
    page = page_of(request, runs_seen_by(request.user).filter(owner=request.user))
    context = {"schemes": SCHEMES.values(), "page": page, "runs": _with_schemes(page)}
    return render(request, "schemes/list.html", context)


@require_http_methods(["GET", "POST"])
@open_to(EVERYBODY)
def scheme(request: Visit, slug: str) -> HttpResponse:
    found = _scheme(slug)
    form = RunForm(found, request.user, *sent_with_files(request))
    if request.method == "POST":
        refuse_waiting(owner=request.user)
    if request.method == "POST" and form.is_valid() and form.asked:
        with one_at_a_time(request.user):
            refuse_too_many(owner=request.user, asked=form.asked)
            run = runs.order_run(owner=request.user, asked=form.asked)
        return redirect("schemes:run", uuid=run.uuid)
    return _scheme_page(request, found, form=form)


@require_http_methods(["GET", "POST"])
@open_to(EVERYBODY)
def tool(request: Visit, slug: str, name: str) -> HttpResponse:
    found = _scheme(slug)
    chosen = _tool(found, name)
    form = chosen.form(*sent_with_files(request))
    context: dict[str, Any] = {"scheme": found, "tool": chosen, "name": name, "form": form}
    if request.method == "POST" and form.is_valid():
        context["answer"] = chosen.answer(form.cleaned_data)
    part = "#answer" if request.htmx else ""
    return render(request, f"schemes/tool.html{part}", context)


@require_GET
@open_to(EVERYBODY)
def run(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    kind = SCHEMES[found.scheme]
    explained = kind.explain is not None and may_explain(request.user, found)
    context: dict[str, Any] = {"run": found, "scheme": kind, "explained": explained}
    if found.state == SchemeRun.State.DONE:
        chosen = ItemFilter(kind, found, request.GET)
        page = page_of(request, chosen.items())
        columns = [column for column in kind.columns(found.figures) if column.on_page]
        context |= {"filter": chosen, "page": page, "columns": columns}
    if not request.htmx:
        return render(request, "schemes/run.html", context)
    if request.htmx.target == "items":
        return render(request, "schemes/run.html#items", context)
    return render(request, "schemes/run.html#outcome", context)


@require_GET
@open_to(EVERYBODY)
def explain(request: Visit, uuid: UUID, number: int) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    item = get_object_or_404(found.items, number=min(number, MAX_ITEMS + 1))
    kind = SCHEMES[found.scheme]
    if kind.explain is None or not may_explain(request.user, found):
        raise Http404
    try:
        name, asked = kind.explain(runs.inputs_of(found), found.options, item.cells)
    except Unfit as unfit:
        raise Refused(in_language(unfit.sentences[0])) from None
    chosen = _tool(kind, name)
    form = chosen.form(asked)
    context = {"scheme": kind, "tool": chosen, "name": name, "form": form, "run": found}
    answer = chosen.answer(form.cleaned_data) if form.is_valid() else None
    return render(request, "schemes/tool.html", {**context, "answer": answer})


@require_GET
@open_to(EVERYBODY)
def run_csv(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid, state=SchemeRun.State.DONE)
    columns = SCHEMES[found.scheme].columns(found.figures)
    rows = ItemFilter(SCHEMES[found.scheme], found, request.GET).items()
    lines = list(as_csv(table_of(columns, rows.iterator(chunk_size=CHUNK))))
    response = HttpResponse(lines, content_type="text/csv; charset=utf-8")
    return as_file(response, _file_name(found, "csv"))


@require_GET
@open_to(EVERYBODY)
def run_json(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid, state=SchemeRun.State.DONE)
    body = {
        "scheme": found.scheme,
        "version": found.version,
        "options": found.options,
        "figures": found.figures,
        "problems": [in_language(each) for each in found.problems],
        "readings": [in_language(each) for each in found.readings],
        "items": [as_json(each) for each in found.items.iterator(chunk_size=CHUNK)],
    }
    text = json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    return as_file(response, _file_name(found, "json"))


@require_GET
@open_to(EVERYBODY)
def run_text(request: Visit, uuid: UUID, name: str) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid, state=SchemeRun.State.DONE)
    texts = {each["name"]: each["text"] for each in found.figures.get("texts", ())}
    if name not in texts:
        raise Http404
    response = HttpResponse(texts[name], content_type="text/plain; charset=utf-8")
    return as_file(response, name)


@require_POST
@open_to(EVERYBODY)
def drop_run(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    runs.drop_run(run=found)
    messages.success(request, _("The run is deleted."))
    return redirect("schemes:scheme", slug=found.scheme)


@require_POST
@open_to(EVERYBODY)
def keep_key(request: Visit, slug: str) -> HttpResponse:
    found = _scheme(slug)
    form = KeyForm(request.POST, request.FILES)
    if form.is_valid():
        values = form.cleaned_data
        refuse_full(owner=request.user, more=len(values["content"]))
        try:
            keys.keep_key(
                owner=request.user,
                scheme=found,
                name=values["name"],
                data=values["content"],
                offered=values["offered"],
            )
        except Unfit as unfit:
            form.add_error("content", [in_language(each) for each in unfit.sentences])
        else:
            messages.success(request, _("The key is stored."))
            return redirect("schemes:scheme", slug=slug)
    return _scheme_page(request, found, key_form=form)


@require_GET
@open_to(EVERYBODY)
def key_file(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(keys_kept_by(request.user), uuid=uuid)
    response = HttpResponse(bytes(found.content), content_type="application/octet-stream")
    return as_file(response, f"{found.name}.key")


@require_POST
@open_to(EVERYBODY)
def offer_key(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(keys_kept_by(request.user), uuid=uuid)
    keys.offer_key(key=found, offered="offered" in request.POST)
    return redirect("schemes:scheme", slug=found.scheme)


@require_POST
@open_to(EVERYBODY)
def drop_key(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(keys_kept_by(request.user), uuid=uuid)
    keys.drop_key(key=found)
    messages.success(request, _("The key is deleted."))
    return redirect("schemes:scheme", slug=found.scheme)


@require_GET
@open_to(EVERYBODY)
def former_admin(request: Visit, rest: str) -> HttpResponse:
    """The rows of the schemes stood under another app in the administration."""
    query = request.GET.urlencode()
    address = f"{reverse('admin:index')}schemes/{rest}"
    return redirect(f"{address}?{query}" if query else address)


def _scheme(slug: str) -> Scheme:
    if slug not in SCHEMES:
        raise Http404
    return SCHEMES[slug]


def _tool(found: Scheme, name: str) -> Tool:
    if name not in found.tools:
        raise Http404
    return found.tools[name]


def _scheme_page(
    request: Visit, found: Scheme, *, form: RunForm | None = None, key_form: KeyForm | None = None
) -> HttpResponse:
    """The form, the history of one's runs, the keys one looks after."""
    form = form or RunForm(found, request.user)
    ordered = runs_seen_by(request.user).filter(owner=request.user, scheme=found.slug)
    page = page_of(request, ordered)
    kept = keys_kept_by(request.user).filter(scheme=found.slug)
    context = {
        "scheme": found,
        "form": form,
        "key_form": key_form or (KeyForm(auto_id="key_%s") if found.key else None),
        "keys": page_of(request, kept, "keys"),
        "page": page,
        "runs": _with_schemes(page),
    }
    return render(request, "schemes/scheme.html", context, status=status_of(form, key_form))


def _with_schemes(page: Any) -> Iterator[tuple[SchemeRun, Scheme | None]]:
    return ((each, SCHEMES.get(each.scheme)) for each in page)


def _file_name(found: SchemeRun, kind: str) -> str:
    return f"{found.scheme}-{str(found.uuid)[:8]}.{kind}"
