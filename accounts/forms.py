from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, UserChangeForm, UsernameField
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from accounts.access import roles_granted_by
from accounts.models import ApiToken, User
from accounts.services.people import changed_meanwhile, seen_of
from accounts.services.tokens import DAYS, LONGEST
from web.validators import clean_name

MAX_LIST_BYTES: Final = 5 * 1024 * 1024


class LoginForm(AuthenticationForm):
    username = UsernameField(label=_("login"), widget=forms.TextInput(attrs={"autofocus": True}))
    error_messages = {
        "invalid_login": _("The name or the password is not right."),
        "inactive": _("The name or the password is not right."),
        "too_many": _("Too many tries. Wait a quarter of an hour, or ask for a link by e-mail."),
    }


class AdministeredForm(UserChangeForm):
    """An account as the administration shows it; ``seen``: what it showed."""

    seen = forms.CharField(max_length=80, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        subjects = self.instance.specialisms.values_list("subject", flat=True)
        is_open = "open" if self.instance.is_active else "closed"
        self.fields["seen"].initial = f"{is_open} {seen_of(self.instance, subjects)}"

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        changed = {*self.changed_data}
        if values.get("seen") and "seen" in changed and changed != {"seen"}:
            raise forms.ValidationError(changed_meanwhile())
        return values


class PersonForm(forms.ModelForm):
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    subjects = forms.MultipleChoiceField(
        label=_("subjects an expert marks"),
        choices=settings.SUBJECTS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    is_read = False
    """Could all fields be read, whatever others have?"""

    class Meta:
        model = User
        fields = ["username", "full_name", "email", "role", "school"]
        labels = {"username": _("login")}
        help_texts = {"username": _("Letters, digits and @ . + - _")}

    def __init__(self, *args: Any, manager: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        granted = roles_granted_by(manager)
        self.fields["role"].choices = [(role.value, role.label) for role in granted]
        self.fields["role"].disabled = self.instance == manager
        if self.instance.pk:
            known = list(self.instance.specialisms.values_list("subject", flat=True))
            self.fields["subjects"].initial = known
            self.fields["seen"].initial = seen_of(self.instance, known)

    def clean_username(self) -> str:
        """The login as it is going to be kept, before the model's validators see it."""
        return User.normalize_username(self.cleaned_data["username"])

    def clean(self) -> dict[str, Any] | None:
        self.is_read = not self.errors
        return super().clean()


class PeopleFileForm(forms.Form):
    file = forms.FileField(
        label=_("CSV file"),
        help_text=_(
            "Columns: login, name, email, role, school, subjects (by name or code, separated by "
            "commas), in Russian or English, as in the export of people."
        ),
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size is None or file.size > MAX_LIST_BYTES:
            raise forms.ValidationError(_("The file is larger than 5 MB."))
        return file


class TokenForm(forms.ModelForm):
    name = forms.CharField(label=_("what the key is for"), max_length=60, validators=[clean_name])
    days = forms.TypedChoiceField(
        label=_("how long it is good"),
        choices=[(30, _("30 days")), (DAYS, _("90 days")), (LONGEST, _("a year"))],
        coerce=int,
        initial=DAYS,
        empty_value=DAYS,
        required=False,
    )

    class Meta:
        model = ApiToken
        fields = ["name"]
