"""Everything the core of contests refuses.

* ContestError        base
  + SessionCaseError  a case of a session that cannot be judged
  + ContestFileError  a ``contest.toml`` that cannot be read
"""

from __future__ import annotations

from web.core.errors import CoreError, JsonValueError


class ContestError(CoreError):
    pass


class SessionCaseError(ContestError, JsonValueError):
    pass


class ContestFileError(ContestError, JsonValueError):
    pass
