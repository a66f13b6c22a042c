"""R2: where the broker is a folder, a killed process of the pool is followed by one that works."""

from __future__ import annotations

import pytest

KILLED_AT_REST = """
    import os, signal, sys, time
    from billiard.exceptions import TimeoutError
    from billiard.pool import Pool
    from config.pool import TurnsPool

    made, patience = {"ours": TurnsPool, "celery's": Pool}[sys.argv[1]], int(sys.argv[2])
    pool = made(2)
    try:
        for _ in range(5):
            pool.apply_async(os.getpid).get(timeout=patience)
            time.sleep(0.2)
            hands = {process.pid for process in pool._pool}
            for hand in hands:
                os.kill(hand, signal.SIGKILL)
            while hands & {process.pid for process in pool._pool}:
                time.sleep(0.05)
    except TimeoutError:
        print("stuck", flush=True)
    else:
        print("works", flush=True)
    os.killpg(0, signal.SIGKILL)
"""
IN_A_GROUP = "    import os; os.setsid()\n"


@pytest.mark.parametrize(
    ("pool", "patience", "state"), [("ours", 30, "works"), ("celery's", 3, "stuck")]
)
def test_a_process_killed_at_rest_leaves_the_pool_at_work(start, said, pool, patience, state):
    program = start(IN_A_GROUP + KILLED_AT_REST, pool, patience)
    program.wait(200)

    assert said(program).splitlines()[-1] == state
