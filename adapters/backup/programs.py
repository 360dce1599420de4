"""The programs `pg_dump` and `pg_restore`: which one suits a server, and runs without a secret among the arguments."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from attrs import field, frozen
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.adapters.backup.refusal import BackupRefused

_PIECE = 1 << 20
_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
# Those of later versions set a parameter that servers before this one do not know.
_TIMEOUT_SINCE = 17
_INHERITED = ("PATH", "HOME", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")


@frozen
class Program:
    """A program of PostgreSQL, and its major version."""

    path: Path
    major: int


@frozen
class Target:
    """A database, as programs are told of it: what is secret is in the environment only, which others cannot read."""

    environment: Mapping[str, str] = field(repr=False)
    database: str

    @classmethod
    def of(cls, url: str, *, host: str, port: int, database: str) -> "Target":
        """Return the database of a URL at one of its hosts.

        Raises:
            BackupRefused: the URL has a secret that the environment does not take.

        """
        defaults = {option.keyword.decode(): option for option in pq.Conninfo.get_defaults()}
        # The one of several hosts that is the primary; an address of one host is none of another.
        given = {
            name: value for name, value in conninfo_to_dict(url).items() if name not in ("hostaddr", "dbname")
        }
        environment = {
            name: value for name, value in os.environ.items() if name in _INHERITED or name.startswith("PG")
        }
        rest = {"dbname": database}
        for name, value in {**given, "host": host, "port": port}.items():
            option = defaults[name]
            if option.envvar:
                environment[option.envvar.decode()] = str(value)
            elif option.dispchar == b"*":
                raise BackupRefused(
                    f"programs of PostgreSQL cannot be given {name}, which FOOTFALL_DATABASE_URL has"
                )
            else:
                rest[name] = str(value)
        return cls({**environment, "LC_ALL": "C", "TZ": "UTC"}, make_conninfo(**rest))


def found(name: str, *places: Path | None) -> list[Program]:
    """Return the programs of a name that can be run, of these places and then of the PATH."""
    paths = [place for place in places if place is not None]
    on_path = shutil.which(name)
    programs = []
    for path in [*paths, *([Path(on_path)] if on_path else [])]:
        with suppress(OSError, subprocess.SubprocessError):
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=True, timeout=30)  # noqa: S603 -- a program of PostgreSQL
            if version := _VERSION.search(told.stdout):
                programs.append(Program(path, int(version[1])))
    return programs


def to_dump(programs: Sequence[Program], server: int) -> Program:
    """Return the program that dumps a server, best of its own version, which restores to it, too.

    Raises:
        BackupRefused: there is none, or only older ones.

    """
    suitable = [program for program in programs if program.major >= server]
    if suitable:
        return min(suitable, key=lambda program: program.major)
    raise BackupRefused(
        f"a backup of PostgreSQL {server} takes pg_dump {server} or later on the PATH: {_list(programs)}"
    )


def to_restore(programs: Sequence[Program], server: int, dumped_by: int) -> Program:
    """Return the program that restores to a server what a version of `pg_dump` wrote.

    Raises:
        BackupRefused: there is none, or none of a version that suits.

    """
    suitable = [
        program
        for program in programs
        if program.major >= max(server, dumped_by)
        and (server >= _TIMEOUT_SINCE or program.major < _TIMEOUT_SINCE)
    ]
    if suitable:
        return min(suitable, key=lambda program: program.major)
    if server < _TIMEOUT_SINCE <= dumped_by:
        raise BackupRefused(
            f"pg_dump {dumped_by} wrote the backup, which PostgreSQL {server} does not take: restore it to"
            f" PostgreSQL {_TIMEOUT_SINCE} or later, or to the embedded one"
        )
    versions = (
        f"{max(server, dumped_by)} {'or later' if server >= _TIMEOUT_SINCE else f'to {_TIMEOUT_SINCE - 1}'}"
    )
    raise BackupRefused(
        f"restoring to PostgreSQL {server} takes pg_restore {versions} on the PATH: {_list(programs)}"
    )


def dumped(
    program: Program, target: Target, schema: str, snapshot: str, without_rows: Iterable[str]
) -> Iterator[bytes]:
    """Yield the dump of a schema as of an exported snapshot, without the rows of some tables.

    Raises:
        BackupRefused: the program fails.

    """
    left_out = (f"--exclude-table-data={_quoted(schema)}.{_quoted(table)}" for table in without_rows)
    # The program ends with the pipe, also when this process is killed.
    with _running(
        [
            program.path,
            "--format=custom",
            f"--schema={_quoted(schema)}",
            f"--snapshot={snapshot}",
            "--no-owner",
            "--no-privileges",
            *left_out,
            f"--dbname={target.database}",
        ],
        target,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None  # noqa: S101 - a pipe
        while piece := process.stdout.read(_PIECE):
            yield piece


def restored(program: Program, target: Target, schema: str, pieces: Iterable[bytes]) -> None:
    """Restore a dump to an empty schema: whole, or not at all.

    Raises:
        BackupRefused: the program fails, or the dump is damaged.

    """
    with _running(
        [
            program.path,
            "--single-transaction",
            "--exit-on-error",
            "--no-owner",
            "--no-privileges",
            f"--schema={schema}",
            f"--dbname={target.database}",
        ],
        target,
        stdin=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None  # noqa: S101 - a pipe
        # A program that has failed closes the pipe, and tells why itself. It sees the end only of a dump that was read
        # whole, and commits then.
        with suppress(BrokenPipeError):
            for piece in pieces:
                process.stdin.write(piece)
            process.stdin.close()


@contextmanager
def _running(
    arguments: Sequence[Path | str], target: Target, **pipes: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program for the block, and to its end after it."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, **pipes}
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(arguments, env=target.environment, stderr=complaints, **streams)  # type: ignore[call-overload] # noqa: S603 -- a program of PostgreSQL
        except OSError as fault:
            raise BackupRefused(f"{arguments[0]}: {fault.strerror}") from None
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        finally:
            if process.stdout is not None:
                process.stdout.close()
            status = process.wait()
            if process.stdin is not None:
                with suppress(BrokenPipeError):
                    process.stdin.close()
        if status:
            raise BackupRefused(
                f"{Path(arguments[0]).name} failed: {_cause(complaints) or f'exit status {status}'}"
            )


def _cause(complaints: IO[bytes]) -> str:
    """Return the first line that names a cause: others can hold what visitors sent."""
    complaints.seek(0)
    for line in complaints.read(_PIECE).decode("utf-8", "replace").splitlines():
        _, is_cause, cause = line.partition("error: ")
        if is_cause:
            # A row that is refused is told with what it holds.
            return cause.partition(": ERROR")[0] if cause.startswith("COPY") else cause.strip()
    return ""


def _list(programs: Sequence[Program]) -> str:
    return (
        ", ".join(f"{program.path} is version {program.major}" for program in programs) or "none is installed"
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
