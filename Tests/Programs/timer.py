#!/usr/bin/env python3
"""Waits on asyncio's timer, then gets a URL.

    timer.py SECONDS URL

Prints how long the wait took by the monotonic clock and by the wall clock, in whole seconds, and the
body of the answer.
"""

import asyncio
import sys
import time
import urllib.request


async def wait(seconds: float) -> None:
    monotonic, wall = time.monotonic(), time.time()
    await asyncio.sleep(seconds)
    elapsed = round(time.monotonic() - monotonic)
    print(f"waited {elapsed} s, the wall clock says {round(time.time() - wall)} s", flush=True)


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: timer.py SECONDS URL", file=sys.stderr)
        return 2
    asyncio.run(wait(float(sys.argv[1])))
    with urllib.request.urlopen(sys.argv[2]) as response:
        print(response.read().decode().rstrip("\n"), flush=True)
    return 0


sys.exit(main())
