"""Where tests keep stores that may go with the machine."""

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path

_MEMORY = "/dev/shm"
_ROOM = 4 << 30


@functools.cache
def folder_of_stores() -> str:
    """Return a folder in memory, where there is room, else that of temporary files.

    Making and dropping a test database takes half of the time there, and nothing waits for a disk.
    Both paths are short enough for sockets, and open to the user that runs PostgreSQL below root.
    """
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ROOM:
        return _MEMORY
    return "/tmp"


def folder_of_process() -> Path:
    """Return a new folder, which goes with this process."""
    folder = Path(tempfile.mkdtemp(prefix="footfall-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
