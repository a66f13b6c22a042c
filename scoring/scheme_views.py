"""The pages of the schemes: forms, runs with their tables, stored keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import EVERYBODY, Visit, open_to
from annotator.services.refusals import Refused
from scoring.access import keys_kept_by, may_explain, runs_seen_by
from scoring.models import SchemeRun
from scoring.scheme_forms import ItemFilter, KeyForm, RunForm
from scoring.schemes import SCHEMES
from scoring.schemes.scheme import MAX_ITEMS, Scheme, Tool, Unfit
from scoring.schemes.tables import as_csv, as_json
from scoring.schemes.words import in_language
from scoring.services.scheme_runs import drop_key as drop_stored
from scoring.services.scheme_runs import drop_run as drop
from scoring.services.scheme_runs import inputs_of, order_run
from scoring.services.scheme_runs import keep_key as keep
from scoring.services.scheme_runs import offer_key as offer

PER_PAGE: Final = 50
RECENT: Final = 20
CHUNK: Final = 2000


@require_GET
@open_to(EVERYBODY)
def schemes(request: Visit) -> HttpResponse:
    runs = runs_seen_by(request.user).filter(owner=request.user)[:RECENT]
    context = {"schemes": SCHEMES.values(), "runs": _with_schemes(runs)}
    return render(request, "scoring/schemes/list.html", context)


@require_http_methods(["GET", "POST"])
@open_to(EVERYBODY)
def scheme(request: Visit, slug: str) -> HttpResponse:
    found = _scheme(slug)
    form = RunForm(found, request.user, *_posted(request))
    if request.method == "POST" and form.is_valid() and form.asked:
        run = order_run(owner=request.user, asked=form.asked)
        return redirect("scoring:scheme_run", uuid=run.uuid)
    return _scheme_page(request, found, form=form)


@require_http_methods(["GET", "POST"])
@open_to(EVERYBODY)
def tool(request: Visit, slug: str, name: str) -> HttpResponse:
    found = _scheme(slug)
    chosen = _tool(found, name)
    form = chosen.form(*_posted(request))
    context: dict[str, Any] = {"scheme": found, "tool": chosen, "name": name, "form": form}
    if request.method == "POST" and form.is_valid():
        context["answer"] = chosen.answer(form.cleaned_data)
    part = "#answer" if request.headers.get("HX-Request") else ""
    return render(request, f"scoring/schemes/tool.html{part}", context)


@require_GET
@open_to(EVERYBODY)
def run(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    kind = SCHEMES[found.scheme]
    explained = kind.explain is not None and may_explain(request.user, found)
    context: dict[str, Any] = {"run": found, "scheme": kind, "explained": explained}
    if found.state == SchemeRun.State.DONE:
        chosen = ItemFilter(kind, found, request.GET)
        page = Paginator(chosen.items(), PER_PAGE).get_page(request.GET.get("page"))
        columns = [column for column in kind.columns(found.figures) if column.on_page]
        context |= {"filter": chosen, "page": page, "columns": columns}
    if not request.headers.get("HX-Request"):
        return render(request, "scoring/schemes/run.html", context)
    if request.headers.get("HX-Target") == "items":
        return render(request, "scoring/schemes/run.html#items", context)
    return render(request, "scoring/schemes/run.html#outcome", context)


@require_GET
@open_to(EVERYBODY)
def explain(request: Visit, uuid: UUID, number: int) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    item = get_object_or_404(found.items, number=min(number, MAX_ITEMS + 1))
    kind = SCHEMES[found.scheme]
    if kind.explain is None or not may_explain(request.user, found):
        raise Http404
    try:
        name, asked = kind.explain(inputs_of(found), found.options, item.cells)
    except Unfit as unfit:
        raise Refused(in_language(unfit.sentences[0])) from None
    chosen = _tool(kind, name)
    form = chosen.form(asked)
    context = {"scheme": kind, "tool": chosen, "name": name, "form": form, "run": found}
    answer = chosen.answer(form.cleaned_data) if form.is_valid() else None
    return render(request, "scoring/schemes/tool.html", {**context, "answer": answer})


@require_GET
@open_to(EVERYBODY)
def run_csv(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid, state=SchemeRun.State.DONE)
    columns = SCHEMES[found.scheme].columns(found.figures)
    rows = ItemFilter(SCHEMES[found.scheme], found, request.GET).items()
    lines = list(as_csv(columns, rows.iterator(chunk_size=CHUNK)))
    response = HttpResponse(lines, content_type="text/csv; charset=utf-8")
    return _as_file(response, found, "csv")


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
    return _as_file(response, found, "json")


@require_GET
@open_to(EVERYBODY)
def run_text(request: Visit, uuid: UUID, name: str) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid, state=SchemeRun.State.DONE)
    texts = {each["name"]: each["text"] for each in found.figures.get("texts", ())}
    if name not in texts:
        raise Http404
    response = HttpResponse(texts[name], content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


@require_POST
@open_to(EVERYBODY)
def drop_run(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    drop(run=found)
    messages.success(request, _("The run is deleted."))
    return redirect("scoring:scheme", slug=found.scheme)


@require_POST
@open_to(EVERYBODY)
def keep_key(request: Visit, slug: str) -> HttpResponse:
    found = _scheme(slug)
    form = KeyForm(request.POST, request.FILES)
    if form.is_valid():
        values = form.cleaned_data
        try:
            keep(
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
            return redirect("scoring:scheme", slug=slug)
    return _scheme_page(request, found, key_form=form)


@require_GET
@open_to(EVERYBODY)
def key_file(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(keys_kept_by(request.user), uuid=uuid)
    response = HttpResponse(bytes(found.content), content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(True, f"{found.name}.key")
    return response


@require_POST
@open_to(EVERYBODY)
def offer_key(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(keys_kept_by(request.user), uuid=uuid)
    offer(key=found, offered="offered" in request.POST)
    return redirect("scoring:scheme", slug=found.scheme)


@require_POST
@open_to(EVERYBODY)
def drop_key(request: Visit, uuid: UUID) -> HttpResponse:
    found = get_object_or_404(keys_kept_by(request.user), uuid=uuid)
    drop_stored(key=found)
    messages.success(request, _("The key is deleted."))
    return redirect("scoring:scheme", slug=found.scheme)


def _posted(request: Visit) -> tuple[Any, Any]:
    """What a form is filled with: nothing until it is sent."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


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
    runs = runs_seen_by(request.user).filter(owner=request.user, scheme=found.slug)
    page = Paginator(runs, RECENT).get_page(request.GET.get("page"))
    keys = keys_kept_by(request.user).filter(scheme=found.slug)
    refused = bool(form.errors or (key_form and key_form.errors))
    context = {
        "scheme": found,
        "form": form,
        "key_form": key_form or (KeyForm(auto_id="key_%s") if found.key else None),
        "keys": keys,
        "page": page,
        "runs": _with_schemes(page),
    }
    status = 422 if refused else 200
    return render(request, "scoring/schemes/scheme.html", context, status=status)


def _with_schemes(runs: Any) -> Iterator[tuple[SchemeRun, Scheme | None]]:
    return ((each, SCHEMES.get(each.scheme)) for each in runs)


def _as_file(response: HttpResponse, found: SchemeRun, kind: str) -> HttpResponse:
    name = f"{found.scheme}-{str(found.uuid)[:8]}.{kind}"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
