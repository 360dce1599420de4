"""Refusals and failures of the embedded PostgreSQL, each in one line for the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import SubprocessError

import psutil


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot run; the text is one line that names the remedy."""


class DataDirectoryInUse(EmbeddedPostgresError):
    """Another process serves the data directory; `pid` is that process, if it is known."""

    def __init__(self, data_dir: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{data_dir} is served by {holder} already; "
            "stop it first, or set FOOTFALL_DATA_DIR to another directory"
        )
        self.pid = pid


@contextmanager
def told_in_one_line(data_dir: Path) -> Iterator[None]:
    """Turn failures of the operating system inside the block into an EmbeddedPostgresError."""
    try:
        yield
    except (OSError, SubprocessError, psutil.Error) as error:
        raise EmbeddedPostgresError(f"Cannot run the embedded PostgreSQL in {data_dir}: {error}") from error
