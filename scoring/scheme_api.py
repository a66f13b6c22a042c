"""The schemes for programs: order a run, watch it, read its items; store keys."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import Throttled, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.services.limits import Limit
from annotator.api import KEY, client_key_of
from annotator.parsers import StrictJSONParser
from scoring.access import keys_kept_by, keys_used_by, runs_seen_by
from scoring.models import SchemeItem, SchemeRun, StoredKey
from scoring.parsers import FormParser
from scoring.scheme_forms import STORED, ItemFilter, KeyForm, RunForm
from scoring.schemes import SCHEMES
from scoring.schemes.scheme import Scheme, Unfit
from scoring.schemes.words import in_language
from scoring.serializers import (
    ItemLine,
    KeyChange,
    KeyLine,
    KeyOrder,
    RunLine,
    RunOrder,
    RunReport,
    SchemeLine,
)
from scoring.services.scheme_runs import (
    RUNS,
    TooOften,
    drop_key,
    drop_run,
    earlier_run,
    keep_key,
    offer_key,
    order_run,
)

FILTERS = [
    OpenApiParameter("verdict", str, description="A code of the scheme, as wrong."),
    OpenApiParameter("group", str, description="A variant, a question."),
    OpenApiParameter("q", str, description="A part of the name."),
]


class Schemes(APIView):
    """The scoring systems with their inputs and options."""

    @extend_schema(responses={200: SchemeLine(many=True)})
    def get(self, _request: Request) -> Response:
        return Response([_line(scheme) for scheme in SCHEMES.values()])


class Runs(generics.ListAPIView):
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
        if not form.is_valid() or form.asked is None:
            raise ValidationError(form.errors)
        try:
            run = order_run(owner=request.user, asked=form.asked, client_key=client_key)
        except TooOften as refusal:
            raise Throttled(wait=_wait(RUNS), detail=str(refusal)) from None
        return Response(RunLine(run).data, 201)


class Run(APIView):
    """How far a run is, and what came out of it; deleted by its owner."""

    @extend_schema(responses={200: RunReport})
    def get(self, request: Request, uuid: UUID) -> Response:
        return Response(RunReport(_run(request, uuid)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, uuid: UUID) -> Response:
        drop_run(run=_run(request, uuid))
        return Response(status=204)


class Items(generics.ListAPIView):
    """The items of a run with their points and reasons, in the order of its table."""

    queryset = SchemeItem.objects.none()
    serializer_class = ItemLine
    filter_backends = ()

    @extend_schema(parameters=FILTERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        run = _run(self.request, self.kwargs["uuid"])
        return ItemFilter(SCHEMES[run.scheme], run, self.request.query_params).items()


class Keys(generics.ListAPIView):
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


class Key(APIView):
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
        "options": [
            {"name": name, "label": str(each.label), "help": str(each.help_text)}
            for name, each in fields.items()
        ],
    }


def _run_form(request: Request, scheme: Scheme) -> RunForm:
    """The form of the page, filled from JSON or from a form of a program."""
    initial = {name: make().initial for name, make in scheme.options.items()}
    if request.content_type.startswith("multipart/"):
        given = {name: request.data[name] for name in request.data if name not in request.FILES}
        return RunForm(scheme, request.user, {**initial, **given}, request.FILES)
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
    plain = {"name": values.get("name", ""), STORED: values.get("stored_key")}
    return RunForm(scheme, request.user, {**initial, **options, **inputs, **plain})
