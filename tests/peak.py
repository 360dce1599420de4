"""Peak memory of a command of `footfall`."""

import subprocess
import sys
from collections.abc import Mapping

# Told by the process itself at its end: what the kernel adds up for a parent begins with the size of the parent.
_PROGRAM = """
import sys
from footfall.entrypoints import main
try:
    main()
finally:
    [line] = [line for line in open("/proc/self/status") if line.startswith("VmHWM:")]
    print(line, file=sys.stderr)
"""


def peak_of(*arguments: str, environment: Mapping[str, str]) -> int:
    """Run the command and return the most memory that it had resident, in KiB (Linux)."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    [line] = [line for line in done.stderr.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1])
