"""Access logs that are read as they grow and are rotated (docs/imports/access-logs.md#following-logs)."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, field, frozen

from footfall.adapters.sources.access_log import FORMAT, AccessLogs
from footfall.adapters.sources.reading.file_set import FileSet, identity_of, known_files
from footfall.adapters.sources.reading.line_files import FileMark, LineFile, Place
from footfall.application.ports.imports import Halves, Piece, UnreadableSource

_PACKED = ".gz"


@frozen
class _State:
    """A file as a look finds it; a rename changes none of this, each write does."""

    device: int
    number: int
    size: int
    changed_ns: int


@define
class FollowedLogs:
    """Access logs and what became of them when they were rotated: the same source as these logs when they are imported.

    Of the rotated files those count that were read under their former names, and newer ones.
    """

    _paths: Sequence[Path]
    _domain: str
    format: str = field(default=FORMAT, init=False)
    key: str = field(default="", init=False)
    _places: dict[FileMark, Place] = field(factory=dict, init=False)
    _identities: dict[_State, str | None] = field(factory=dict, init=False)
    # What has been read, or is not to be read, and copies of files that are.
    _settled: set[_State] = field(factory=set, init=False)
    _copies: set[_State] = field(factory=set, init=False)
    _looked_at: dict[Path, _State] = field(factory=dict, init=False)

    @property
    def description(self) -> str:
        """The names of the logs."""
        return AccessLogs(self._paths, self._domain).description

    def total(self) -> int:
        """Return the size of the logs in bytes."""
        return sum(state.size for state in self._files().values())

    def has_changed(self) -> bool:
        """Whether a file was written, or is new, since the last look."""
        return not self._settled | self._copies >= set(self._files().values())

    def was_moved(self) -> bool:
        """Whether a file was renamed, replaced, removed or cut during the last look, which is to be repeated then."""
        now = self._files()
        return any(
            (there := now.get(path)) is None
            or (there.device, there.number) != (before.device, before.number)
            or there.size < before.size
            for path, before in self._looked_at.items()
        )

    def pieces(self, mark: str | None) -> Iterator[Piece]:
        """Yield the requests behind the mark."""
        self._looked_at = self._files()
        chosen = self._chosen(known_files(mark), begun=mark is not None)
        # Copies are looked at again when anything changes: of one of them more may be read than of the other.
        self._copies = {self._looked_at[path] for path, taken in chosen.items() if not taken}
        paths = [path for path, taken in chosen.items() if taken]
        yield from FileSet(paths, AccessLogs((), self._domain).rows, places=self._places).pieces(mark)
        self._settled = set(self._looked_at.values()) - self._copies

    def halves(self, mark: str | None) -> Iterator[Halves]:
        """Yield all requests, those behind the mark apart."""
        return AccessLogs(list(self._files()), self._domain).halves(mark)

    def _files(self) -> dict[Path, _State]:
        """Return the logs and their rotated files that are there: of each the log first, and packed ones last."""
        files: dict[Path, _State] = {}
        for log in self._paths:
            rotated = sorted(_rotated(log), key=lambda path: path.name.endswith(_PACKED))
            for path in (log, *rotated):
                if (state := _state(path)) is not None:
                    files[path] = state
        return files

    def _chosen(self, known: frozenset[str], *, begun: bool) -> dict[Path, bool]:
        """Return the files to be read, each with whether it is the first with its beginning."""
        chosen: dict[Path, bool] = {}
        taken: set[str] = set()
        for log in self._paths:
            for path in self._of_log(log, known, begun=begun):
                identity = self._identity(path)
                if identity is None or self._looked_at[path] in self._settled:
                    continue
                chosen[path] = identity not in taken
                taken.add(identity)
        return chosen

    def _of_log(self, log: Path, known: frozenset[str], *, begun: bool) -> list[Path]:
        """Return a log, if it is there, and those of its rotated files that count."""
        own = [path for path in self._looked_at if path == log]
        rotated = [path for path in self._looked_at if path.parent == log.parent and _is_rotated(path, log)]
        read = [path for path in rotated if self._identity(path) in known]
        if read:
            since = max(self._looked_at[path].changed_ns for path in read)
            newer = [path for path in rotated if self._looked_at[path].changed_ns > since]
            return own + [path for path in rotated if path in read or path in newer]
        # Nothing is left of what was read, so that all that is there came later.
        is_lost = begun and not any(self._identity(path) in known for path in own)
        return own + (rotated if is_lost else [])

    def _identity(self, path: Path) -> str | None:
        state = self._looked_at[path]
        if state not in self._identities:
            first = LineFile(path).first_line()
            self._identities[state] = None if first is None else identity_of(first)
        return self._identities[state]


def _rotated(log: Path) -> list[Path]:
    try:
        return [path for path in log.parent.iterdir() if _is_rotated(path, log)]
    except OSError as fault:
        raise UnreadableSource(f"{log.parent} cannot be read: {fault.strerror}") from None


def _is_rotated(path: Path, log: Path) -> bool:
    """Whether a name is one of a rotated log: of logrotate with a number or a date, or of Caddy with a time."""
    numbered = rf"{re.escape(log.name)}[.-][0-9][0-9.-]*"
    timed = rf"{re.escape(log.stem)}-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9.-]+{re.escape(log.suffix)}"
    return re.fullmatch(rf"(?:{numbered}|{timed})(?:{re.escape(_PACKED)})?", path.name) is not None


def _state(path: Path) -> _State | None:
    """Return the state of a file; None for one that is not there at this moment."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise UnreadableSource(f"{path} cannot be opened: {fault.strerror}") from None
    return _State(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
