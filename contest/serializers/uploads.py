"""What the API reads and says of archives of markups, and of uploads to contests."""

from __future__ import annotations

from datetime import UTC
from typing import ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from contest.models import Annulment, Parcel, ParcelFile, Upload
from contest.queries.solutions_of_teams import annulled_by
from web.serializers import Strict


class ParcelOrder(Strict):
    """An archive of markups for a set: ``essay_set`` is its name."""

    essay_set = serializers.CharField()
    file = serializers.FileField()


class ParcelLine(serializers.ModelSerializer):
    """An archive of ``size`` files; ``taken``, ``known`` and ``refused`` are counts of files.

    ``state``: ``failed`` where the platform gave it up: send it again.
    """

    participant = serializers.CharField(source="participant.username", read_only=True)
    essay_set = serializers.CharField(source="essay_set.name", read_only=True)
    state = serializers.SerializerMethodField()

    class Meta:
        model = Parcel
        fields: ClassVar = [
            *("id", "participant", "essay_set", "name", "state", "size"),
            *("taken", "known", "refused", "sent_at", "done_at"),
        ]
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField([*Parcel.State.values, "failed"]))
    def get_state(self, parcel: Parcel) -> str:
        return "failed" if parcel.is_lost else parcel.state


class ParcelFileLine(serializers.ModelSerializer):
    """A file of an archive: what became of it, and why it was refused."""

    essay = serializers.CharField(source="essay.number", default=None, read_only=True)

    class Meta:
        model = ParcelFile
        fields: ClassVar = ["name", "outcome", "reason", "remarks", "essay", "markup"]
        read_only_fields = fields


class UploadOrder(serializers.Serializer):
    """Predictions, or an archive of markups.

    ``scheme``: which scoring system predictions are of; another contest's are refused.
    """

    file = serializers.FileField()
    scheme = serializers.CharField(required=False)


class AnnulledUpload(serializers.ModelSerializer):
    """That organisers annulled an upload: why, by which protocol, when."""

    at = serializers.DateTimeField(default_timezone=UTC)

    class Meta:
        model = Annulment
        fields = ("reason", "protocol", "at")


class UploadLine(serializers.ModelSerializer):
    """An upload. ``public`` and ``final``: means over the items of each part, from 0 to 1.

    ``final`` is told once the phase is closed. ``problems``: why nothing could be scored;
    ``remarks``: what was odd in one that is scored, as lines that did not count. ``annulled``: why
    it does not count any more; ``null`` where it does.
    """

    team = serializers.CharField(source="team.name")
    phase = serializers.CharField(source="phase.kind")
    final = serializers.SerializerMethodField()
    problems = serializers.SerializerMethodField()
    remarks = serializers.SerializerMethodField()
    annulled = serializers.SerializerMethodField()

    class Meta:
        model = Upload
        fields = ("id", "team", "phase", "name", "digest", "size", "sent_at", "state")
        fields += ("public", "public_items", "final", "problems", "remarks")
        fields += ("parcel", "annulled")

    def get_final(self, upload: Upload) -> float | None:
        return upload.final if upload.phase.closed_at else None

    def get_problems(self, upload: Upload) -> list[str]:
        return upload.refusals()

    def get_remarks(self, upload: Upload) -> list[str]:
        return upload.remarks()

    @extend_schema_field(AnnulledUpload(allow_null=True))
    def get_annulled(self, upload: Upload) -> dict[str, str] | None:
        said = annulled_by(upload)
        return AnnulledUpload(said[0]).data if said else None
