"""The command `footfall` on a machine whose clock jumps: by the seconds that the file FOOTFALL_TEST_JUMP holds."""

import os
from datetime import timedelta
from pathlib import Path

from footfall.adapters.system import SystemClock
from footfall.entrypoints import main

steady = SystemClock.now


def now(self):
    return steady(self) + timedelta(seconds=float(Path(os.environ["FOOTFALL_TEST_JUMP"]).read_text()))


SystemClock.now = now
main()
