"""What people fill in on pages of contests, by matter."""

from __future__ import annotations

from contest.forms.contests import (
    ContestForm,
    DataSetForm,
    DecisionForm,
    ModuleForm,
    NewsForm,
    PhaseForm,
    PhaseVerdictForm,
)
from contest.forms.parameters import ConsentForm, ParametersForm
from contest.forms.sessions import (
    ContestFinalForm,
    ContestRestartForm,
    FinalForm,
    ParcelForm,
    ReasonForm,
    RestartForm,
    with_acts,
)
from contest.forms.teams import ApplicationForm, MemberForm, TeamVerdictForm
from contest.forms.uploads import ArchiveForm, UploadForm, UploadTermsForm

__all__ = [
    "ApplicationForm",
    "ArchiveForm",
    "ConsentForm",
    "ContestFinalForm",
    "ContestForm",
    "ContestRestartForm",
    "DataSetForm",
    "DecisionForm",
    "FinalForm",
    "MemberForm",
    "ModuleForm",
    "NewsForm",
    "ParametersForm",
    "ParcelForm",
    "PhaseForm",
    "PhaseVerdictForm",
    "ReasonForm",
    "RestartForm",
    "TeamVerdictForm",
    "UploadForm",
    "UploadTermsForm",
    "with_acts",
]
