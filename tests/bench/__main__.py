"""`manage.py bench [PART ...]`: times of what people wait for, as ratios against a peer."""

from __future__ import annotations

import os
import platform
import sys

import django


def main(parts: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Chromium has an event loop in this thread
    django.setup()
    # Imports wait for the settings.
    from tests.bench import (  # noqa: PLC0415
        browser,
        comparison,
        cores,
        qac,
        schemes,
        screen,
        space2022,
    )
    from tests.bench.timing import HEAD, measure  # noqa: PLC0415

    if parts[:1] == ["peers"]:
        from tests.bench import peers  # noqa: PLC0415 - other tools have to run for it

        addresses = dict(each.split("=", 1) for each in parts[1:])
        sys.stdout.writelines(f"{each}\n" for each in peers.figures(addresses))
        return 0
    unknown = sorted(set(parts) - {"cores", "screen", "browser"})
    if unknown:
        sys.stderr.write(f"No such part: {', '.join(unknown)}. Use cores, screen or browser.\n")
        return 2
    sys.stdout.write(f"Python {platform.python_version()}, {os.cpu_count()} cores\n{HEAD}\n")
    if not parts or "cores" in parts:
        for case in (*cores.cases(), *schemes.cases(), *qac.cases(), *space2022.cases()):
            sys.stdout.write(f"{measure(case)}\n")
    if not parts or "screen" in parts:
        with screen.database():
            for case in (*screen.cases(), *comparison.cases()):
                sys.stdout.write(f"{measure(case)}\n")
            sys.stdout.writelines(f"{line}\n" for line in screen.sizes())
    if not parts or "browser" in parts:
        sys.stdout.writelines(f"{each}\n" for each in browser.figures())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
