"""The door through which essays and marked files come in."""

from __future__ import annotations

import json

from tests.factories import TEXT
from tests.hostile.corpus.files import ESSAYS, PLAIN
from tests.hostile.corpus.forms import RAW_FORMS
from tests.hostile.corpus.texts import FEW, TEXTS
from tests.hostile.doors.sending import MULTIPART, Sent, decoded, with_files
from tests.hostile.verdicts import Case
from tests.hostile.visitor import Answer
from tests.hostile.world import World

SHOWN = frozenset({200, 422})
OK = 200
FOUND = 302
LONGEST_NAME = 1000
"""Django reads at most so much of the head of a part."""


def files(world: World) -> Sent:
    """Files that are none, their names, and the fields beside them."""
    for essay in world.dealt_widely(ESSAYS):
        name, data = essay.value
        expected = SHOWN if len(name) < LONGEST_NAME else frozenset({400})
        yield Case("import", "file", essay, expected), send_file(world, name, data)
    for form in RAW_FORMS:
        content_type, body = form.value
        answer = world.visitors["coordinator"].send_body("/import/", body, content_type)
        yield Case("import", "body", form), answer


def texts(world: World) -> Sent:
    """Every text as a file's name, an author, in the fields and the marks of a file."""
    for number, text in enumerate(world.dealt(TEXTS)):
        value = text.value
        for place, (name, data) in {
            "name": (f"{value[:200]}.txt", PLAIN),
            "author": (f"author-{number}_exp{value[:200]}.txt", PLAIN),
            "essay": (f"essay-{number}.txt", _bytes(f"Предмет: английский\n\n{value} ")),
            "header": (f"header-{number}.txt", _header(value)),
            "marks": (f"marks-{number}_exp1.txt", _marks(value)),
            "file": (f"file-{number}.json", _file(value)),
        }.items():
            yield Case("import", place, text, SHOWN), send_file(world, name, data)
    for text in world.dealt(FEW):
        for field in ("essay_set", "subject"):
            fields = {"essay_set": str(world.open_set.pk), field: decoded(text.value)}
            yield Case("import", field, text, SHOWN), send_file(world, "x.txt", PLAIN, **fields)


def _header(value: str) -> bytes:
    fields = ("Тема", "Класс", "Год", "Категория", "Тест", "Исходный текст", "Эксперт", "K1", value)
    lines = "".join(f"{name}: {value}\n" for name in fields)
    return _bytes(f"{lines}Предмет: английский\n\n{TEXT}")


def _marks(value: str) -> bytes:
    marked = f"(А.грамм {value} \\ word :: {value} >> {value} # {value} \\)"
    return _bytes(f"Предмет: английский\n\n{TEXT} {marked} ({value} \\ word \\)")


def _file(value: str) -> bytes:
    words = ("type", "subtype", "comment", "explanation", "correction", "tag")
    mark = {"startSelection": 0, "endSelection": 4, **dict.fromkeys(words, value)}
    meta = ("id", "theme", "class", "taskText", "category", "test", "name", "expert")
    whole = {
        "meta": {"subject": "eng", **dict.fromkeys(meta, value)},
        "text": TEXT,
        "selections": [mark],
        "criteria": {value: 1},
        "fileName": value,
    }
    return json.dumps(whole).encode()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def send_file(world: World, name: str, data: bytes, **fields: str) -> Answer:
    """Send a file, look at what it would do, import it; the last answer, or the first bad one."""
    visitor = world.visitors["coordinator"]
    sent = {"essay_set": str(world.open_set.pk), "from_markups": "on", **fields}
    body = with_files(sent, [("files", name, data)])
    answer = visitor.send_body("/import/", body, MULTIPART)
    if answer.status != FOUND:
        return answer
    preview = answer.headers["Location"]
    shown = visitor.get(preview)
    if shown.status != OK:
        return shown
    done = visitor.post(f"{preview}confirm/")
    return visitor.get(preview) if done.status == FOUND else done
