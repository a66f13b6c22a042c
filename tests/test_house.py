"""Rules of the house that a linter cannot say."""

from __future__ import annotations

import ast
import functools
import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import django.contrib.auth
import rest_framework
from babel.messages.mofile import read_mo

from config import catalogues
from config.borrowed import BORROWED
from config.floors import APPS, FLOORS, FOLDERS

ROOT = Path(__file__).resolve().parent.parent
MOST_LINES = 400
LONGEST_FUNCTION = 50
SOURCES = [
    path
    for folder in (*FOLDERS, "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "migrations" not in path.parts
]
CORE = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCES
    if "core" in path.parts and "tests" not in path.parts
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
STYLES = sorted((ROOT / "static" / "css").rglob("*.css"))


def named(path):
    return str(path.relative_to(ROOT))


def test_pyproject_knows_the_apps_of_the_one_list_and_their_floors():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    tools = told["tool"]
    contracts = {each["name"]: each for each in tools["importlinter"]["contracts"]}
    rooms = [app for each in contracts.values() for app in each.get("containers", ())]
    pure = [app for app in sorted(APPS) if (ROOT / app / "core").is_dir()]
    shipped = [each for app in pure for each in (app, f"{app}.core*")]

    assert {
        "floors": tools["importlinter"]["contracts"][0]["layers"],
        "known": sorted(tools["importlinter"]["root_packages"]),
        "rooms": sorted(rooms),
        "pure": contracts["The cores know no framework"]["source_modules"],
        "typed": tools["mypy"]["files"],
        "sorted": tools["ruff"]["lint"]["isort"]["known-first-party"],
        "shipped": tools["setuptools"]["packages"]["find"]["include"],
    } == {
        "floors": ["config", *(" | ".join(floor) for floor in reversed(FLOORS))],
        "known": sorted(FOLDERS),
        "rooms": sorted(APPS),
        "pure": [f"{app}.core" for app in pure],
        "typed": [
            *(f"{app}/core" for app in pure),
            "contest/gateway",
            "contest/services",
            "razbor",
        ],
        "sorted": sorted([*FOLDERS, "tests"]),
        "shipped": ["razbor*", *shipped],
    }


def test_the_addresses_of_every_app_are_reached():
    reached = (ROOT / "config" / "urls.py").read_text("utf-8")
    apps = [app for app in APPS if (ROOT / app / "urls.py").exists()]

    assert [app for app in apps if f'include("{app}.urls")' not in reached] == []


COUNT_WITH_NUMPY = re.compile(
    r"compare\.core\.batch(\..+)?|scoring\.core\.(batch|bootstrap|scored)"
)
"""Cores that are loaded only where numpy is; without it their callers say what is missing, or go
the way of one pair at a time."""


def test_cores_and_command_line_run_without_frameworks():
    blocked = ["django", "rest_framework", "celery", "redis", "numpy"]
    block = f"import sys; sys.modules.update(dict.fromkeys({blocked}))"
    able = [name for name in CORE if not COUNT_WITH_NUMPY.fullmatch(name)]
    imports = "; ".join(f"import {name}" for name in [*able, "razbor.main"])

    subprocess.run([sys.executable, "-c", f"{block}; {imports}"], cwd=ROOT, check=True)


def test_files_stay_small():
    assert [named(path) for path in SOURCES if lines_of(path) > MOST_LINES] == []


def test_functions_stay_small():
    long = [
        f"{named(path)}: {node.name}"
        for path in SOURCES
        if lines_of(path) > LONGEST_FUNCTION
        for node in functions_of(parsed(path))
        if node.end_lineno - node.lineno >= LONGEST_FUNCTION
    ]

    assert long == []


def functions_of(node):
    """The functions within a statement; expressions hold none that have a name."""
    for held in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, held, ()):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                yield each
            yield from functions_of(each)


@functools.cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def test_no_message_stands_inside_an_f_string_where_no_catalogue_sees_it():
    unseen = [
        f"{named(path)}:{call.lineno}"
        for path in SOURCES
        if "_(" in path.read_text("utf-8")
        for string in ast.walk(parsed(path))
        if isinstance(string, ast.JoinedStr)
        for call in ast.walk(string)
        if isinstance(call, ast.Call) and is_message(call)
    ]

    assert unseen == []


def is_message(call):
    is_asked = isinstance(call.func, ast.Name) and call.func.id == "_"
    return is_asked and isinstance(call.args[0], ast.Constant)


def test_scripts_and_templates_stay_small():
    pages = [*SCRIPTS, *TEMPLATES]

    assert [named(path) for path in pages if lines_of(path) > MOST_LINES] == []


def lines_of(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_packages_of_apps_and_cores_are_not_drawers():
    packages = [ROOT / app / room / "__init__.py" for app in FOLDERS for room in ("", "core")]

    assert [named(each) for each in packages if each.exists() and each.read_text().strip()] == []


def test_no_file_bears_a_name_that_says_nothing():
    nothing = re.compile(r"(utils?|helpers?|common|misc|tools2)\.(py|js)")

    assert [named(path) for path in [*SOURCES, *SCRIPTS] if nothing.fullmatch(path.name)] == []


def test_public_core_functions_say_what_they_do():
    silent = []
    for path in SOURCES:
        if "core" in path.parts and "tests" not in path.parts:
            for node in parsed(path).body:
                is_public = isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
                is_error = isinstance(node, ast.ClassDef) and path.name == "errors.py"
                if is_public and not is_error and not ast.get_docstring(node):
                    silent.append(f"{named(path)}: {node.name}")

    assert silent == []


def test_templates_have_no_inline_scripts_styles_or_trusted_text():
    inline = r"<script(?![^>]*\bsrc=)|<style|\sstyle\s*=|\son[a-z]+\s*="
    found = {
        named(path): words
        for path in TEMPLATES
        if (words := re.findall(inline, path.read_text(encoding="utf-8")))
    }
    trusting = {path.name for path in TEMPLATES if "|safe" in path.read_text("utf-8")}

    assert found == {}
    assert trusting == {"field.html"}


def test_only_the_renderers_trust_html():
    trusting = {
        named(path)
        for path in SOURCES
        if "tests" not in path.parts and re.search(r"\bmark_safe\(", path.read_text("utf-8"))
    }

    assert trusting == {
        "annotator/templatetags/essay_text.py",
        "annotator/templatetags/mark_rows.py",
        "annotator/templatetags/palette_codes.py",
        "compare/templatetags/compared_rows.py",
        "contest/templatetags/document_text.py",
        "review/templatetags/desk_rows.py",
        "scoring/templatetags/point_rows.py",
    }


def test_nothing_escapes_csrf_protection():
    exempt = [named(path) for path in SOURCES if "csrf_exempt" in path.read_text("utf-8")]

    assert exempt == ["tests/test_house.py"]


def test_vendored_files_are_those_that_were_fetched():
    vendor = ROOT / "static" / "vendor"
    listed = dict(
        reversed(line.split("  ", 1))
        for line in (vendor / "SHA256SUMS").read_text("ascii").splitlines()
    )
    present = {
        f"./{path.relative_to(vendor).as_posix()}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in vendor.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }

    assert present == listed


def test_colours_live_in_the_tokens_only():
    colourful = {path.name for path in STYLES if colours_of(path)}

    assert colourful == {"tokens.css"}


def colours_of(path):
    css = re.sub(r"/\*.*?\*/|url\([^)]*\)", "", path.read_text("utf-8"), flags=re.DOTALL)
    found = re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(|\boklch\(", css)
    return [colour for colour in found if colour != "#fff"]


def test_the_two_dark_themes_are_one():
    css = (ROOT / "static" / "css" / "tokens.css").read_text("utf-8")
    blocks = re.findall(r"color-scheme: dark;(.*?)\}", css, flags=re.DOTALL)
    themes = [dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block)) for block in blocks]

    assert len(themes) == 2
    assert themes[0] == themes[1]
    assert len(themes[0]) >= 50


def test_borrowed_sentences_are_still_said_by_their_libraries():
    brought = [catalogue_of(package) for package in (django.contrib.auth, rest_framework)]

    assert [each for each in BORROWED if not any(each in words for words in brought)] == []


def catalogue_of(package):
    compiled = Path(package.__file__).parent / "locale" / "ru" / "LC_MESSAGES" / "django.mo"
    with compiled.open("rb") as stream:
        return read_mo(stream)


def test_every_message_is_translated():
    assert catalogues.check() == []
