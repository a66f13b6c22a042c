"""What is asked of a mark, and of a change of one."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.core.classifier import classifier_of
from annotator.core.messages import describe
from annotator.core.validation import MAY_WAIT, problems_alone
from annotator.core.values import Fragment, Span, Subject, fold
from web.forms import refuse_surrogates

UID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PLACE: Final = rf"([0-9]{{1,7}})-([0-9]{{1,7}}):({UID.pattern})"
MOST_PLACES: Final = 200_000
"""Signs: some thousands of places."""

WORDS: Final = ("code", "subcode", "correction", "comment", "explanation", "tag")

FIELD_AT_FAULT: Final = {
    "empty-type": "code",
    "bad-error-type": "code",
    "full-text-err-coordinates": "code",
    "block-without-place": "code",
    "bad-subtype": "subcode",
    "bad-tag": "tag",
}
"""The field a problem of a single fragment is about."""

NO_VERSION: Final = -1

SAID_IN_FULL: Final = "said-in-full"
"""Marks an error whose sentence needs no name of a field before it."""


class FragmentForm(forms.Form):
    """A fragment as the marking screen sends it; ``fragment`` is the value once it is valid.

    The quoted text goes along with the offsets, so that a mark can never land on other words. A
    change of a ``stored`` fragment names only what it changes.
    """

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    origin = forms.IntegerField(min_value=1, required=False)
    start = forms.IntegerField(min_value=0, required=False)
    end = forms.IntegerField(min_value=0, required=False)
    quote = forms.CharField(required=False, strip=False)
    code = forms.CharField(label=_("code"), max_length=60)
    subcode = forms.CharField(label=_("subcode"), max_length=60, required=False)
    correction = forms.CharField(label=_("correction"), max_length=2000, required=False)
    comment = forms.CharField(label=_("comment"), max_length=2000, required=False)
    explanation = forms.CharField(label=_("explanation"), max_length=4000, required=False)
    tag = forms.CharField(label=_("tag"), max_length=60, required=False)
    quiet = forms.BooleanField(required=False)

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        text: str,
        subject: Subject,
        stored: Fragment | None = None,
    ) -> None:
        kept = {name: getattr(stored, name) for name in WORDS} if stored else {}
        super().__init__({**kept, **dict(data.items())})
        for name in (name for name, words in kept.items() if self.data[name] == words):
            self.fields[name].validators.clear()  # what a file brought may be longer
        self.text = text
        self.stored = stored
        self.classifier = classifier_of(subject)
        self.fragment: Fragment | None = None

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        span = self._span(values)
        if self.errors:
            return values
        words = {name: values[name].strip() for name in WORDS}
        if self._is_left_over(words["code"], words["subcode"]):
            words["subcode"] = ""
        refuse_surrogates(words.values())
        fragment = Fragment(span, kind=self.classifier.kind(words["code"]), **words)
        for problem in problems_alone(fragment, self.classifier):
            if problem.blocks and problem.code not in MAY_WAIT:
                error = forms.ValidationError(describe(problem, _), code=SAID_IN_FULL)
                self.add_error(FIELD_AT_FAULT.get(problem.code), error)
        self.fragment = fragment
        values["uid"] = values.get("uid") or uuid.uuid4()
        return values

    def typed(self, stored: Fragment) -> Fragment:
        """The fragment in the words that were typed, to be shown beside what is wrong with it."""
        return replace(stored, **{name: self.data.get(name, "") for name in WORDS})

    def _is_left_over(self, code: str, subcode: str) -> bool:
        """Did the code change, and not know the subcode that came with the one before?"""
        if self.stored is None or fold(code) == fold(self.stored.code):
            return False
        category = self.classifier.find(code)
        is_known = category is not None and category.subcategory(subcode) is not None
        return subcode == self.stored.subcode and not is_known

    def _span(self, values: Mapping[str, Any]) -> Span | None:
        start, end = values.get("start"), values.get("end")
        if start is None and end is None:
            return self.stored.span if self.stored else None
        if start is None or end is None or not start < end <= len(self.text):
            self.add_error(None, _("The place lies outside the essay. Select it again."))
            return None
        if values["quote"].replace("\r\n", "\n") != self.text[start:end]:
            self.add_error(None, _("The selected words are not those of the essay. Select again."))
            return None
        return Span(start, end)


def _as_sought(words: str) -> str:
    """As the page looks for words: letters in one case, ё as е."""
    return words.lower().replace("ё", "е")


class SameForm(FragmentForm):
    """Places of the same words that get the same mark; ``spans`` has them by the uid each gets.

    ``like``: the mark of the draft that is copied, by its uid or number; else the words come along.
    """

    places = forms.RegexField(rf"\A{PLACE}(?: {PLACE})*\Z", max_length=MOST_PLACES)
    like = forms.CharField(required=False, max_length=36)

    def _span(self, values: Mapping[str, Any]) -> Span | None:
        self.spans: dict[uuid.UUID, Span] = {}
        wanted = _as_sought(values["quote"])
        for start, end, name in re.findall(PLACE, values["places"]):
            place = slice(int(start), int(end))
            found = self.text[place] if place.stop <= len(self.text) else ""
            if not wanted or _as_sought(found) != wanted:
                self.add_error(None, _("The words found are not those of the essay. Find anew."))
                return None
            self.spans[uuid.UUID(name)] = Span(place.start, place.stop)
        return next(iter(self.spans.values()))


class VersionField(forms.IntegerField):
    """The version a page shows; what cannot be read is one that no draft ever had."""

    def clean(self, value: Any) -> int:
        try:
            return int(super().clean(value))
        except forms.ValidationError:
            return NO_VERSION


class ChangeForm(forms.Form):
    """A step on a draft that needs no more than the ``version`` seen; ``uid`` makes it once."""

    version = VersionField(min_value=0)
    uid = forms.UUIDField(required=False)


class StepForm(forms.Form):
    """A step back or forward; ``agreed``: versions of another browser's changes it may touch.

    ``of``: the change it was asked for while that was on its way.
    """

    uid = forms.UUIDField(required=False)
    of = forms.UUIDField(required=False)
    agreed = forms.RegexField(r"^[0-9]{1,9}( [0-9]{1,9})*$", max_length=2000, required=False)

    def clean_agreed(self) -> frozenset[int]:
        return frozenset(int(version) for version in self.cleaned_data["agreed"].split())


class MarkField(forms.IntegerField):
    """A mark by its number, or by its uid: a page without a network knows no number yet."""

    def to_python(self, value: Any) -> Any:
        return uuid.UUID(value) if UID.fullmatch(value or "") else super().to_python(value)

    def run_validators(self, value: Any) -> None:
        if not isinstance(value, uuid.UUID):
            super().run_validators(value)


class LinkForm(forms.Form):
    """Two marks that are to have one tag."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    first = MarkField(min_value=1)
    second = MarkField(min_value=1)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("first") == values.get("second"):
            raise forms.ValidationError(_("A mark is linked with another one. Choose that."))
        return values


LONGEST: Final = 2 * 3600
"""Seconds of work one report may tell: those of two hours without a network."""


class ActivityForm(forms.Form):
    """Seconds of work a page has seen since its last report."""

    seconds = forms.IntegerField(min_value=1, max_value=LONGEST)


def errors_of(form: Any) -> Mapping[str, list[str]]:
    """What is wrong with a form by field, each sentence with the name of its field."""
    names = {name: f"{field.label or name}: " for name, field in form.fields.items()}
    return {
        name: [
            f"{'' if error.code == SAID_IN_FULL else names.get(name, '')}{sentence}"
            for error in errors
            for sentence in error.messages
        ]
        for name, errors in form.errors.as_data().items()
    }


def first_error(form: Any) -> str:
    """The first thing that is wrong with a form, with the name of its field."""
    return next(iter(errors_of(form).values()))[0]
