"""Everything the cores of the schemes refuse.

* SchemeError                base of them all; each scheme has errors of its own below it
"""

from __future__ import annotations

from web.core.errors import CoreError


class SchemeError(CoreError):
    pass
