"""Which source scores: two runs of the same source under the same rules say the same."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ("annotator/core", "compare/core", "scoring/core")
ENDINGS: Final = frozenset({".py", ".json"})


@lru_cache(maxsize=1)
def code_digest() -> str:
    """SHA-256 of everything that scores, files in the order of their paths."""
    paths = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    digest = sha256()
    for path in sorted(each for each in paths if each.suffix in ENDINGS):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
