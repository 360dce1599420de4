"""Access logs that are read as they grow and are rotated (docs/track/imports/access-logs.md#following-logs)."""

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field, frozen

from footfall.adapters.sources.access_log import AccessLogs
from footfall.adapters.sources.reading.file_set import FileSet, identity_of, known_files
from footfall.adapters.sources.reading.line_files import FileMark, LineFile, MarkedEnd
from footfall.application.ports.imports import Halves, Piece, UnreadableSource

_PACKED = ".gz"
_NEVER = 1 << 63


@frozen
class _State:
    """A file as a look finds it; a rename changes none of this, each write does."""

    device: int
    number: int
    size: int
    changed_ns: int


@define
class FollowedLogs(AccessLogs):
    """Access logs and what became of them when they were rotated: the same source as these logs when they are imported.

    Of the rotated files those count that were read under their former names, and newer ones.
    """

    _places: dict[FileMark, MarkedEnd] = field(factory=dict, init=False)
    _identities: dict[_State, str | None] = field(factory=dict, init=False)
    # The logs that were there, by their beginnings, also those that were rotated before a line of them was stored.
    _begun: set[str] = field(factory=set, init=False)
    # What has been read, or is not to be read.
    _settled: set[_State] = field(factory=set, init=False)
    _looked_at: dict[Path, _State] = field(factory=dict, init=False)

    def total(self) -> int:
        """Return the size of the logs in bytes."""
        return sum(state.size for state in self._files().values())

    def has_changed(self) -> bool:
        """Whether a file was written, or is new, since the last look."""
        return not self._settled >= set(self._files().values())

    def look_again(self) -> None:
        """Take nothing for settled: what was read last may not be stored."""
        self._settled.clear()

    def pieces(self, mark: str | None) -> Iterator[Piece]:
        """Yield the requests behind the mark, up to a moment at which a file is rotated: the next look has the rest."""
        self._looked_at = self._files()
        try:
            chosen = self._chosen(known_files(mark), begun=mark is not None)
            for piece in FileSet(list(chosen), self.rows, places=self._places, expected=chosen).pieces(mark):
                # Another file may have been read in the place of one that was moved meanwhile.
                if self._was_moved():
                    return
                yield piece
        except UnreadableSource:
            if self._was_moved():
                return
            raise
        if not self._was_moved():
            self._settled = set(self._looked_at.values())

    def halves(self, mark: str | None) -> Iterator[Halves]:
        """Yield all requests, those behind the mark apart."""
        return AccessLogs(list(self._files()), self._domain).halves(mark)

    def _was_moved(self) -> bool:
        """Whether a file was renamed, replaced, removed or cut during the last look, which is to be repeated then."""
        return not all(self._is_same(path, before) for path, before in self._looked_at.items())

    def _is_same(self, path: Path, before: _State) -> bool:
        if not _is_there(path, before):
            return False
        identity = self._identities.get(before) if path in self._paths else None
        if identity is None:
            return True
        # A log that was cut can have become longer than it was.
        try:
            first = LineFile(path).first_line()
        except UnreadableSource:
            if _is_there(path, before):
                raise
            return False
        return first is not None and identity_of(first) == identity

    def _files(self) -> dict[Path, _State]:
        """Return the logs and their rotated files that are there, of each the log first.

        While a file is being packed, it stays until that is done.
        """
        files: dict[Path, _State] = {}
        for log in self._paths:
            rotated = set(_rotated(log))
            whole = {path for path in rotated if not path.name.endswith(_PACKED)}
            packed = {path for path in rotated - whole if path.with_suffix("") not in whole}
            for path in (log, *sorted(whole), *sorted(packed)):
                if (state := _state(path)) is not None:
                    files[path] = state
        return files

    def _chosen(self, identities: frozenset[str], *, begun: bool) -> dict[Path, str]:
        """Return the files to be read, and what each is known by: of copies, such as a packed one, the first.

        None is read in the place of another: then those that are known would not be the oldest ones.
        """
        chosen: dict[str, Path] = {}
        for log in self._paths:
            if log in self._looked_at and (identity := self._identity(log)) is not None:
                self._begun.add(identity)
        for log in self._paths:
            for path in self._of_log(log, identities, begun=begun):
                identity = self._identity(path)
                if identity is not None and self._looked_at[path] not in self._settled:
                    chosen.setdefault(identity, path)
        return {path: identity for identity, path in chosen.items()}

    def _of_log(self, log: Path, identities: frozenset[str], *, begun: bool) -> list[Path]:
        """Return a log, if it is there, and those of its rotated files that count."""
        own = [path for path in self._looked_at if path == log]
        rotated = [path for path in self._looked_at if path.parent == log.parent and _is_rotated(path, log)]
        changed = {path: self._looked_at[path].changed_ns for path in rotated}
        read = [path for path in rotated if self._identity(path) in identities]
        seen = [path for path in rotated if self._identity(path) in self._begun]
        if read:
            since = max(changed[path] for path in read)
        elif begun and not any(self._identity(path) in identities for path in own):
            # Nothing is left of what was read, so that all that is there came later.
            return own + rotated
        else:
            since = min((changed[path] for path in seen), default=_NEVER)
        return own + [path for path in rotated if path in read or path in seen or changed[path] > since]

    def _identity(self, path: Path) -> str | None:
        state = self._looked_at[path]
        if state not in self._identities:
            first = LineFile(path).first_line()
            if not _is_there(path, state):
                raise UnreadableSource(f"{path.name}: another file has taken its place")
            self._identities[state] = None if first is None else identity_of(first)
        return self._identities[state]


def _rotated(log: Path) -> list[Path]:
    try:
        return [path for path in log.parent.iterdir() if _is_rotated(path, log) and not path.is_dir()]
    except OSError as fault:
        raise UnreadableSource(f"{log.parent} cannot be read: {fault.strerror}") from None


def _is_rotated(path: Path, log: Path) -> bool:
    """Whether a name is one of a rotated log: of logrotate with a number or a date, or of Caddy with a time."""
    numbered = rf"{re.escape(log.name)}[.-][0-9][0-9.-]*"
    timed = rf"{re.escape(log.stem)}-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9.-]+{re.escape(log.suffix)}"
    return re.fullmatch(rf"(?:{numbered}|{timed})(?:{re.escape(_PACKED)})?", path.name) is not None


def _is_there(path: Path, before: _State) -> bool:
    """Whether a path has the same file as before, which may have grown."""
    now = _state(path)
    if now is None or (now.device, now.number) != (before.device, before.number):
        return False
    return now.size >= before.size


def _state(path: Path) -> _State | None:
    """Return the state of a file; None for one that is not there at this moment."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise UnreadableSource(f"{path} cannot be opened: {fault.strerror}") from None
    return _State(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
