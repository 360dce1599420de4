"""Ways of PostgreSQL's account to directories that are closed to it, whose permissions stay as they are."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import evolve

from footfall.adapters.embedded.account import SystemAccount
from footfall.adapters.embedded.errors import EmbeddedPostgresError
from footfall.adapters.embedded.layout import StoreLayout

OPEN_FILES = Path("/proc/self/fd")


@contextmanager
def reached(
    layout: StoreLayout, account: SystemAccount, open_files: Path = OPEN_FILES
) -> Iterator[tuple[StoreLayout, SystemAccount]]:
    """Lend the layout by paths that the account can use, and the account with what its processes need for that.

    Where the account may not enter a directory above, as below `/root`, its processes inherit an open descriptor of
    PostgreSQL's own directory: Linux follows a path through it without asking the directories above.

    Raises:
        EmbeddedPostgresError: the system has no such paths.

    """
    if account.may_pass_to(layout.cluster):
        yield layout, account
        return
    if not open_files.is_dir():
        raise EmbeddedPostgresError(_refusal(layout, account))
    handle = os.open(layout.home, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield evolve(layout, home=open_files / str(handle)), evolve(account, handles=(handle,))
    finally:
        os.close(handle)


def _refusal(layout: StoreLayout, account: SystemAccount) -> str:
    closed = next(parent for parent in layout.cluster.parents if not account.may(1, parent))
    return (
        f"PostgreSQL runs as {account.name}, which may not enter {closed}; run chmod o+x {closed}, "
        "or set FOOTFALL_DATA_DIR to a directory that is open to it, such as /var/lib/footfall"
    )
