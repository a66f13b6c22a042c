from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from config.bootstrap import ROOT
from tests.migrated import kept

KEY = "x7Qz" * 4 + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"
REFUSED = "django.core.exceptions.ImproperlyConfigured"
PRODUCTION = {"ALLOWED_HOSTS": "example.org,www.example.org", "SECRET_KEY": KEY}
OURS = (
    "DEBUG",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "TRUSTED_PROXIES",
    "PUBLIC_ADDRESS",
    "DATABASE_URL",
    "BROKER_URL",
    "TIME_ZONE",
    "RAZBOR_VAR",
    "DJANGO_SETTINGS_MODULE",
)


@pytest.fixture
def python(tmp_path):
    """Run Python with settings from these variables alone."""

    def run(*arguments, **variables):
        plain = {name: value for name, value in os.environ.items() if name not in OURS}
        environment = {**plain, "RAZBOR_VAR": str(tmp_path), "RAZBOR_BOOTSTRAP": "off", **variables}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def setting(python):
    """Values of settings as another process reads them."""

    def read(*names, **variables):
        program = "import json, sys; from config import settings; "
        program += "print(json.dumps([getattr(settings, name, None) for name in sys.argv[1:]]))"
        done = python("-c", program, *names, **{"SECRET_KEY": KEY, **variables})
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return read


@pytest.mark.full
def test_the_deployment_check_has_no_warnings(python):
    check = ["-m", "django", "check", "--deploy", "--fail-level", "WARNING"]

    done = python(*check, DJANGO_SETTINGS_MODULE="config.settings", **PRODUCTION)

    assert done.stderr == ""
    assert done.stdout.strip() == "System check identified no issues (0 silenced)."


BAD = {
    "DEBUG": ["yes", "1", "true", "false", "on"],
    "SECRET_KEY": ["", "short", "x" * 31],
    "ALLOWED_HOSTS": ["example.org,", "a b", "a,,b", " ", "https://example.org", "a.org:8000", "*"],
    "DATABASE_URL": [
        "mysql://user@host/name",
        "razbor.sqlite3",
        "sqlite",
        "sqlite:///",
        "postgres",
        "postgres://user@host",
        "postgres://user@host/",
        "postgres://user@host:port/name",
        "://",
    ],
    "BROKER_URL": [
        "amqp://localhost",
        "localhost:6379",
        "redis://",
        "redis:///0",
        "://",
        "redis://host:port/0",
        "redis://[::1",
    ],
    "TRUSTED_PROXIES": ["proxy", "10.0.0.1/8", "10.0.0.1,", "10.0.0.1:80", "*", "300.0.0.1"],
    "PUBLIC_ADDRESS": ["example.org", "ftp://a.org", "https://a.org/b", "https://u@a.org", "//a"],
    "TIME_ZONE": [
        "Moscow",
        "Europe",
        "+03:00",
        "Europe/Moskau",
        "zone.tab",
        "../../../etc/hostname",
    ],
}


READ_EACH = """
import importlib, json, os, sys

name, *values = sys.argv[1:]
for value in values:
    os.environ[name] = value
    sys.modules.pop("config.settings", None)
    try:
        importlib.import_module("config.settings")
    except Exception as error:
        print(json.dumps([value, type(error).__name__, str(error)]))
    else:
        print(json.dumps([value, "taken", ""]))
"""


@pytest.mark.parametrize("name", BAD)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(python, name):
    done = python("-c", READ_EACH, name, *BAD[name], SECRET_KEY=KEY)

    read = {value: answer for value, *answer in map(json.loads, done.stdout.splitlines())}
    accepted = {
        value: (fault, reason)
        for value, (fault, reason) in read.items()
        if fault != "ImproperlyConfigured" or not reason.startswith(name) or "\n" in reason
    }
    assert (list(read), accepted) == (BAD[name], {})


def test_the_last_line_of_a_program_names_the_refused_setting(python):
    done = python("-m", "django", "check", DJANGO_SETTINGS_MODULE="config.settings", DEBUG="yes")

    *_, reason = done.stderr.strip().splitlines()
    assert (done.returncode, reason) == (1, f"{REFUSED}: DEBUG=yes: use True or False.")


@pytest.mark.parametrize("hosts", ["example.org", "localhost,example.org", "192.0.2.7"])
def test_debug_serves_this_machine_only(python, hosts):
    done = python("-c", "import config.settings", SECRET_KEY=KEY, DEBUG="True", ALLOWED_HOSTS=hosts)

    *_, reason = done.stderr.strip().splitlines()
    why = "DEBUG=True serves this machine only: leave ALLOWED_HOSTS and TRUSTED_PROXIES unset."
    assert (done.returncode, reason) == (1, f"{REFUSED}: {why}")


def test_without_a_word_it_serves_this_machine_without_debug(setting):
    assert setting("DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_SSL_REDIRECT") == [
        False,
        ["localhost", "127.0.0.1", "[::1]"],
        None,
        None,
    ]


def test_in_the_open_only_https_is_spoken(setting):
    read = setting(
        "SECURE_SSL_REDIRECT",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_HSTS_SECONDS",
        "SECURE_HSTS_INCLUDE_SUBDOMAINS",
        "SECURE_HSTS_PRELOAD",
        "CSRF_TRUSTED_ORIGINS",
        ALLOWED_HOSTS="example.org,.example.com",
    )

    origins = ["https://example.org", "https://example.com"]
    assert read == [True, True, True, 31_536_000, True, True, origins]


@pytest.mark.parametrize(
    ("variables", "address"),
    [
        ({}, ""),
        ({"SERVED_HERE": "http://localhost:8520"}, "http://localhost:8520"),
        ({"ALLOWED_HOSTS": ".example.org,www.example.org"}, "https://example.org"),
        ({**PRODUCTION, "SERVED_HERE": "http://localhost:8520"}, "https://example.org"),
        ({"PUBLIC_ADDRESS": "http://localhost:9000/"}, "http://localhost:9000"),
        ({**PRODUCTION, "PUBLIC_ADDRESS": "https://[::7]:8443"}, "https://[::7]:8443"),
    ],
    ids=[
        "this machine",
        "what `run` serves",
        "others",
        "others whom `run` serves",
        "a port of its own",
        "another than the first host",
    ],
)
def test_links_in_letters_begin_with_the_address_of_the_settings(setting, variables, address):
    assert setting("PUBLIC_ADDRESS", **variables) == [address]


@pytest.mark.parametrize(
    ("variables", "local", "trusted"),
    [
        ({}, True, []),
        ({"ALLOWED_HOSTS": "example.org"}, False, ["127.0.0.0/8", "::1/128"]),
        ({"TRUSTED_PROXIES": "10.0.0.5, 10.1.0.0/16"}, False, ["10.0.0.5/32", "10.1.0.0/16"]),
    ],
    ids=["this machine", "others", "a proxy"],
)
def test_whoever_is_behind_a_proxy_serves_more_than_this_machine(python, variables, local, trusted):
    program = "import json; from config import settings as s; "
    program += "print(json.dumps([s.LOCAL, list(map(str, s.TRUSTED_PROXIES))]))"

    done = python("-c", program, SECRET_KEY=KEY, **variables)

    assert json.loads(done.stdout) == [local, trusted]


def test_every_name_of_a_host_is_not_a_host(python):
    done = python("-c", "import config.settings", SECRET_KEY=KEY, ALLOWED_HOSTS="example.org,*")

    *_, reason = done.stderr.strip().splitlines()
    assert reason == f"{REFUSED}: ALLOWED_HOSTS=example.org,*: name the hosts, * is not one."


ASK_AS_RUN_DOES = """
import threading
from wsgiref.simple_server import WSGIRequestHandler, make_server

from config.run import Health
from config.wsgi import application

WSGIRequestHandler.log_message = lambda *_: None
server = make_server("127.0.0.1", 0, application)
threading.Thread(target=server.serve_forever, daemon=True).start()
health = Health(server.server_port)
health.ask()
print(health.status)
"""


@pytest.mark.full
@pytest.mark.parametrize("hosts", ["", ".example.org,www.example.org", "[2001:db8::7]"])
def test_the_start_may_ask_how_it_is_whatever_hosts_are_served(python, hosts, tmp_path):
    shutil.copyfile(kept(), tmp_path / "razbor.sqlite3")

    done = python("-c", ASK_AS_RUN_DOES, SECRET_KEY=KEY, ALLOWED_HOSTS=hosts)

    assert done.stdout == "200\n"


def test_passwords_are_kept_with_argon2(setting):
    (hashers,) = setting("PASSWORD_HASHERS")

    assert hashers == ["django.contrib.auth.hashers.Argon2PasswordHasher"]


@pytest.mark.parametrize(
    ("address", "engine", "name"),
    [
        ("sqlite:////srv/razbor.sqlite3", "config.sqlite", "/srv/razbor.sqlite3"),
        ("postgres://u:p%40ss@db:5433/razbor", "config.postgresql", "razbor"),
        ("postgresql://u@db/razbor", "config.postgresql", "razbor"),
    ],
)
def test_the_database_is_the_one_of_the_address(setting, address, engine, name):
    (databases,) = setting("DATABASES", DATABASE_URL=address)

    database = databases["default"]
    assert (database["ENGINE"], database["NAME"]) == (engine, name)
    assert database["PASSWORD"] == ("p@ss" if "p%40ss" in address else "")


def test_the_key_kept_in_a_file_is_used_when_none_is_given(python, tmp_path):
    (tmp_path / "secret_key").write_text(f"{KEY}\n", encoding="ascii")

    done = python("-c", "from config import settings; print(settings.SECRET_KEY)")

    assert done.stdout.strip() == KEY


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("DATABASE_URL", "mysql://u:hunter2@h/n"),
        ("DATABASE_URL", "postgres://u:hunter2/9@h/n"),
        ("BROKER_URL", "redis://u:hunter2/9@h/0"),
    ],
)
def test_a_refused_setting_is_told_without_telling_its_secret(python, name, address):
    done = python("-c", "import config.settings", SECRET_KEY=KEY, **{name: address})

    *_, reason = done.stderr.strip().splitlines()
    assert reason.startswith(f"{REFUSED}: {name}")
    assert "hunter2" not in done.stderr


def test_an_address_without_its_brackets_is_refused_with_them(python):
    done = python("-c", "import config.settings", SECRET_KEY=KEY, ALLOWED_HOSTS="::1")

    *_, reason = done.stderr.strip().splitlines()
    assert reason == f"{REFUSED}: ALLOWED_HOSTS=::1: write [::1], in square brackets."
