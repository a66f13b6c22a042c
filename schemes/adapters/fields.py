"""Form fields of the schemes: a file, or the same pasted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from schemes.adapters.scheme import MAX_BYTES


class PasteOrFile(forms.MultiWidget):
    """A file chooser above a text area."""

    template_name = "schemes/document.html"

    def __init__(self, **attrs: Any) -> None:
        area = {"rows": 5, "spellcheck": "false", **attrs}
        super().__init__({"file": forms.FileInput(), "": forms.Textarea(area)})

    def decompress(self, _value: object) -> list[object]:
        return [None, None]


class Document(forms.MultiValueField):
    """Bytes of an uploaded file, or of a pasted text; empty when neither is given."""

    widget = PasteOrFile

    def __init__(self, *, attrs: dict[str, Any] | None = None, **options: Any) -> None:
        is_required = options.pop("required", True)
        parts = (
            forms.FileField(required=False, allow_empty_file=True),
            forms.CharField(required=False, strip=False),
        )
        options["widget"] = PasteOrFile(**(attrs or {}))
        super().__init__(fields=parts, require_all_fields=False, required=is_required, **options)
        self.widget.is_required = False  # either part will do; the browser cannot know

    def compress(self, values: list[Any]) -> bytes:
        upload, text = values or (None, "")
        if upload and text and text.strip():
            raise forms.ValidationError(_("Choose a file or paste a text, not both."))
        if upload:
            return bytes_of(upload)
        return (text or "").replace("\r\n", "\n").encode()


def bytes_of(upload: UploadedFile) -> bytes:
    """The contents of an upload within the limit."""
    if upload.size is not None and upload.size > MAX_BYTES:
        raise forms.ValidationError(too_large(upload.name or ""))
    return bytes(upload.read())


def too_large(name: str) -> str:
    """The sentence about a file over the limit."""
    words = _("{name}: the file is larger than {size} MB. Split it.")
    return words.format(name=name, size=MAX_BYTES // 2**20)
