"""Reads the environment and refuses bad values by name: a thin face on django-environ."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured


def env_str(name: str, default: str) -> str:
    """A string; an empty one counts as not set."""
    return os.environ.get(name) or default


def env_bool(name: str, default: bool) -> bool:
    """``True`` or ``False``, spelt so."""
    value = env_str(name, str(default))
    if value not in ("True", "False"):
        raise ImproperlyConfigured(f"{name}={value}: use True or False.")
    return value == "True"


def env_seconds(name: str, default: int, least: int = 1) -> int:
    """A whole number of seconds, not fewer than ``least``."""
    value = env_str(name, str(default))
    if not (value.isascii() and value.isdecimal() and least <= int(value) <= 86_400):
        raise ImproperlyConfigured(f"{name}={value}: use seconds, from {least} to 86400.")
    return int(value)


def env_hosts(name: str, default: list[str]) -> list[str]:
    """Hosts separated by commas: names, ``.example.org`` with all below it, addresses, ``*``."""
    value = env_str(name, ",".join(default))
    hosts = [host.strip() for host in value.split(",")]
    if not all(map(_HOST.fullmatch, hosts)):
        hint = "use host names without scheme or port, separated by single commas."
        raise ImproperlyConfigured(f"{name}={value}: {hint}")
    return hosts


def env_database(name: str, default: str) -> dict[str, Any]:
    """A database address: ``sqlite:///path`` or ``postgres://user:password@host:port/name``."""
    value = env_str(name, default)
    scheme, separator, path = value.partition("://")
    if not separator or scheme not in ("sqlite", "postgres", "postgresql"):
        raise ImproperlyConfigured(f"{name}: use sqlite:///path or postgres://user@host/name.")
    try:
        database = environ.Env.db_url_config(value)
    except ValueError:  # its words may repeat a part of the password
        hint = "write special characters as %XX and the port as a number."
        raise ImproperlyConfigured(f"{name} cannot be read: {hint}") from None
    if not (path.strip("/") and database["NAME"]):
        raise ImproperlyConfigured(f"{name} names no database.")
    return {**database, **(_SQLITE if scheme == "sqlite" else _POSTGRES)}


def env_broker(name: str, default: str) -> str:
    """A broker address: ``redis://host:port/0`` or ``filesystem://``."""
    value = env_str(name, default)
    hint = f"{name}: use redis://host:port/0 or filesystem://."
    try:
        address = urlsplit(value)
        host, _port = address.hostname, address.port
    except ValueError:  # its words may repeat a part of the password
        raise ImproperlyConfigured(hint) from None
    if address.scheme not in ("redis", "rediss", "filesystem"):
        raise ImproperlyConfigured(hint)
    if address.scheme != "filesystem" and not host:
        raise ImproperlyConfigured(f"{name} names no host.")
    return value


def env_zone(name: str, default: str) -> str:
    """A time zone of the IANA database, such as ``Europe/Moscow``."""
    value = env_str(name, default)
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):  # not there, no zone, a folder
        raise ImproperlyConfigured(f"{name}={value}: no such time zone.") from None
    return value


def secret_key(name: str, kept: Path) -> str:
    """The key from the environment, or the one ``manage.py run`` made and keeps."""
    key = os.environ.get(name, "")
    if not key and kept.is_file():
        key = kept.read_text(encoding="ascii").strip()
    if len(key) < 32:
        raise ImproperlyConfigured(
            f"{name} is missing or shorter than 32 characters: set it, "
            "or start once with `python3 manage.py run`, which makes one."
        )
    return key


_HOST: Final = re.compile(r"\*|\.?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]", re.IGNORECASE)
_SQLITE: dict[str, Any] = {
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",  # a writer waits at the door, not in the middle
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
}
_POSTGRES: dict[str, Any] = {
    "ENGINE": "django.db.backends.postgresql",
    "CONN_MAX_AGE": 60,
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {"connect_timeout": 5},
}
