"""What the marking screen shows of the three checks, which the app below must not know."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from accounts.roles import Role
from annotator.models import MarkupRecord
from annotator.pages import text_language
from annotator.queries import reopened_beside, third_markup_beside
from scoring.third_desk import third_desk

register = template.Library()


@register.inclusion_tag("scoring/settling/beside.html", takes_context=True)
def three_checks(context: Context, record: MarkupRecord, *, editable: bool) -> dict[str, Any]:
    """Beside a draft: why it is open again, and the third expert's desk; else what was decided."""
    may_read = not editable and context["request"].user.role != Role.PARTICIPANT
    return {
        "record": record,
        "editable": editable,
        "reopened": reopened_beside(record) if editable else [],
        "desk": third_desk(record) if editable and record.third else None,
        "third": third_markup_beside(record) if may_read else None,
        "text_language": text_language(record.essay.subject),
    }
