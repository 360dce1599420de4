"""What the embedded PostgreSQL refuses or fails to do, in one line for whoever typed the command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import SubprocessError

import psutil


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot do what was asked; the text is one line that says what to do."""


class DataDirectoryInUse(EmbeddedPostgresError):
    """Another process serves the data directory; `pid` is that process, as far as it said so."""

    def __init__(self, data_dir: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{data_dir} is served by {holder} already; "
            "stop it first, or set FOOTFALL_DATA_DIR to another directory"
        )
        self.pid = pid


@contextmanager
def told_in_one_line(data_dir: Path) -> Iterator[None]:
    """Turn what the operating system refuses inside the block into an EmbeddedPostgresError."""
    try:
        yield
    except (OSError, SubprocessError, psutil.Error) as error:
        raise EmbeddedPostgresError(f"Cannot run the embedded PostgreSQL in {data_dir}: {error}") from error
