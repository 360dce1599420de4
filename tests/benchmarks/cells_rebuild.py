"""One rebuild, which begins with a line on the standard input; `tests.benchmarks.cells` runs several at once."""

import asyncio
import sys

from tests.benchmarks.reports import rebuild

if __name__ == "__main__":
    print("ready", flush=True)
    sys.stdin.readline()
    asyncio.run(rebuild(sys.argv[1]))
