"""What the description of the API says of a session that is over."""

from __future__ import annotations

from typing import ClassVar, Final

from annotator.schema import ProblemAwareSchema
from web.headers import key_parameter

OPENING_KEY: Final = key_parameter(
    "Your own name of this opening. Sent again it answers with the same session (200), as it "
    "stands by then, whatever else the body wishes; a body of another mode is declined (409, "
    "used-otherwise)."
)
ANSWER_KEY: Final = key_parameter(
    "Your own name of this answer. Sent again it is answered as the first was, with repeated: "
    "true, and counts once; differed says that the body or the file was another one, which is not "
    "looked at. Without it the digest of file and body is the key: the same body counts once, and "
    "what was refused is judged anew."
)


class SessionAwareSchema(ProblemAwareSchema):
    """Documents, besides what every address declines, that a session has nothing more to give."""

    errors: ClassVar = {
        **ProblemAwareSchema.errors,
        "410": "The session has ended, or all of its files were handed out.",
    }
