"""`manage.py bench [PART ...]`: times of what people wait for, as ratios against a peer."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from itertools import chain

import django


def main(parts: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Chromium has an event loop in this thread
    django.setup()
    # Imports wait for the settings.
    from tests.bench import (  # noqa: PLC0415
        browser,
        bulk,
        cores,
        jobs,
        lines,
        planning,
        qac,
        schemes,
        serving,
        space2022,
    )
    from tests.bench.timing import HEAD, measure  # noqa: PLC0415

    if parts[:1] in (["marking"], ["peers"], ["exchange"]):
        return told(*parts)
    if parts == ["public"]:
        return weighed()
    if parts[:1] in (["runs"], ["reports"]):
        return by_workers(*parts)
    measured = {
        "cores": lambda: (
            measure(case)
            for case in (*cores.cases(), *schemes.cases(), *qac.cases(), *space2022.cases())
        ),
        "bulk": lambda: chain(bulk.figures(), lines.figures()),
        "planning": lambda: (measure(case) for case in planning.cases()),
        "screen": screen_figures,
        "desk": desk_figures,
        "browser": browser.figures,
        "web": serving.figures,
        "jobs": jobs.figures,
    }
    unknown = sorted(set(parts) - set(measured))
    if unknown:
        known = ", ".join(measured)
        sys.stderr.write(f"No such part: {', '.join(unknown)}. There are: {known}.\n")
        return 2
    sys.stdout.write(f"Python {platform.python_version()}, {os.cpu_count()} cores\n{HEAD}\n")
    for part in parts or measured:
        sys.stdout.writelines(f"{line}\n" for line in measured[part]())
    return 0


def told(part: str, *words: str) -> int:
    """Parts that are told something.

    Other tools as ``NAME=address``, ``exchange`` numbers, ``marking`` which of its parts.
    """
    from tests.bench import exchange, marking, peers  # noqa: PLC0415 - they need the settings

    named = dict(each.split("=", 1) for each in words if "=" in each)
    chosen = [each for each in words if "=" not in each]
    sys.stdout.write(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    for line in {"marking": marking, "peers": peers, "exchange": exchange}[part].figures(
        named, *chosen
    ):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


def weighed() -> int:
    """`bench public`: what the public pages of contests weigh on the wire."""
    from tests.bench import public  # noqa: PLC0415 - it needs the settings

    for line in public.figures():
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


def by_workers(part: str, *options: str) -> int:
    """`bench runs [ESSAYS [sqlite|postgres]]`, `bench reports [FILES [sqlite|postgres]]`.

    Their lines come one by one, for they take long.
    """
    from tests.bench import reports, runs  # noqa: PLC0415 - they need the settings

    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    sys.stdout.write(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load} before\n"
    )
    for line in {"runs": runs, "reports": reports}[part].figures(*options):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    return 0


def screen_figures() -> Iterator[object]:
    from tests.bench import comparison, screen  # noqa: PLC0415
    from tests.bench.timing import measure  # noqa: PLC0415

    with screen.database():
        for case in (*screen.cases(), *comparison.cases()):
            yield measure(case)
        yield from screen.sizes()


def desk_figures() -> Iterator[object]:
    from tests.bench import desk, screen  # noqa: PLC0415
    from tests.bench.timing import measure  # noqa: PLC0415

    with screen.database(), screen.uninstrumented():
        for case in desk.cases():
            yield measure(case)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
