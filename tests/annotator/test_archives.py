from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.problems import Problem
from annotator.services import archives
from annotator.services.archives import NamedBytes, read_uploads
from tests.annotator.files import link, told, unpacked, zipped

FIVE_MB = 5 * 1024 * 1024
NOT_ZIP = "This is not a ZIP archive, or it is damaged."
TOO_LARGE = "The file is larger than 5 MB."
DAMAGED = "The file is damaged within the archive."
OUT = "The file’s path leads out of the archive."


def uploaded(name, data):
    return list(read_uploads([(name, io.BytesIO(data))]))


def noise(size):
    """Bytes that cannot be packed."""
    state, out = 1, bytearray()
    while len(out) < size:
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        out += state.to_bytes(8, "little")
    return bytes(out[:size])


def test_a_file_is_named_without_its_folders():
    assert uploaded("C:\\essays\\0001.txt", b"a") == [NamedBytes("0001.txt", b"a")]


def test_other_kinds_of_files_are_refused_by_name():
    assert uploaded("0001.docx", b"a") == [
        NamedBytes("0001.docx", refusal=(Problem("kind-of-upload"),))
    ]


@pytest.mark.parametrize(("size", "refusal"), [(FIVE_MB, ""), (FIVE_MB + 1, TOO_LARGE)])
def test_a_file_may_hold_five_megabytes(size, refusal):
    (file,) = uploaded("0001.txt", b"a" * size)

    assert (told(file.refusal), len(file.data)) == (refusal, 0 if refusal else size)


def test_an_archive_gives_its_members_with_their_folders():
    data = zipped(("essays/", ""), ("essays/0001.txt", "one"), ("0002.json", "two"))

    assert unpacked(data) == [("essays/0001.txt", b"one"), ("0002.json", b"two")]


def test_what_a_mac_adds_to_an_archive_is_passed_over():
    data = zipped(("0001.txt", "one"), ("__MACOSX/._0001.txt", b"\0\5\26\7"))

    assert unpacked(data) == [("0001.txt", b"one")]


def test_the_manifest_of_an_exported_archive_is_passed_over():
    data = zipped(("manifest.json", "{}"), ("experts/0001_exp1.txt", "one"))

    assert unpacked(data) == [("experts/0001_exp1.txt", b"one")]


def test_the_same_name_twice_gives_both_files():
    data = zipped(("a/0001.txt", "one"), ("b/0001.txt", "two"))

    assert unpacked(data) == [("a/0001.txt", b"one"), ("b/0001.txt", b"two")]


@pytest.mark.parametrize("data", [b"", b"PK\3\4 is how they begin", b"Some people think."])
def test_what_is_no_archive_is_refused(data):
    assert unpacked(data) == [("essays.zip", NOT_ZIP)]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/etc/0001.txt", OUT),
        ("../0001.txt", OUT),
        ("a/../../0001.txt", OUT),
        ("..\\0001.txt", OUT),
        ("C:\\0001.txt", OUT),
        (link("0001.txt"), "Links are not read."),
        ("0001.zip", "Only .txt and .json files are read from an archive."),
        ("0001", "Only .txt and .json files are read from an archive."),
    ],
)
def test_a_member_that_is_no_file_of_ours_is_refused_and_the_rest_comes_in(name, reason):
    found = unpacked(zipped((name, zipped(("x.txt", "x"))), ("0002.txt", "two")))

    assert [outcome for _name, outcome in found] == [reason, b"two"]


def test_an_encrypted_member_is_refused():
    data = bytearray(zipped(("0001.txt", "one")))
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1

    assert unpacked(bytes(data)) == [("0001.txt", "The file is encrypted.")]


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_unusual_packing_is_refused(packing):
    reason = "The file is packed in an unusual way. Pack it with Deflate."

    assert unpacked(zipped(("0001.txt", "one"), compression=packing)) == [("0001.txt", reason)]


def test_a_member_packed_too_tightly_is_refused():
    reason = "The file is packed too tightly to be an essay."
    data = zipped(("0001.txt", b"a" * 4_000_000), ("0002.txt", "two"))

    assert unpacked(data) == [("0001.txt", reason), ("0002.txt", b"two")]


def test_an_ordinary_text_is_not_packed_too_tightly():
    text = b"Some people think that sport unite people. " * 100

    assert unpacked(zipped(("0001.txt", text))) == [("0001.txt", text)]


def test_a_large_member_is_refused_whatever_its_header_says():
    data = bytearray(zipped(("0001.txt", noise(FIVE_MB + 1)), compression=zipfile.ZIP_STORED))
    honest = (FIVE_MB + 1).to_bytes(4, "little")
    lie = (10).to_bytes(4, "little")

    (found,) = unpacked(bytes(data))
    (lied,) = unpacked(bytes(data).replace(honest, lie))

    assert found == ("0001.txt", TOO_LARGE)
    assert lied == ("0001.txt", DAMAGED)


def test_many_members_are_refused_as_a_whole(monkeypatch):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 2)
    three = zipped(*((f"{number}.txt", "a") for number in range(3)))

    assert unpacked(three) == [("essays.zip", "The archive holds more than 10,000 files.")]
    assert len(unpacked(zipped(("1.txt", "a"), ("2.txt", "a")))) == 2


def test_an_archive_is_read_up_to_its_limit(monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 10)
    data = zipped(*((f"{number}.txt", "seven…"[:5]) for number in range(4)))

    found = unpacked(data)

    reason = "The archive is larger than 500 MB unpacked."
    assert found == [
        ("0.txt", b"seven"),
        ("1.txt", b"seven"),
        ("2.txt", reason),
        ("essays.zip", reason),
    ]


def test_refused_members_use_up_the_limit_as_well(monkeypatch):
    monkeypatch.setattr(archives, "MAX_BYTES", 300_000)
    data = zipped(*((f"{number}.txt", b"a" * 4_000_000) for number in range(50)))

    found = unpacked(data)

    assert len(found) < 5
    assert found[-1] == ("essays.zip", "The archive is larger than 500 MB unpacked.")


SOUND = zipped(("0001.txt", "Some people think. " * 30), ("0002.json", '{"text": "abc"}'))


@given(st.integers(0, len(SOUND) - 1), st.integers(0, 255), st.integers(0, len(SOUND)))
def test_a_damaged_archive_never_fails_otherwise_than_by_a_refusal(at, value, end):
    data = bytearray(SOUND)
    data[at] = value

    for found in (unpacked(bytes(data)), unpacked(bytes(data[:end]))):
        assert all(isinstance(name, str) for name, _outcome in found)


def named_in(encoding, name):
    """An archive whose member's name is written in these letters, without the mark of UTF-8."""
    written = name.encode(encoding)
    stand_in = "x" * len(written)
    return zipped((stand_in, "one")).replace(stand_in.encode(), written)


@pytest.mark.parametrize("encoding", ["cp866", "utf-8", "cp1251"])
def test_names_in_russian_are_read_in_the_letters_of_their_archive(encoding):
    data = named_in(encoding, "Эссе Ёжика/0001 Спорт.txt")

    assert unpacked(data) == [("Эссе Ёжика/0001 Спорт.txt", b"one")]


def test_a_name_in_letters_nobody_can_tell_is_kept_and_remarked():
    (file,) = read_uploads([("a.zip", io.BytesIO(named_in("cp437", "0001_élève_Σ.txt")))])

    assert (file.name, file.data, told(file.remarks)) == (
        "0001_élève_Σ.txt",
        b"one",
        (
            "Nothing says in which letters the file’s name is written in the archive. "
            "Pack it with names in UTF-8."
        ),
    )
