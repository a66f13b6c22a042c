"""The rows of the app, where Django looks for them; each module has those of one matter."""

from contest.models.announcing import Announcement, AnnouncementLetter, ModuleRelease
from contest.models.contests import Contest, DataSet, Phase
from contest.models.finals import Admission, Final, FinalFile, RestartBasis
from contest.models.inviting import TeamInvitation, TeamLetter
from contest.models.parameters import Consent, ParameterSet
from contest.models.parcels import Parcel, ParcelFile
from contest.models.protocols import Annulment, PhaseProtocol, PhaseVerdict, Publication
from contest.models.publishing import PublicationOrder
from contest.models.sessions import Delivery, ExchangeSession, SessionEvent, SessionFile
from contest.models.teams import Application, Membership, Team, TeamVerdict
from contest.models.uploads import Upload, UploadCounter, UploadTerms
from contest.models.watching import ConnectionLease, GatewayBeat, Outage, ProgramLog

__all__ = [
    "Admission",
    "Announcement",
    "AnnouncementLetter",
    "Annulment",
    "Application",
    "ConnectionLease",
    "Consent",
    "Contest",
    "DataSet",
    "Delivery",
    "ExchangeSession",
    "Final",
    "FinalFile",
    "GatewayBeat",
    "Membership",
    "ModuleRelease",
    "Outage",
    "ParameterSet",
    "Parcel",
    "ParcelFile",
    "Phase",
    "PhaseProtocol",
    "PhaseVerdict",
    "ProgramLog",
    "Publication",
    "PublicationOrder",
    "RestartBasis",
    "SessionEvent",
    "SessionFile",
    "Team",
    "TeamInvitation",
    "TeamLetter",
    "TeamVerdict",
    "Upload",
    "UploadCounter",
    "UploadTerms",
]
