"""`manage.py bench [PART ...]`: times of what people wait for, as ratios against a peer."""

from __future__ import annotations

import os
import platform
import sys

import django


def main(parts: list[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    # Imports wait for the settings.
    from tests.bench import cores, screen  # noqa: PLC0415
    from tests.bench.timing import HEAD, measure  # noqa: PLC0415

    unknown = set(parts) - {"cores", "screen"}
    if unknown:
        sys.stderr.write(f"No such part: {', '.join(sorted(unknown))}. Use cores or screen.\n")
        return 2
    sys.stdout.write(f"Python {platform.python_version()}, {os.cpu_count()} cores\n{HEAD}\n")
    if not parts or "cores" in parts:
        for case in cores.cases():
            sys.stdout.write(f"{measure(case)}\n")
    if not parts or "screen" in parts:
        with screen.database():
            for case in screen.cases():
                sys.stdout.write(f"{measure(case)}\n")
            sys.stdout.writelines(f"{line}\n" for line in screen.sizes())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
