"""The main process of PostgreSQL: finding, starting and ending it, and clearing the remains of a killed one."""

import errno
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

from footfall.adapters.embedded.account import SystemAccount
from footfall.adapters.embedded.errors import EmbeddedPostgresError
from footfall.adapters.embedded.layout import StoreLayout
from footfall.adapters.embedded.programs import ENVIRONMENT, program_for

POLL = 0.01  # seconds
_PATIENCE = 30.0  # seconds for a shutdown that writes everything out
_SHORT_PATIENCE = 10.0  # seconds for one that does not

# Double-forked, so that any later process can supervise it, and gunicorn has no foreign child to reap.
_IN_THE_BACKGROUND = '"$@" </dev/null >"$0" 2>&1 & echo $!'


def find_postmaster(cluster: Path) -> psutil.Process | None:
    """Return the running main process that a cluster names, if there is one.

    A process is believed only when it is a PostgreSQL that works in the cluster: process ids are used again.
    """
    try:
        pid = int((cluster / "postmaster.pid").read_text().split("\n", 1)[0])
        process = psutil.Process(pid)
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return None
    return process if _works_in(process, cluster) else None


def says_ready(cluster: Path) -> bool:
    """Tell whether the main process says that it accepts connections; asking it before would fill its log."""
    try:
        return (cluster / "postmaster.pid").read_text().rstrip().endswith("ready")
    except FileNotFoundError:
        return False


def launch(layout: StoreLayout, account: SystemAccount) -> psutil.Process | None:
    """Start the main process in a session of its own; None when it ended at once."""
    command = (
        program_for(account, "postgres"),
        "-D",
        layout.cluster,
        "-c",
        f"config_file={layout.configuration}",
    )
    shell = ("/bin/sh", "-c", _IN_THE_BACKGROUND, layout.log / "start.log", *command)
    done = subprocess.run(  # noqa: S603 -- paths are arguments of the script, never a part of it
        shell,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        cwd=layout.home,
        env=ENVIRONMENT,
        umask=0o077,
        start_new_session=True,
        **account.launch_options(),
    )
    try:
        return psutil.Process(int(done.stdout))
    except psutil.NoSuchProcess:
        return None


def is_alive(process: psutil.Process) -> bool:
    """Tell whether a process runs: not ended, not a zombie, not another one with its id."""
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def end(process: psutil.Process) -> None:
    """End PostgreSQL: everything written out if it can, else at once, for the next start to recover.

    Raises:
        EmbeddedPostgresError: it would not end.

    """
    if _signal([process], signal.SIGINT, _PATIENCE) or _signal([process], signal.SIGQUIT, _SHORT_PATIENCE):
        return
    raise EmbeddedPostgresError(f"PostgreSQL (process {process.pid}) does not end; end it yourself")


def clear_remains(layout: StoreLayout) -> None:
    """Remove the remains of a killed main process: sessions that continue without it, and files with its id.

    Sessions hold the shared memory that a new server needs for itself. They are ended: uncommitted changes
    were never acknowledged, and the next start replays committed ones from the log.

    Raises:
        EmbeddedPostgresError: a process that this one cannot see listens at the socket.

    """
    sessions = [process for process in psutil.process_iter() if _works_in(process, layout.cluster)]
    if not _signal(sessions, signal.SIGQUIT, _SHORT_PATIENCE):
        _signal(sessions, signal.SIGKILL, _SHORT_PATIENCE)
    if _is_listened_on(layout.socket):
        raise EmbeddedPostgresError(
            f"A process out of sight answers at {layout.socket}, but not as PostgreSQL does; "
            "does another container use this data directory?"
        )
    # PostgreSQL trusts these files when any process has the id in them, even an unrelated one or a zombie.
    (layout.cluster / "postmaster.pid").unlink(missing_ok=True)
    layout.socket.with_name(f"{layout.socket.name}.lock").unlink(missing_ok=True)


def wait_until(true: Callable[[], bool], within: float) -> bool:
    """Wait for something to become true, at most `within` seconds; return whether it did."""
    deadline = time.monotonic() + within
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL)
    return True


def _works_in(process: psutil.Process, cluster: Path) -> bool:
    try:
        return process.name() == "postgres" and is_alive(process) and process.cwd() == str(cluster.resolve())
    except psutil.Error:
        return False


def _signal(processes: Sequence[psutil.Process], number: signal.Signals, within: float) -> bool:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)
    return wait_until(lambda: not any(map(is_alive, processes)), within)


def _is_listened_on(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ECONNREFUSED}:
                return False
            raise
        return True


def last_words(log: Path) -> str:
    """Return what the logs of the last attempt say about its failure, in parentheses, if anything."""
    newest_first = sorted(log.glob("*.log"), key=lambda file: file.stat().st_mtime, reverse=True)
    for path in newest_first[:2]:
        attempt = path.read_text(encoding="utf-8", errors="replace").rpartition("LOG:  starting ")[2]
        for line in reversed(attempt.splitlines()):
            if _tells_of_failure(line):
                return f" ({line.partition(': ')[2].strip()})"
    return ""


def _tells_of_failure(line: str) -> bool:
    # A connection that comes too early causes a line of the same kind, which explains no failure.
    fatal = ("FATAL:" in line and "FATAL:  the database system is" not in line) or "PANIC:" in line
    return fatal or line.startswith("postgres:")
