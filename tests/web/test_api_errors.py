from __future__ import annotations

import pytest

from web.api_errors import answer
from web.client_keys import ClientKey
from web.refusals import Conflict, Refused


class Listed(Refused):
    code = "listed"

    def listed(self):
        return [{"code": "first"}, {"code": "second"}]


@pytest.mark.parametrize(
    ("refusal", "status", "body"),
    [
        (Refused("No."), 422, {"code": "refused", "message": "No."}),
        (Conflict("Seen."), 409, {"code": "conflict", "message": "Seen."}),
        (
            Listed("Two."),
            422,
            {
                "code": "listed",
                "message": "Two.",
                "problems": [{"code": "first"}, {"code": "second"}],
            },
        ),
    ],
    ids=["refused", "conflict", "listed"],
)
def test_a_program_is_told_what_a_service_declines(refusal, status, body):
    response = answer(refusal, {})

    assert (response.status_code, response.data) == (status, body)


def test_a_fault_of_ours_is_no_refusal():
    assert answer(ValueError(), {}) is None


def test_a_key_is_good_for_one_body():
    key = ClientKey("run-1", "digest")

    key.refuse_other("digest")
    key.refuse_other("")
    with pytest.raises(Conflict, match="Use a new one"):
        key.refuse_other("another")
