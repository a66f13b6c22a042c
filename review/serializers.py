"""What the coordinators' part of the API says and takes."""

from __future__ import annotations

from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.models import User
from annotator.models import Assignment, Essay, EssaySet
from annotator.models.imports import EssayImport, ImportedFile
from review.models import FinalGrade, SetProtocol, Verdict
from review.pages.desk import Check, DeskLine, desk_lines
from scoring.core.third_expert import ENGLISH
from web.serializers import Strict, Whole

ROLES = ("first", "second", "third")
FIRST_STATES = [
    (state.value, state.label) for state in (EssaySet.State.PREPARING, EssaySet.State.OPEN)
]
PROGRESS = [
    ("queued", _("queued")),
    ("running", _("running")),
    ("scored", _("scored")),
    ("failed", _("failed")),
    ("superseded", _("superseded")),
]


class Nothing(Strict):
    """A word that needs no more than its address."""


class SetLine(serializers.ModelSerializer):
    """An essay set; ``rules`` with their version, ``essays`` counted in their latest versions."""

    rules = serializers.CharField(read_only=True)
    essays = serializers.IntegerField(source="count", read_only=True)

    class Meta:
        model = EssaySet
        fields = [
            *("id", "name", "access", "state", "rules", "essays", "published_at", "created_at")
        ]
        read_only_fields = fields


class SetOrder(Strict):
    """A new set; ``rules`` is their name, their newest version counts.

    It is being prepared, as one made on the page, unless ``state`` says that it is opened at once.
    """

    name = serializers.CharField(max_length=80)
    rules = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    access = serializers.ChoiceField(EssaySet.Access.choices, default=EssaySet.Access.CLOSED)
    state = serializers.ChoiceField(FIRST_STATES, default=EssaySet.State.PREPARING)


class ImportOrder(Strict):
    """Files with the set they go to, as multipart/form-data; nothing is imported yet."""

    essay_set = serializers.IntegerField()
    subject = serializers.CharField(required=False)
    from_markups = serializers.BooleanField(required=False)
    files = serializers.ListField(child=serializers.FileField())


class LeavingOut(Strict):
    """The numbers of the essays that shall not come in; of those that are not named all shall."""

    essays = serializers.ListField(child=serializers.CharField(max_length=60))


class ImportLine(serializers.ModelSerializer):
    """An import: what is foreseen, or what came of it; ``came`` of ``total`` essays are in.

    ``left_out``: the essays that shall not come in.
    """

    essay_set = serializers.CharField(source="set_name", read_only=True)
    thirds = serializers.ListField(child=serializers.CharField(), read_only=True)
    left_out = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = EssayImport
        fields = [
            *("id", "essay_set", "state", "essays", "markups", "known", "refused", "accounts"),
            *("thirds", "left_out", "total", "came", "made_at", "begun_at", "done_at"),
        ]
        read_only_fields = fields


class ImportedLine(serializers.ModelSerializer):
    """A file of an import: its outcome, why it was refused, what was odd in it.

    ``number``: that of its essay; ``is_like_another``: a new essay that may be another once more.
    """

    number = serializers.CharField(source="essay_number", read_only=True)
    is_like_another = serializers.BooleanField(read_only=True)
    reason = serializers.CharField(read_only=True)
    remarks = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = ImportedFile
        fields = [
            *("name", "number", "outcome", "is_like_another", "author", "role", "reason"),
            *("remarks", "essay", "markup"),
        ]
        read_only_fields = fields


class AssignmentLine(serializers.ModelSerializer):
    """A check: who has it, how far it is."""

    number = serializers.CharField(source="essay.number", read_only=True)
    essay_set = serializers.CharField(source="essay.essay_set.name", read_only=True)
    expert = serializers.CharField(source="expert.username", read_only=True)

    class Meta:
        model = Assignment
        fields = [
            *("id", "essay", "number", "essay_set", "round", "role", "expert", "state"),
            *("deadline_at", "created_at", "submitted_at"),
        ]
        read_only_fields = fields


class AssignmentOrder(Strict):
    """A check that is given away: the essay's number in the API, the expert's login."""

    essay = Whole(min_value=1)
    role = serializers.ChoiceField(Assignment.Role.choices)
    expert = serializers.CharField(max_length=150)


class CheckState(serializers.Serializer):
    """A check of an essay; all but ``role`` is null where nobody has it."""

    role = serializers.ChoiceField(Assignment.Role.choices)
    assignment = serializers.IntegerField(allow_null=True)
    expert = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(Assignment.State.choices, allow_null=True)
    deadline_at = serializers.DateTimeField(allow_null=True)
    submitted_at = serializers.DateTimeField(allow_null=True)


class EssayStates(serializers.Serializer):
    """An essay and its three checks; ``third_needed`` is null while it is not decided."""

    essay = serializers.IntegerField()
    number = serializers.CharField()
    subject = serializers.CharField()
    checks = CheckState(many=True)
    third_needed = serializers.BooleanField(allow_null=True)
    algorithms = serializers.IntegerField()

    def to_representation(self, instance: Essay) -> dict[str, Any]:
        (line,) = desk_lines([instance])
        checks = zip(ROLES, (line.first, line.second, line.third), strict=True)
        return {
            **_essay(instance),
            "checks": [_state(role, check.assignment) for role, check in checks],
            "third_needed": line.third_needed,
            "algorithms": line.algorithms,
        }


class CheckResult(serializers.Serializer):
    """The computed points of a check, their total, and K = K3 + K4 of English."""

    role = serializers.ChoiceField(Assignment.Role.choices)
    expert = serializers.CharField()
    markup = serializers.IntegerField()
    points = serializers.DictField(child=serializers.IntegerField())
    total = serializers.IntegerField()
    K = serializers.IntegerField(allow_null=True)


class FinalGradeLine(serializers.ModelSerializer):
    """A final grade that counts; ``points`` is null where its rule goes by the total."""

    points = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    counted = serializers.ListField(child=serializers.ChoiceField(Assignment.Role.choices))

    class Meta:
        model = FinalGrade
        fields = ["total", "points", "rule", "counted", "settled_at"]
        read_only_fields = fields


class EssayResults(serializers.Serializer):
    """What is graded of an essay; ``gap``: how far the first two totals are apart.

    ``grade`` is null while it is not settled, and where the rules of the set state none.
    """

    essay = serializers.IntegerField()
    number = serializers.CharField()
    subject = serializers.CharField()
    checks = CheckResult(many=True)
    gap = serializers.IntegerField(allow_null=True)
    third_needed = serializers.BooleanField(allow_null=True)
    grade = FinalGradeLine(allow_null=True)

    def to_representation(self, instance: Essay) -> dict[str, Any]:
        (line,) = desk_lines([instance])
        return {
            **_essay(instance),
            "checks": _results(line),
            "gap": line.gap,
            "third_needed": line.third_needed,
            "grade": next((FinalGradeLine(each).data for each in instance.standing), None),  # type: ignore[attr-defined]
        }


class ProtocolLine(serializers.ModelSerializer):
    """What a verdict was given of; ``digest``: the SHA-256 of its file."""

    class Meta:
        model = SetProtocol
        fields = [
            *("id", "digest", "essays", "made_at"),
            *("voided_at", "voided_because", "reason", "about"),
        ]
        read_only_fields = fields


class VerdictLine(serializers.ModelSerializer):
    """Who said what of a set; it counts while ``protocol.voided_at`` is null."""

    who = serializers.CharField(source="who.username", read_only=True)
    role = serializers.ChoiceField(User.Role.choices, source="who.role", read_only=True)
    protocol = ProtocolLine(read_only=True)

    class Meta:
        model = Verdict
        fields = ["id", "kind", "who", "role", "at", "reason", "protocol"]
        read_only_fields = fields


class SubmissionLine(serializers.Serializer):
    """How far a submission is: ``position`` in line while it is queued, else null."""

    markup = serializers.IntegerField()
    essay = serializers.IntegerField()
    number = serializers.CharField()
    submitted_at = serializers.DateTimeField()
    state = serializers.ChoiceField(PROGRESS)
    position = serializers.IntegerField(allow_null=True)


def _essay(essay: Essay) -> dict[str, Any]:
    return {"essay": essay.pk, "number": essay.number, "subject": essay.subject}


def _state(role: str, check: Assignment | None) -> dict[str, Any]:
    def told(name: str) -> Any:
        return None if check is None else getattr(check, name)

    def moment(name: str) -> Any:
        return told(name) and localtime(told(name))  # as the other moments of the API

    return {
        "role": role,
        "assignment": told("pk"),
        "expert": check.expert.username if check else None,
        "state": told("state"),
        "deadline_at": moment("deadline_at"),
        "submitted_at": moment("submitted_at"),
    }


def _results(line: DeskLine) -> list[dict[str, Any]]:
    markups = {each.assignment_id: each for each in line.essay.markups.all()}
    is_english = line.essay.core_subject in ENGLISH

    def result(role: str, check: Check) -> dict[str, Any] | None:
        if check.assignment is None or check.total is None:
            return None
        record = markups[check.assignment.pk]
        return {
            "role": role,
            "expert": check.assignment.expert.username,
            "markup": record.pk,
            "points": record.criteria.points,
            "total": check.total,
            "K": record.criteria.nomination if is_english else None,
        }

    checks = zip(ROLES, (line.first, line.second, line.third), strict=True)
    found = [result(role, check) for role, check in checks]
    return [each for each in found if each is not None]
