from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.core.classifier import classifier_of
from annotator.core.messages import describe
from annotator.core.validation import problems_alone
from annotator.core.values import Fragment, Span, Subject, fold
from annotator.models import Essay, EssaySet, RuleSet
from annotator.rule_forms import SUBJECT_OF, RuleSetForm
from annotator.services.planning import Options
from annotator.services.reading import MAX_TEXT
from annotator.services.versions import SAID
from web.forms import refuse_surrogates

WORDS: Final = ("code", "subcode", "correction", "comment", "explanation", "tag")

MAY_WAIT: Final = frozenset({"empty-correction"})
"""Problems a mark may have in a draft: it is made by one key and its card is filled afterwards."""


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


class LinkForm(forms.Form):
    """Two marks that are to have one tag."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    first = forms.IntegerField(min_value=1)
    second = forms.IntegerField(min_value=1)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("first") == values.get("second"):
            raise forms.ValidationError(_("A mark is linked with another one. Choose that."))
        return values


class ActivityForm(forms.Form):
    """Seconds of work a page has seen since its last report."""

    seconds = forms.IntegerField(min_value=1, max_value=600)


class ImportForm(forms.Form):
    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.exclude(state=EssaySet.State.ARCHIVED).select_related("rules"),
    )
    subject = forms.ChoiceField(
        label=_("subject of files that name none"),
        choices=[("", _("take it from the file")), *settings.SUBJECTS],
        required=False,
    )
    from_markups = forms.BooleanField(
        label=_("marked files may bring their essays along"),
        help_text=_("Otherwise the markup of an essay that is not known is refused."),
        required=False,
    )

    def options(self, actor: User) -> Options:
        """What was chosen, for the files of this person."""
        subject = self.cleaned_data["subject"]
        return Options(
            essay_set=self.cleaned_data["essay_set"],
            subject=Subject(subject) if subject else None,
            actor=actor,
            from_markups=self.cleaned_data["from_markups"],
        )


class ReturnForm(forms.Form):
    reason = forms.CharField(label=_("reason"), max_length=300)


def _as_stored(values: dict[str, Any]) -> dict[str, Any]:
    """What was typed, with line ends of one character. Raises ``ValidationError``."""
    refuse_surrogates(each for each in values.values() if isinstance(each, str))
    return {
        name: each.replace("\r\n", "\n") if isinstance(each, str) else each
        for name, each in values.items()
    }


class SetForm(forms.ModelForm):
    """An essay set as coordinators describe it; ``seen``: the revision the page showed."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0, initial=0)

    class Meta:
        model = EssaySet
        fields = ["name", "access", "shows_rivals", "names_experts", "rules", "guidelines"]

    def __init__(self, *args: Any, rules_stay: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.instance.revision
        if not RuleSet.objects.exists():
            del self.fields["rules"]
        elif rules_stay:
            self.fields["rules"].disabled = True
            self.fields["rules"].help_text = _("Markups were handed in under these: they stay.")

    def clean(self) -> dict[str, Any]:
        return _as_stored(super().clean() or {})

    def validate_unique(self) -> None:
        """Whether the name is free, the service knows at the moment it writes."""

    @property
    def described(self) -> dict[str, Any]:
        """What the set is to be, once the form is valid."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class StateForm(forms.Form):
    """The state a set is brought into, and the revision the page showed."""

    state = forms.ChoiceField(choices=EssaySet.State.choices)
    seen = forms.IntegerField(min_value=0)


class PublishForm(forms.Form):
    """When the markups of finals are published; nothing is now."""

    at = forms.DateTimeField(
        label=_("at a later moment"),
        help_text=_("Leave it empty to publish now."),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


class RulesForm(RuleSetForm):
    """What a new version of rules says; ``newest``: the last version the page knew of."""

    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    class Meta(RuleSetForm.Meta):
        exclude = [*RuleSetForm.Meta.exclude, "name", "version", "w7"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, 7):
            self.fields[f"w{number}"].label = _("weight of M%d") % number

    @property
    def said(self) -> dict[str, Any]:
        """What the rules are to say, once the form is valid."""
        own = self.fields.keys() - {"newest", "seen"} - SUBJECT_OF.keys()
        said = {name: self.cleaned_data[name] for name in own}
        return said | {"final_grades": self.final_grades}


class CorrectionForm(forms.ModelForm):
    """What is said about an essay; ``seen``: the revision the page showed."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    class Meta:
        model = Essay
        fields = SAID
        widgets = {"theme": forms.Textarea(attrs={"rows": 2})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.instance.revision
        self.fields["year"].validators.append(MaxValueValidator(9999))

    def clean(self) -> dict[str, Any]:
        return _as_stored(super().clean() or {})

    @property
    def said(self) -> dict[str, Any]:
        """What is to be said, once the form is valid."""
        return {name: self.cleaned_data[name] for name in SAID}


class TextForm(forms.Form):
    """The text of an essay's next version, and why there is one."""

    reason = forms.CharField(
        label=_("why the text changes"),
        help_text=_("Experts read it beside their drafts, and on the page of the former version."),
        max_length=300,
    )
    text = forms.CharField(
        label=_("text"),
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24}),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        if not text.strip():
            raise forms.ValidationError(_("The essay needs a text."))
        refuse_surrogates([text])
        return text

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        refuse_surrogates([reason])
        return reason


class SeenForm(forms.Form):
    """The fragments that were not carried and whose expert has seen them."""

    numbers = forms.TypedMultipleChoiceField(coerce=int)

    def __init__(self, *args: Any, known: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["numbers"].choices = [(number, number) for number in known]
