"""The schemes for programs: order a run, watch it, read its items; store keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django import forms
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.services.limits import Limit
from schemes.access import keys_kept_by, keys_used_by, runs_seen_by
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import Scheme, Unfit
from schemes.adapters.words import in_language
from schemes.forms import STORED, ItemFilter, KeyForm, RunForm
from schemes.models import SchemeItem, SchemeRun, StoredKey
from schemes.serializers import (
    ItemLine,
    KeyChange,
    KeyLine,
    KeyOrder,
    RunLine,
    RunOrder,
    RunReport,
    SchemeLine,
)
from schemes.services.keys import drop_key, keep_key, offer_key
from schemes.services.quotas import (
    RUNS,
    TooOften,
    one_at_a_time,
    refuse_full,
    refuse_too_many,
    refuse_waiting,
)
from schemes.services.runs import drop_run, earlier_run, order_run
from web.headers import KEY, client_key_of
from web.parsers import FormParser, StrictJSONParser
from web.serializers import StrictQuery, TooManyTries, refuse_unknown

FILTERS = [
    OpenApiParameter("verdict", str, description="A code of the scheme, as wrong."),
    OpenApiParameter("group", str, description="A variant, a question."),
    OpenApiParameter("q", str, description="A part of the name."),
]

FORM_TRUTHS: Final = frozenset({"true", "false", "on", ""})
"""How a form says that an option is chosen, or not."""


class Schemes(StrictQuery, APIView):
    """The scoring systems with their inputs and options."""

    @extend_schema(responses={200: SchemeLine(many=True)})
    def get(self, _request: Request) -> Response:
        return Response([_line(scheme) for scheme in SCHEMES.values()])


class Runs(StrictQuery, generics.ListAPIView):
    """One's runs of a scheme, the newest first; a new one is ordered here."""

    queryset = SchemeRun.objects.none()
    serializer_class = RunLine
    parser_classes = (StrictJSONParser, FormParser)
    filter_backends = ()

    def get_queryset(self) -> Any:
        scheme = _scheme(self.kwargs["slug"])
        return runs_seen_by(self.request.user).filter(scheme=scheme.slug, owner=self.request.user)

    @extend_schema(
        request={"application/json": RunOrder, "multipart/form-data": OpenApiTypes.OBJECT},
        responses={200: RunLine, 201: RunLine},
        parameters=[KEY],
    )
    def post(self, request: Request, slug: str) -> Response:
        scheme, client_key = _scheme(slug), client_key_of(request)
        earlier = earlier_run(owner=request.user, client_key=client_key)
        if earlier:
            return Response(RunLine(earlier).data)
        form = _run_form(request, scheme)
        try:
            refuse_waiting(owner=request.user)
            if not form.is_valid() or form.asked is None:
                raise ValidationError(form.errors)
            with one_at_a_time(request.user):
                refuse_too_many(owner=request.user, asked=form.asked, client_key=client_key)
                run = order_run(owner=request.user, asked=form.asked, client_key=client_key)
        except TooOften as refusal:
            raise TooManyTries(str(refusal), wait=_wait(RUNS)) from None
        return Response(RunLine(run).data, 201)


class Run(StrictQuery, APIView):
    """How far a run is, and what came out of it; deleted by its owner."""

    @extend_schema(responses={200: RunReport})
    def get(self, request: Request, uuid: UUID) -> Response:
        return Response(RunReport(_run(request, uuid)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, uuid: UUID) -> Response:
        drop_run(run=_run(request, uuid))
        return Response(status=204)


class Items(StrictQuery, generics.ListAPIView):
    """The items of a run with their points and reasons, in the order of its table.

    A run that is not ``done`` has none.
    """

    queryset = SchemeItem.objects.none()
    serializer_class = ItemLine
    filter_backends = ()
    query_names = tuple(each.name for each in FILTERS)

    @extend_schema(parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        run = _run(self.request, self.kwargs["uuid"])
        asked = ItemFilter(SCHEMES[run.scheme], run, self.request.query_params)
        if not asked.is_valid():
            raise ValidationError(asked.errors)
        return asked.items() if run.state == SchemeRun.State.DONE else SchemeItem.objects.none()


class Keys(StrictQuery, generics.ListAPIView):
    """The stored keys one's runs may be scored by; a new one is stored here."""

    queryset = StoredKey.objects.none()
    serializer_class = KeyLine
    filter_backends = ()

    def get_queryset(self) -> Any:
        return keys_used_by(self.request.user)

    @extend_schema(request=KeyOrder, responses={201: KeyLine})
    def post(self, request: Request) -> Response:
        asked = KeyOrder(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        if values["scheme"] not in SCHEMES:
            raise ValidationError({"scheme": [_("There is no such system.")]})
        form = KeyForm({name: values[name] for name in ("name", "content", "offered")})
        if not form.is_valid():
            raise ValidationError(form.errors)
        chosen = form.cleaned_data
        refuse_full(owner=request.user, more=len(chosen["content"]))
        try:
            key = keep_key(
                owner=request.user,
                scheme=SCHEMES[values["scheme"]],
                name=chosen["name"],
                data=chosen["content"],
                offered=chosen["offered"],
            )
        except Unfit as unfit:
            words = [in_language(each) for each in unfit.sentences]
            raise ValidationError({"content": words}) from None
        return Response(KeyLine(key).data, 201)


class Key(StrictQuery, APIView):
    """Offer a key to everybody, take it back, delete it."""

    @extend_schema(request=KeyChange, responses={200: KeyLine})
    def patch(self, request: Request, uuid: UUID) -> Response:
        key = generics.get_object_or_404(keys_kept_by(request.user), uuid=uuid)
        asked = KeyChange(data=request.data)
        asked.is_valid(raise_exception=True)
        offer_key(key=key, **asked.validated_data)
        key.refresh_from_db(fields=["offered"])
        return Response(KeyLine(key).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, uuid: UUID) -> Response:
        drop_key(key=generics.get_object_or_404(keys_kept_by(request.user), uuid=uuid))
        return Response(status=204)


def _scheme(slug: str) -> Scheme:
    if slug not in SCHEMES:
        raise Http404
    return SCHEMES[slug]


def _run(request: Request, uuid: UUID) -> SchemeRun:
    found: SchemeRun = generics.get_object_or_404(runs_seen_by(request.user), uuid=uuid)
    return found


def _wait(limit: Limit) -> int:
    return limit.seconds // limit.tries


def _line(scheme: Scheme) -> dict[str, Any]:
    fields = {name: make() for name, make in scheme.options.items()}
    return {
        "slug": scheme.slug,
        "title": str(scheme.title),
        "summary": str(scheme.summary),
        "version": scheme.version,
        "sources": [
            {
                "name": each.name,
                "label": str(each.label),
                "help": str(each.help),
                "is_key": each.is_key,
            }
            for each in scheme.sources
        ],
        "options": [_option(name, each) for name, each in fields.items()],
    }


def _option(name: str, field: forms.Field) -> dict[str, Any]:
    is_truth = isinstance(field, forms.BooleanField)
    choices = getattr(field, "choices", None)
    return {
        "name": name,
        "label": str(field.label),
        "help": str(field.help_text),
        "type": "boolean" if is_truth else "string",
        "values": None if choices is None else [value for value, _label in choices],
        "default": field.initial or (False if is_truth else ""),
    }


def _run_form(request: Request, scheme: Scheme) -> RunForm:
    """The form of the page, filled from JSON or from a form of a program."""
    initial = {name: make().initial for name, make in scheme.options.items()}
    if request.content_type.startswith("multipart/"):
        given = {name: request.data[name] for name in request.data if name not in request.FILES}
        _refuse_twice(request)
        sources = {source.name for source in scheme.sources}
        files = {f"{name}_file" for name in sources}
        refuse_unknown(request.data, {*sources, *files, *scheme.options, "name", STORED})
        _refuse_no_booleans(scheme, given, lambda value: value in FORM_TRUTHS)
        sent = {name for name in sources if not {name, f"{name}_file"}.isdisjoint(request.data)}
        return RunForm(scheme, request.user, {**initial, **given}, request.FILES, sent=sent)
    asked = RunOrder(data=request.data)
    asked.is_valid(raise_exception=True)
    values = asked.validated_data
    inputs, options = values.get("inputs", {}), values.get("options", {})
    unknown = {
        "inputs": sorted(set(inputs) - {source.name for source in scheme.sources}),
        "options": sorted(set(options) - set(scheme.options)),
    }
    wrong = {
        name: [_("Unknown: %s.") % ", ".join(names)[:200]]
        for name, names in unknown.items()
        if names
    }
    if wrong:
        raise ValidationError(wrong)
    _refuse_no_booleans(scheme, options, lambda value: isinstance(value, bool))
    _refuse_no_texts(scheme, options)
    plain = {"name": values.get("name", ""), STORED: values.get("stored_key")}
    values = {**initial, **options, **inputs, **plain}
    return RunForm(scheme, request.user, values, sent=inputs.keys())


def _refuse_twice(request: Request) -> None:
    """Of a field that stands twice in a form one would be dropped unread."""
    twice = [name for name in request.data if len(request.data.getlist(name)) > 1]
    if twice:
        raise ValidationError({name: [_("This is given twice. Send it once.")] for name in twice})


def _refuse_no_texts(scheme: Scheme, given: Mapping[str, Any]) -> None:
    """Any other option takes a text only: a number is no name of a split."""
    wrong = [
        name
        for name, make in scheme.options.items()
        if name in given
        and not isinstance(make(), forms.BooleanField)
        and not isinstance(given[name], str)
    ]
    if wrong:
        raise ValidationError({name: [_("Give a text in quotes.")] for name in wrong})


def _refuse_no_booleans(
    scheme: Scheme, given: Mapping[str, Any], is_truth: Callable[[Any], bool]
) -> None:
    """An option that is a tick takes a boolean only: no other word is taken for true."""
    ticks = [
        name for name, make in scheme.options.items() if isinstance(make(), forms.BooleanField)
    ]
    wrong = [name for name in ticks if name in given and not is_truth(given[name])]
    if wrong:
        raise ValidationError({name: [_("Give true or false.")] for name in wrong})
