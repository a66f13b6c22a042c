"""The rows of the app, where Django looks for them; each module has those of one matter."""

from review.models.acts import BulkAct
from review.models.agreement import AgreementReport
from review.models.deadlines import (
    CalendarDay,
    Letter,
    LetterTerms,
    Overdue,
    Reminder,
    SetTerms,
    TimeLimit,
    WorkTime,
)
from review.models.exports import ClientCall, Export
from review.models.notes import Note
from review.models.plans import ExpertConflict, ExpertLimit, Pin, Plan, PlannedCheck
from review.models.settling import FinalGrade, Ruling, ThirdCheck
from review.models.verdicts import SetProtocol, Verdict

__all__ = [
    "AgreementReport",
    "BulkAct",
    "CalendarDay",
    "ClientCall",
    "ExpertConflict",
    "ExpertLimit",
    "Export",
    "FinalGrade",
    "Letter",
    "LetterTerms",
    "Note",
    "Overdue",
    "Pin",
    "Plan",
    "PlannedCheck",
    "Reminder",
    "Ruling",
    "SetProtocol",
    "SetTerms",
    "ThirdCheck",
    "TimeLimit",
    "Verdict",
    "WorkTime",
]
