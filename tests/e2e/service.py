"""A real service: the installed command, gunicorn, workers, and the embedded store."""

import atexit
import contextlib
import functools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
from attrs import define, field

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.embedded.postmaster import find_postmaster
from tests.commands import commands
from tests.forked import Forked, completed
from tests.ports import free_port
from tests.processes import children_of, runs_as, signal_all
from tests.stores.folders import folder_of_stores
from tests.waiting import LONG, wait_until

COMMAND = [sys.executable, "-m", "footfall.entrypoints"]
READY_SECONDS = 300
COMMAND_SECONDS = 120


@define
class Service:
    """`footfall serve` on a data directory of its own."""

    data_dir: Path
    environment: dict[str, str] = field(factory=dict)
    port: int = field(factory=free_port)
    process: subprocess.Popen | Forked | None = None
    command: list[str] = field(factory=lambda: COMMAND)
    # Whether it begins as a fork of a process that has imported it, and not with its command, as for benchmarks.
    is_forked: bool = field(factory=lambda: "PYTEST_VERSION" in os.environ)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables of Footfall that the service and its commands have."""
        return {"FOOTFALL_DATA_DIR": str(self.data_dir), "FOOTFALL_WORKERS": "2", **self.environment}

    @property
    def process_environment(self) -> dict[str, str]:
        """The environment of this process with the settings of the service instead of its own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FOOTFALL_")}
        return kept | self.settings

    @property
    def log(self) -> Path:
        return self.data_dir.with_name(self.data_dir.name + ".log")

    def start(self) -> None:
        serving = ["serve", "--port", str(self.port)]
        if self._forks:
            self.process = Forked(serving, env=self.process_environment, output=self.log)
        else:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    [*self.command, *serving],
                    env=self.process_environment,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        self.wait_until_ready()

    def wait_until_ready(self, seconds: float = READY_SECONDS) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"the service ended:\n{self.output()}")
            with contextlib.suppress(OSError):
                if self.get("/readyz")[0] == 200:
                    return
            time.sleep(0.02)
        raise AssertionError(f"the service is not ready:\n{self.output()}")

    def stop(self) -> float:
        """Ask the service to end and return how many seconds it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        return time.monotonic() - started

    def kill_everything(self) -> None:
        """Kill the master, its workers and the store at once."""
        master = psutil.Process(self.process.pid)
        signal_all([master, *children_of(master), *self._store()], signal.SIGKILL)
        self.process.wait()
        # A store process that was being started at that moment is visible by now.
        signal_all(self._store(), signal.SIGKILL)

    def workers(self) -> list[psutil.Process]:
        master = psutil.Process(self.process.pid)
        # While the master starts the store, other programs are its children.
        return [child for child in children_of(master) if runs_as(child, master.name())]

    @property
    def cluster(self) -> Path:
        return self.data_dir / "postgres" / "data"

    def postmaster(self) -> psutil.Process:
        """Wait for the main process of the store, which is absent during a restart, and return it."""
        return wait_until(lambda: find_postmaster(self.cluster))

    def run(self, *arguments: str) -> str:
        """Run another command of `footfall` on the same data directory, which must succeed, and return its output."""
        done = self.completed(*arguments)
        done.check_returncode()
        return done.stdout

    def completed(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run another command of `footfall` on the same data directory, in a process of its own."""
        if self._forks:
            return completed(list(arguments), env=self.process_environment, timeout=COMMAND_SECONDS)
        return subprocess.run(
            [*self.command, *arguments],
            env=self.process_environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=COMMAND_SECONDS,
        )

    def administer(self, *arguments: str) -> Any:
        """Run a command on the same data directory in this process, without its start, and return its document."""
        return commands(self.settings)(*arguments, "--json")

    def output(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def first_key(self) -> str:
        return re.search(r"ff_[0-9A-Za-z]{43}", self.output())[0]

    def get(self, path: str, *, key: str | None = None) -> tuple[int, Any]:
        return self.send("GET", path, key=key)

    def send(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def settle(self, site: str = "1") -> None:
        """Wait until the reports of a site hold all stored events; a report itself waits for a second only."""
        headers = {"Authorization": f"Bearer {self.first_key()}"}
        overview = urllib.request.Request(f"{self.base_url}/api/sites/{site}/overview", headers=headers)

        def is_complete() -> bool:
            try:
                with urllib.request.urlopen(overview, timeout=LONG) as response:
                    return "Footfall-Incomplete" not in response.headers
            except urllib.error.HTTPError as refused:
                refused.close()
                if refused.code != 503:
                    raise
                return False

        wait_until(is_complete)

    def positions(self) -> str:
        """Return the positions of an answer about the first site that holds every event."""
        self.settle()
        headers = {"Authorization": f"Bearer {self.first_key()}"}
        overview = urllib.request.Request(f"{self.base_url}/api/sites/1/overview", headers=headers)
        with urllib.request.urlopen(overview, timeout=LONG) as answer:
            return str(answer.headers["Footfall-Positions"])

    def settle_past(self) -> None:
        """Wait until the first site has a past: answers of the seconds around an erasure are taken for earlier ones."""

        def is_given_again() -> bool:
            path = f"/api/sites/1/overview?as_of={quote(self.positions())}"
            return bool(self.send("GET", path, key=self.first_key())[0] == HTTPStatus.OK)

        wait_until(is_given_again)

    @property
    def _forks(self) -> bool:
        return self.is_forked and self.command is COMMAND

    def _store(self) -> list[psutil.Process]:
        postmaster = find_postmaster(self.cluster)
        return [] if postmaster is None else [postmaster, *children_of(postmaster)]


def said(connection: socket.socket, last: bytes) -> bytes:
    """Return the bytes of a connection up to and including these, or up to its end."""
    received = b""
    while last not in received and (piece := connection.recv(4096)):
        received += piece
    return received


def everything(connection: socket.socket) -> bytes:
    """Return the bytes of a connection up to its end."""
    received = b""
    while piece := connection.recv(65_536):
        received += piece
    return received


@contextlib.contextmanager
def running(data_dir: Path, **attributes: Any) -> Iterator[Service]:
    """Run a service for as long as the block lasts; no process of it is left afterwards.

    A data directory that does not exist begins with a copy of an empty cluster, which is faster than `initdb`.
    """
    service = Service(data_dir, **attributes)
    if not data_dir.exists():
        subprocess.run(["cp", "-a", _empty_cluster(), data_dir], check=True)
    try:
        service.start()
        yield service
    finally:
        if service.process is not None and service.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                service.stop()
        if service.process is not None and service.process.poll() is None:
            service.kill_everything()


@functools.cache
def _empty_cluster() -> Path:
    """Make a data directory with a cluster without any table, once for this process."""
    folder = Path(tempfile.mkdtemp(dir=folder_of_stores(), prefix="footfall-cluster-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with EmbeddedPostgres(folder / "data"):
        pass
    return folder / "data"
