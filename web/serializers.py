"""What every part of the API refuses by name: unknown fields, unknown queries, no booleans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, Throttled, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request


class TooManyTries(Throttled):
    """Refused for now: ``words`` say what of, the sentence ends with the ``wait`` in seconds."""

    def __init__(self, words: str, *, wait: int) -> None:
        super().__init__()
        hint = _("Try again in %d s.") % wait
        self.detail = ErrorDetail(f"{words} {hint}", self.default_code)
        self.wait = wait


NO_OBJECT: Final = gettext_lazy("Send an object: names and values in braces.")


class Strict(serializers.Serializer):
    """Takes the fields it has, and no others."""

    default_error_messages: ClassVar = {"invalid": NO_OBJECT}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown(data, self.fields)
        return super().to_internal_value(data)


class Truth(serializers.BooleanField):
    """``true`` or ``false``, and nothing that could be read as one of them."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Whole(serializers.IntegerField):
    """A whole number of JSON: no text of digits, no fraction of nothing, no truth."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Choice(serializers.ChoiceField):
    """One of some words; whoever sends another is told which there are."""

    default_error_messages: ClassVar = {
        "invalid_choice": gettext_lazy("There is no “{input}” here. One of these: {known}.")
    }

    def fail(self, key: str, **fields: Any) -> NoReturn:
        super().fail(key, known=", ".join(str(each) for each in self.choices), **fields)


class StrictQuery:
    """A view of the API that takes the query parameters it knows, and no others."""

    query_names: ClassVar[tuple[str, ...]] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)  # type: ignore[misc]
        names = set(self.known_queries()) if request.method in SAFE_METHODS else set()
        refuse_unknown(request.query_params, names, _("There is no such query parameter."))
        twice = [name for name in names if len(request.query_params.getlist(name)) > 1]
        if twice:
            told = [_("This is given twice. Send it once.")]
            raise ValidationError(dict.fromkeys(twice, told))

    def known_queries(self) -> list[str]:
        """Its own names, those of its filters and those of its pages."""
        filters = getattr(self, "filterset_class", None)
        pages = getattr(self, "pagination_class", None)
        return [
            *self.query_names,
            *(filters.base_filters if filters else ()),
            *((pages.limit_query_param, pages.offset_query_param) if pages else ()),
        ]


def one_of(values: Iterable[str]) -> str:
    """What is said of a value that is not among those there are."""
    return _("Give one of these: %s.") % ", ".join(each for each in values if each)


def refuse_unknown(given: Iterable[str], known: Iterable[str], words: str = "") -> None:
    """Raise ``ValidationError`` that names what is not known."""
    unknown = sorted(set(given) - set(known))
    if unknown:
        sentence = words or _("There is no such field.")
        raise ValidationError({name[:60]: [sentence] for name in unknown[:20]})
