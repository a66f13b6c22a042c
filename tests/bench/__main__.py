"""`manage.py bench [PART ...]`: times of what people wait for, as ratios against a peer."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator

import django


def main(parts: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Chromium has an event loop in this thread
    django.setup()
    # Imports wait for the settings.
    from tests.bench import (  # noqa: PLC0415
        browser,
        cores,
        jobs,
        planning,
        qac,
        schemes,
        serving,
        space2022,
    )
    from tests.bench.timing import HEAD, measure  # noqa: PLC0415

    if parts[:1] == ["peers"]:
        from tests.bench import peers  # noqa: PLC0415 - other tools have to run for it

        addresses = dict(each.split("=", 1) for each in parts[1:])
        sys.stdout.writelines(f"{each}\n" for each in peers.figures(addresses))
        return 0
    measured = {
        "cores": lambda: (
            measure(case)
            for case in (*cores.cases(), *schemes.cases(), *qac.cases(), *space2022.cases())
        ),
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

    with screen.database():
        for case in desk.cases():
            yield measure(case)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
