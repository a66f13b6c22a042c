"""The markup language (regulation, Appendix 3, 1): bracket text <-> ``MarkedFile``."""

from annotator.core.language.reader import Parsed, parse
from annotator.core.language.tidying import Tidied, tidy
from annotator.core.language.writer import render

__all__ = ["Parsed", "Tidied", "parse", "render", "tidy"]
