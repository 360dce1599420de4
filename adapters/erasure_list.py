"""The list of erasures in a file: a line for each, added and never changed (docs/operate/backup.md#erasures)."""

import fcntl
import json
import os
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

from attrs import field, frozen

from footfall.application.ports.erasure_list import ListedErasure
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.exceptions import DomainError

FILE = "erasures.log"


class ListUnreadable(DomainError):
    """A file is no list of erasures, or damaged."""


@frozen
class WrittenList:
    """What a list holds: erasures, each with the check of the secret that its digests were made with."""

    erasures: tuple[tuple[str, ListedErasure], ...] = ()
    # Those of all secrets that the list was kept with; the last one is that of the lines to come.
    checks: tuple[str, ...] = ()

    @property
    def check(self) -> str | None:
        """The check of the secret of the lines to come."""
        return self.checks[-1] if self.checks else None

    @property
    def names(self) -> set[str]:
        """The names of the erasures."""
        return {erasure.name for _, erasure in self.erasures}


@frozen
class ErasureListFile:
    """ErasureList in a file that processes share; `check` is that of the secret that makes digests."""

    _path: Path
    _check: str = field(repr=False)

    def add(self, erasures: Iterable[ListedErasure]) -> None:
        """Add, durably, those that it lacks."""
        try:
            with closing(_opened(self._path)) as file:
                self._add(file, erasures)
        except (OSError, ListUnreadable) as fault:
            reason = getattr(fault, "strerror", None) or str(fault)
            raise StoreUnavailable(f"the list of erasures cannot be written: {reason}") from None

    def _add(self, file: BinaryIO, erasures: Iterable[ListedErasure]) -> None:
        content = file.read()
        written = read_list(content, torn=True)
        names = written.names
        lines = [] if written.check == self._check else [{"secret": self._check}]
        lines += [_line(erasure) for erasure in erasures if erasure.name not in names]
        # A process that was killed may have left a part of a line.
        file.seek(len(whole_lines(content)))
        file.truncate()
        file.write("".join(f"{json.dumps(line)}\n" for line in lines).encode())
        file.flush()
        # Also for lines of a process that came no further.
        os.fsync(file.fileno())


def read_list(content: bytes, *, torn: bool = False) -> WrittenList:
    """Return what a list holds; with `torn` the last line may lack its end.

    Raises:
        ListUnreadable: it is no such list, or damaged.

    """
    whole = whole_lines(content)
    if whole != content and not torn:
        raise ListUnreadable(
            "the list of erasures lacks its end: copy it again, or remove its last line if that was only begun"
        )
    erasures, checks = list[tuple[str, ListedErasure]](), list[str]()
    try:
        for line in map(json.loads, whole.splitlines()):
            if "secret" in line:
                checks.append(str(line["secret"]))
            else:
                erasures.append((checks[-1], _erasure(line)))
    except (LookupError, ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ListUnreadable("the file is no list of erasures, or damaged") from None
    return WrittenList(tuple(erasures), tuple(checks))


def whole_lines(content: bytes) -> bytes:
    """Return a list without a last line that lacks its end."""
    return content[: content.rfind(b"\n") + 1]


def _opened(path: Path) -> BinaryIO:
    """Open the file of the list, made when it is missing, for this process alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "r+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        if is_new:
            _settle(path)
    except BaseException:
        file.close()
        raise
    return file


def _settle(path: Path) -> None:
    """Make the entry of a new file durable; a command of root leaves it to the owner of the directory."""
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if os.geteuid() == 0:
            around = os.fstat(directory)
            os.chown(path, around.st_uid, around.st_gid, follow_symlinks=False)
        os.fsync(directory)
    finally:
        os.close(directory)


def _line(erasure: ListedErasure) -> dict[str, Any]:
    own = {"site": erasure.site_id, "at": erasure.at.isoformat()}
    if erasure.erasure is None:
        return own
    return {"visitor": str(erasure.erasure), **own, "selectors": list(erasure.selectors)}


def _erasure(line: dict[str, Any]) -> ListedErasure:
    return ListedErasure(
        site_id=int(line["site"]),
        at=datetime.fromisoformat(line["at"]),
        erasure=UUID(line["visitor"]) if "visitor" in line else None,
        selectors=tuple(map(str, line.get("selectors", ()))),
    )
