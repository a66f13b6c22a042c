"""What is asked of a plan, and of the experts it is made for."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.models import EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.core.plan_options import Options, Wanted, picked_of

MOST: Final = 10_000
"""A limit nobody reaches."""
WANTED: Final = [
    (Wanted.ANY.value, _("any check is missing")),
    (Wanted.BOTH.value, _("both checks are missing")),
    (Wanted.ONE.value, _("one check is missing")),
    (Wanted.RETURNED.value, _("a check was handed back")),
]


class PlanForm(forms.Form):
    """The filter and the rules of a plan."""

    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.filter(CHECKED_SETS).order_by("name"),
        required=False,
        empty_label=_("all sets"),
    )
    subject = forms.ChoiceField(
        label=_("subject"), choices=[("", _("all subjects")), *settings.SUBJECTS], required=False
    )
    wanted = forms.ChoiceField(
        label=pgettext_lazy("of essays", "state"), choices=WANTED, required=False
    )
    limit = forms.IntegerField(
        label=_("open checks a person at most"), min_value=1, max_value=MOST, required=False
    )
    kept = forms.IntegerField(
        label=_("of these, kept for third checks"), min_value=0, max_value=MOST, required=False
    )
    allows_one_school = forms.BooleanField(
        label=_("two of one school may check one essay"), required=False
    )
    adjusts = forms.BooleanField(
        label=_("move what was not begun, too"),
        help_text=_("What was begun, submitted or pinned stays."),
        required=False,
    )
    out = forms.ModelMultipleChoiceField(
        queryset=User.objects.filter(role=User.Role.EXPERT),
        required=False,
        widget=forms.MultipleHiddenInput,
    )

    def options(self) -> Options:
        """What was asked, as the rule takes it."""
        asked: dict[str, Any] = self.cleaned_data
        chosen = asked["essay_set"]
        return Options(
            essay_set=chosen.pk if chosen else None,
            subject=asked["subject"],
            wanted=asked["wanted"] or Wanted.ANY.value,
            limit=asked["limit"],
            kept=asked["kept"] or 0,
            keeps_schools_apart=not asked["allows_one_school"],
            adjusts=asked["adjusts"],
            out=tuple(sorted(each.pk for each in asked["out"])),
            picked=picked_of(self.data),
        )


def asked_of(options: Options) -> dict[str, Any]:
    """The fields of a form that asks the same again; who is left out stands beside the loads."""
    return {
        "essay_set": options.essay_set,
        "subject": options.subject,
        "wanted": options.wanted,
        "limit": options.limit,
        "kept": options.kept,
        "allows_one_school": not options.keeps_schools_apart,
        "adjusts": options.adjusts,
    }


def changed_words(kept: Options, asked: Options) -> list[str]:
    """What of a plan's form says something else than the plan was made from, in words."""
    words = {
        name: str(PlanForm.base_fields[name].label)
        for name in ("essay_set", "subject", "wanted", "limit", "kept")
    }
    words |= {
        "keeps_schools_apart": str(PlanForm.base_fields["allows_one_school"].label),
        "adjusts": str(PlanForm.base_fields["adjusts"].label),
        "out": gettext("who is left out"),
        "picked": gettext("what of the desk’s list is planned"),
    }
    return [word for name, word in words.items() if getattr(kept, name) != getattr(asked, name)]


class LimitForm(forms.Form):
    checks = forms.IntegerField(min_value=0, max_value=MOST, required=False)


class ExpertsForm(forms.Form):
    """Two experts by their logins."""

    one = forms.ModelChoiceField(
        label=_("login of one expert"),
        queryset=User.objects.filter(role=User.Role.EXPERT),
        to_field_name="username",
        widget=forms.TextInput,
    )
    other = forms.ModelChoiceField(
        label=_("login of the other"),
        queryset=User.objects.filter(role=User.Role.EXPERT),
        to_field_name="username",
        widget=forms.TextInput,
    )


class PinForm(forms.Form):
    expert = forms.ModelChoiceField(queryset=User.objects.filter(role=User.Role.EXPERT))
