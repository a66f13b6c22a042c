"""What the API of contests reads and says, by matter."""

from __future__ import annotations

from contest.serializers.contests import ContestAnswer, ContestReport
from contest.serializers.sessions import (
    AnswerToFile,
    DoorsAnswer,
    FileAnswer,
    LogAnswer,
    ReceiptAnswer,
    SessionAnswer,
    SessionLine,
    SessionOrder,
)
from contest.serializers.uploads import (
    ParcelFileLine,
    ParcelLine,
    ParcelOrder,
    UploadLine,
    UploadOrder,
)

__all__ = [
    "AnswerToFile",
    "ContestAnswer",
    "ContestReport",
    "DoorsAnswer",
    "FileAnswer",
    "LogAnswer",
    "ParcelFileLine",
    "ParcelLine",
    "ParcelOrder",
    "ReceiptAnswer",
    "SessionAnswer",
    "SessionLine",
    "SessionOrder",
    "UploadLine",
    "UploadOrder",
]
