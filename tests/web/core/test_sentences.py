from __future__ import annotations

import pytest

from web.core.errors import JsonTextError
from web.core.json_text import read_json
from web.core.sentences import describe_json


def test_json_that_cannot_be_read_is_told_in_the_readers_language():
    with pytest.raises(JsonTextError) as caught:
        read_json('{"a\\u202eb": 1, "a\\u202eb": 2}', unique_keys=True)
    russian = {"The key “{name}” stands twice in one object. Keep one of them.": "Дважды: {name}"}

    assert describe_json(caught.value, str) == (
        "The key “a\\u202eb” stands twice in one object. Keep one of them."
    )
    assert describe_json(caught.value, russian.__getitem__) == "Дважды: a\\u202eb"
