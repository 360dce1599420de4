"""The embedded PostgreSQL for its users: started by the first, stopped by the last."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Self

import psutil
from attrs import define, field
from psycopg import pq

from footfall.adapters.embedded.account import SystemAccount, account_for
from footfall.adapters.embedded.closed_directories import reached
from footfall.adapters.embedded.cluster import prepare_cluster
from footfall.adapters.embedded.directories import inherit_owner, own_directory
from footfall.adapters.embedded.errors import EmbeddedPostgresError, told_in_one_line
from footfall.adapters.embedded.layout import StoreLayout
from footfall.adapters.embedded.locks import SharedUse, exclusively
from footfall.adapters.embedded.postmaster import (
    clear_remains,
    end,
    find_postmaster,
    is_alive,
    last_words,
    launch,
    says_ready,
    wait_until,
)
from footfall.adapters.embedded.supervisor import Supervisor

_log = logging.getLogger(__name__)


def _layout_of(data_dir: Path) -> StoreLayout:
    return StoreLayout(data_dir.resolve())


@define(eq=False)
class EmbeddedPostgres:
    """A PostgreSQL below a data directory, shared by every process that uses the directory.

    The first process starts it, later ones connect, and the last one stops it. A server
    that a killed process left behind is taken over. `patience` (seconds) bounds how long a start may take,
    the recovery after a crash included. Not for Windows.
    """

    _layout: StoreLayout = field(alias="data_dir", converter=_layout_of)
    _patience: float = field(default=300.0, kw_only=True)
    _account_for: Callable[[Path], SystemAccount] = field(default=account_for, kw_only=True)
    _use: SharedUse = field(init=False)
    _user: int | None = field(default=None, init=False)
    _postmaster: psutil.Process | None = field(default=None, init=False)
    _supervisor: Supervisor | None = field(default=None, init=False)
    _stopping: bool = field(default=False, init=False)

    @_use.default
    def _users_of_the_directory(self) -> SharedUse:
        return SharedUse(self._layout.home / "users.lock")

    @property
    def url(self) -> str:
        """The connection URL for the role and database `footfall`; it holds no secret and never changes."""
        return self._layout.url()

    @property
    def data_directory(self) -> Path:
        """PostgreSQL's own data directory."""
        return self._layout.cluster

    @property
    def log_directory(self) -> Path:
        """The directory of PostgreSQL's logs, a file for each day of the week."""
        return self._layout.log

    @property
    def pid(self) -> int | None:
        """The id of PostgreSQL's main process, if it runs."""
        process = find_postmaster(self._layout.cluster)
        return process.pid if process else None

    @property
    def is_running(self) -> bool:
        """Whether it answers; asks it each time."""
        return self._ping() is pq.Ping.OK

    def start(self) -> None:
        """Begin to use it: returns when it answers, and starts it for that if need be.

        Raises:
            EmbeddedPostgresError: it does not start.

        """
        if self._use.begun:
            return
        with told_in_one_line(self._layout.data_dir):
            own_directory(self._layout.data_dir)
            own_directory(self._layout.home)
            inherit_owner(self._layout.home)
        with self._alone():
            self._use.begin()
            self._user, self._stopping = os.getpid(), False
            try:
                self._bring_up()
            except BaseException:
                self._leave()
                raise

    def stop(self) -> None:
        """End the use, and stop it if this was the last one; does nothing in a process that was forked since.

        Raises:
            EmbeddedPostgresError: it does not stop.

        """
        if self._user != os.getpid():
            return
        self._stopping = True
        if self._supervisor:
            self._supervisor.stop()
            self._supervisor = None
        with self._alone():
            self._leave()

    def supervise(self) -> None:
        """Watch over it from a thread of this process until `stop`: when it ends, it is started again."""
        self._supervisor = Supervisor(
            alive=self._is_alive, revive=self._revive, failure=EmbeddedPostgresError
        )
        self._supervisor.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        lock: AbstractContextManager[None] = exclusively(
            self._layout.home / "start.lock", within=self._patience
        )
        with told_in_one_line(self._layout.data_dir), lock:
            yield

    def _leave(self) -> None:
        self._user = None
        # One that was launched an instant ago is not to be found yet.
        process = find_postmaster(self._layout.cluster) or self._postmaster
        if self._use.end() and process and is_alive(process):
            end(process)

    def _is_alive(self) -> bool:
        return self._postmaster is not None and is_alive(self._postmaster)

    def _revive(self) -> None:
        with self._alone():
            _log.warning("The embedded PostgreSQL ended unexpectedly; starting it again")
            self._bring_up()

    def _bring_up(self) -> None:
        self._postmaster = find_postmaster(self._layout.cluster)
        if self._postmaster and self._becomes_ready(self._postmaster):
            return
        with reached(self._layout, self._account_for(self._layout.data_dir)) as (layout, account):
            prepare_cluster(layout, account)
            clear_remains(self._layout)
            self._postmaster = launch(layout, account)
        if self._postmaster and self._becomes_ready(self._postmaster):
            return
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL did not start{last_words(self._layout.log)}; "
            f"look into the logs in {self._layout.log}"
        )

    def _becomes_ready(self, process: psutil.Process) -> bool:
        wait_until(lambda: self._stopping or self._accepts() or not is_alive(process), self._patience)
        if self._accepts() or not is_alive(process):
            return is_alive(process)
        waited = (
            "is stopped while it starts" if self._stopping else f"is not ready after {self._patience:.0f} s"
        )
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL (process {process.pid}) {waited}; "
            f"look into the logs in {self._layout.log}"
        )

    def _accepts(self) -> bool:
        return says_ready(self._layout.cluster) and self.is_running

    def _ping(self) -> pq.Ping:
        return pq.Ping(pq.PGconn.ping(self._layout.url(connect_timeout=2).encode()))
