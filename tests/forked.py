"""`footfall` forked from one process that has imported it: to import it is two thirds of a start of the service."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

# One process of each test process, whose forks are the commands.
FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(
    [
        "footfall.entrypoints.cli",
        # What `serve` alone imports.
        "footfall.entrypoints.composition.bootstrap",
        "tests.integration.sources.preloaded",
    ]
)


class Forked:
    """A running command in a session of its own, with the methods of `subprocess.Popen` that tests use."""

    def __init__(
        self, arguments: list[str], *, env: dict[str, str], output: Path, errors: Path | None = None
    ) -> None:
        # One that a test leaves running is ended with the tests, which would else wait for its end.
        self._process = FORKING.Process(
            target=_run, args=(arguments, env, output, errors or output), daemon=True
        )
        self._process.start()
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The status of a command that has ended; a signal that has ended it is negative."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Return the status of a command that has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the command.

        Raises:
            subprocess.TimeoutExpired: it runs on.

        """
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("footfall", timeout)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the command has ended."""
        if self._process.exitcode is None:
            # It may end between the question and the signal.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the command."""
        self.send_signal(signal.SIGKILL)


def completed(
    arguments: list[str], *, env: dict[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end.

    Raises:
        subprocess.TimeoutExpired: it has been killed, since it took too long.

    """
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder) / "output", Path(folder) / "errors"
        command = Forked(arguments, env=env, output=output, errors=errors)
        try:
            status = command.wait(timeout)
        finally:
            command.kill()
        return subprocess.CompletedProcess(arguments, status, output.read_text(), errors.read_text())


def _run(arguments: list[str], environment: dict[str, str], *streams: Path) -> None:
    """Become the process of a command that appends its output, and its errors, to files."""
    os.setsid()
    for number, path in enumerate(streams, start=1):
        written = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.dup2(written, number)
        os.close(written)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = ["footfall", *arguments]
    from footfall.entrypoints import main  # noqa: PLC0415 - imported before the fork

    main()
