"""One rebuild, which begins with a line on the standard input; `python -m tests.benchmarks.cells` runs several."""

import asyncio
import sys

from tests.benchmarks.reports import rebuild

if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    asyncio.run(rebuild(sys.argv[1]))
