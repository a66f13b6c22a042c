"""Reads the environment and refuses bad values by name: a thin face on django-environ."""

from __future__ import annotations

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
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


def env_count(name: str, default: int, most: int = 64) -> int:
    """A whole number from 1 on."""
    value = env_str(name, str(default))
    if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= most):
        raise ImproperlyConfigured(f"{name}={value}: use a number from 1 to {most}.")
    return int(value)


def env_hosts(name: str, default: list[str]) -> list[str]:
    """Hosts separated by commas: names, ``.example.org`` with all below it, addresses."""
    value = env_str(name, ",".join(default))
    hosts = [host.strip() for host in value.split(",")]
    if "*" in hosts:  # any name would do, also one that leads a letter's link elsewhere
        raise ImproperlyConfigured(f"{name}={value}: name the hosts, * is not one.")
    bare = [host for host in hosts if _is_bare_address(host)]
    if bare:
        raise ImproperlyConfigured(f"{name}={value}: write [{bare[0]}], in square brackets.")
    if not all(map(_HOST.fullmatch, hosts)):
        hint = "use host names without scheme or port, separated by single commas."
        raise ImproperlyConfigured(f"{name}={value}: {hint}")
    return hosts


def env_address(name: str, default: str) -> str:
    """Where others find us, such as ``https://example.org``; nothing behind host and port."""
    value = env_str(name, default).rstrip("/")
    if value and not _ADDRESS.fullmatch(value):
        raise ImproperlyConfigured(f"{name}={value}: use https://host or https://host:port.")
    return value


def _is_bare_address(host: str) -> bool:
    """Is this an IPv6 address as no browser writes it?"""
    try:
        return ip_address(host).version == 6
    except ValueError:
        return False


def env_networks(name: str, default: list[str]) -> list[IPv4Network | IPv6Network]:
    """Addresses and networks separated by commas, such as ``192.0.2.7,10.0.0.0/8``."""
    value = env_str(name, ",".join(default))
    try:
        return [ip_network(part.strip()) for part in value.split(",") if value]
    except ValueError:
        hint = "use addresses or networks such as 10.0.0.0/8, separated by single commas."
        raise ImproperlyConfigured(f"{name}={value}: {hint}") from None


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


def env_language(name: str, default: str, known: tuple[str, ...]) -> str:
    """One of the languages there are."""
    value = env_str(name, default)
    if value not in known:
        raise ImproperlyConfigured(f"{name}={value}: use {' or '.join(known)}.")
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


_HOST: Final = re.compile(r"\.?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\]", re.IGNORECASE)
_ADDRESS: Final = re.compile(rf"https?://({_HOST.pattern})(:[0-9]{{1,5}})?", re.IGNORECASE)
_SQLITE: dict[str, Any] = {
    "ENGINE": "config.sqlite",
    "CONN_MAX_AGE": 60,  # opening costs milliseconds: functions, schema, the end of the log
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",  # a writer waits at the door, not in the middle
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
        "PRAGMA cache_size=-8000;",  # KiB; two thousand hold no list of five thousand essays
    },
}
_POSTGRES: dict[str, Any] = {
    "ENGINE": "config.postgresql",
    "CONN_MAX_AGE": 60,
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        "connect_timeout": 5,
        "tcp_user_timeout": 10_000,  # a machine that is gone; of a frozen server: the pulse
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "options": "-c jit=off",  # for a page's statements it takes longer than these do
    },
}
