"""The forms of the schemes, made from what ``schemes.adapters`` says of each."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from schemes.access import keys_used_by, may_read
from schemes.adapters.fields import Document
from schemes.adapters.scheme import Input, Scheme, Unfit
from schemes.adapters.words import in_language
from schemes.models import SchemeRun, StoredKey
from schemes.services.runs import Asked, NamedInput
from web.serializers import one_of
from web.validators import clean_name

STORED = "stored_key"


class RunForm(forms.Form):
    """Inputs and options of a run; ``asked`` is the value once the form is valid.

    ``sent``: the inputs a program sent, be they empty; ``None`` for a person on a page.
    """

    def __init__(
        self,
        scheme: Scheme,
        user: User,
        data: Any = None,
        files: Any = None,
        *,
        sent: Container[str] | None = None,
    ) -> None:
        super().__init__(data, files)
        self.sent = sent
        self.scheme = scheme
        self.user = user
        self.asked: Asked | None = None
        self.keys = keys_used_by(user).filter(scheme=scheme.slug)
        for source in scheme.sources:
            self.fields[source.name] = Document(
                label=source.label, help_text=source.help, required=False, attrs=_area(source)
            )
            if source.is_key:
                self.fields[STORED] = StoredKeyField(
                    label=gettext_lazy("or a stored key"),
                    queryset=self.keys,
                    to_field_name="uuid",
                    empty_label=gettext_lazy("none"),
                    error_messages={"invalid_choice": gettext_lazy("There is no such stored key.")},
                    required=False,
                )
        for name, make in scheme.options.items():
            self.fields[name] = make()
            _name_choices(self.fields[name])
        self.fields["name"] = forms.CharField(
            label=gettext_lazy("name of the run"),
            help_text=gettext_lazy("For your history, if you like."),
            max_length=80,
            required=False,
            validators=[clean_name],
        )

    def sources(self) -> Iterator[tuple[Input, forms.BoundField, forms.BoundField | None]]:
        """Each source with its field, and the choice of stored keys beside the one of the key."""
        for source in self.scheme.sources:
            stored = self[STORED] if source.is_key and self.keys else None
            yield source, self[source.name], stored

    def options(self) -> Iterator[forms.BoundField]:
        """The fields that are no inputs."""
        for name in (*self.scheme.options, "name"):
            yield self[name]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if self.errors:
            return values
        key: StoredKey | None = values.get(STORED)
        inputs = {
            source.name: self._named(source, values)
            for source in self.scheme.sources
            if not (source.is_key and key)
        }
        if key and values[self.scheme.key.name]:  # type: ignore[union-attr]
            self.add_error(STORED, _("Choose a stored key or give one of your own, not both."))
        for name, each in inputs.items():
            if self.sent is not None and name not in self.sent:
                self.add_error(name, _("This input is missing. Send it."))
            if self.sent is None and not each.data and not each.name:
                self.add_error(name, _("Choose a file or paste a text."))
        options = {name: values[name] for name in self.scheme.options}
        if not self.errors:
            self._try_reading(inputs, options, key)
        if not self.errors:
            self.asked = Asked(self.scheme, inputs, options, key, values["name"])
        return values

    def _named(self, source: Input, values: Mapping[str, Any]) -> NamedInput:
        upload = self.files.get(f"{source.name}_file")
        return NamedInput(values[source.name], upload.name or "" if upload else "")

    def _try_reading(
        self, inputs: Mapping[str, NamedInput], options: Mapping[str, Any], key: StoredKey | None
    ) -> None:
        """Refuse what no job could use; of somebody else's key nothing is said but that."""
        data = {name: each.data for name, each in inputs.items()}
        if key and self.scheme.key:
            data[self.scheme.key.name] = bytes(key.content)
        try:
            self.scheme.read(data, options)
        except Unfit as unfit:
            stored = key if unfit.source == self.scheme.key else None
            name = STORED if stored or not unfit.source else unfit.source.name
            if stored and not may_read(self.user, stored):
                self.add_error(name, _("This key cannot be used with these options."))
            else:
                self.add_error(name, [in_language(each) for each in unfit.sentences])


class StoredKeyField(forms.ModelChoiceField):
    def label_from_instance(self, key: StoredKey) -> str:
        return f"{key.name} – {key.owner}"


class KeyForm(forms.Form):
    """A key to be stored."""

    name = forms.CharField(label=gettext_lazy("name"), max_length=80, validators=[clean_name])
    content = Document(label=gettext_lazy("key"))
    offered = forms.BooleanField(
        label=gettext_lazy("everybody may have runs scored by it, without seeing it"),
        required=False,
    )


class ItemFilter(forms.Form):
    """What is shown of a run's table."""

    verdict = forms.ChoiceField(label=gettext_lazy("outcome"), required=False)
    group = forms.CharField(max_length=200, required=False)
    q = forms.CharField(max_length=200, required=False)

    def __init__(self, scheme: Scheme, run: SchemeRun, data: Any) -> None:
        super().__init__(data)
        self.run = run
        verdict = self.fields["verdict"]
        verdict.choices = [("", gettext_lazy("all")), *scheme.verdicts.items()]  # type: ignore[attr-defined]
        _name_choices(verdict)
        self.fields["group"].label = scheme.group_label
        self.fields["q"].label = scheme.name_label

    def items(self) -> Any:
        """The items that are wanted; a filter that cannot be read filters nothing."""
        items = self.run.items.all()
        chosen = self.cleaned_data if self.is_valid() else {}
        if chosen.get("verdict"):
            items = items.filter(verdict=chosen["verdict"])
        if chosen.get("group"):
            items = items.filter(group=chosen["group"])
        if chosen.get("q"):
            items = items.filter(name__icontains=chosen["q"])
        return items


def _name_choices(field: forms.Field) -> None:
    """A program that gave another value reads which there are."""
    if isinstance(field, forms.ChoiceField):
        values = [str(value) for value, _label in field.choices]  # type: ignore[union-attr]
        field.error_messages["invalid_choice"] = one_of(values)


def _area(source: Input) -> dict[str, Any]:
    return {"rows": 14} if source.tool else {}
