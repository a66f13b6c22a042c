"""A protocol of a set for paper: what was frozen, read back from its own JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.utils.dateparse import parse_datetime

from annotator.models import Assignment
from annotator.models.rules import FINAL_RULES
from review.core.canonical import digest_of
from review.models import SetProtocol, Verdict


@dataclass(frozen=True, slots=True)
class ProtocolLine:
    """An essay in a protocol: its checks by role, and the final grade."""

    essay: Mapping[str, Any]

    @property
    def checks(self) -> list[tuple[Any, Mapping[str, Any] | None]]:
        """The first, the second and the third check by their names; ``None`` for none."""
        by_role = {each["role"]: each for each in self.essay["checks"]}
        return [(role.label, by_role.get(role)) for role in Assignment.Role]

    @property
    def subject(self) -> Any:
        """The subject in words."""
        return dict(settings.SUBJECTS).get(self.essay["subject"], self.essay["subject"])

    @property
    def total(self) -> int | None:
        """The final grade."""
        return self.essay["grade"]["total"] if self.essay["grade"] else None

    @property
    def rule(self) -> Any:
        """By which rule it was made, in words."""
        grade = self.essay["grade"]
        return dict(FINAL_RULES).get(grade["rule"], grade["rule"]) if grade else ""

    @property
    def settled_at(self) -> Any:
        """When it was settled."""
        return parse_datetime(self.essay["grade"]["settled_at"]) if self.essay["grade"] else None


@dataclass(frozen=True)
class ProtocolPage:
    """A protocol, what was said of it, and its essays."""

    protocol: SetProtocol

    @cached_property
    def content(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.protocol.content)
        return found

    @property
    def lines(self) -> list[ProtocolLine]:
        return [ProtocolLine(each) for each in self.content["essays"]]

    @property
    def rules(self) -> list[Any]:
        """How the final grades in it were made, in words, each once."""
        return sorted({str(line.rule) for line in self.lines if line.rule})

    @property
    def verdicts(self) -> list[Verdict]:
        return sorted(self.protocol.verdicts.all(), key=lambda each: each.pk)

    @property
    def is_whole(self) -> bool:
        """True while the text has the digest it was frozen with."""
        return digest_of(self.protocol.content) == self.protocol.digest


def protocol_page(protocol: SetProtocol) -> ProtocolPage:
    """What is printed of a protocol."""
    return ProtocolPage(protocol)
