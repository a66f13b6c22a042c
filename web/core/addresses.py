"""Network addresses: whose they are, and what of them one visitor may choose."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

PORTED: Final = re.compile(r"(?:\[(?P<six>[^][]+)\]|(?P<four>[0-9.]+))(?::[0-9]{1,5})?")


def read_address(written: str) -> str | None:
    """The address a proxy wrote, as it is kept: without its port, of IPv4 where it can be.

    ``None`` when it is none.
    """
    ported = PORTED.fullmatch(written)
    address = address_of(ported["six"] or ported["four"] if ported else written)
    return None if address is None else str(address)


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """The address, of IPv4 also where it is written as one of IPv6; ``None`` when it is none."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_within(text: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Is this an address of one of the networks?"""
    found = address_of(text)
    return found is not None and any(found in network for network in networks)


def network_of(text: str) -> str:
    """What one visitor may choose addresses from: of IPv6, 64 bits."""
    address = address_of(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return str(address or text)
