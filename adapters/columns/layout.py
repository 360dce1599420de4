"""The layout of the files of a node, below its data directory."""

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import UUID, uuid4

from attrs import frozen

# The only cell of a store; a cell of another name has another directory beside it.
CELL = "main"
# No directory holds days that are further apart.
LONGEST_SPAN_DAYS = 366

_log = logging.getLogger(__name__)


@frozen
class FilesLayout:
    """The directories below `columns` in the data directory of a node.

    A directory of files is `<cell>/<site>/<first day>/<random name>`. It comes into being as a whole, below another
    name in `making`, and is never changed.
    """

    root: Path

    @property
    def cell(self) -> Path:
        """The directory of all finished files."""
        return self.root / CELL

    @property
    def making(self) -> Path:
        """Directories that are being filled; one that is there without its maker is a crash's."""
        return self.root / "making"

    @property
    def aside(self) -> Path:
        """Directories that could not be used, under names that say what they were."""
        return self.root / "aside"

    @property
    def spill(self) -> Path:
        """Intermediate results of queries that exceed the memory."""
        return self.root / "spill"

    @property
    def fresh(self) -> Path:
        """Rows that the store brings for a query, until it has taken them."""
        return self.root / "fresh"

    @property
    def node(self) -> Path:
        """The file with the id of this node."""
        return self.root / "node"

    @property
    def making_lock(self) -> Path:
        """The lock that is held while files are made or removed."""
        return self.root / "making.lock"

    @property
    def keeper_lock(self) -> Path:
        """The lock of the one worker of a node that keeps the files."""
        return self.root / "keeper.lock"

    @property
    def trouble(self) -> Path:
        """The file that says why files cannot be made at present; it is there as long as that is so."""
        return self.root / "trouble"

    def prepare(self) -> bool:
        """Make the directories that are missing, which only their owner may enter; return whether there were any."""
        missing = [path for path in (self.root, self.cell, self.making, self.aside) if not path.is_dir()]
        for directory in missing:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        return bool(missing)

    def new_making(self) -> Path:
        """Make an empty directory to be filled."""
        directory = self.making / uuid4().hex
        directory.mkdir(mode=0o700)
        return directory

    def node_id(self) -> UUID:
        """Return the id of this node, which is made with its directory."""
        with suppress(FileExistsError):
            _write_new(self.node, str(uuid4()))
        return UUID(self.node.read_text("ascii").strip())

    def remove(self, directory: Path) -> None:
        """Remove a directory of files: at once under its own name, and then from the disk."""
        removed = self.making / f"removed-{uuid4().hex}"
        directory.rename(removed)
        sync(directory.parent)
        shutil.rmtree(removed)
        sync(self.making)

    def set_aside(self, directory: Path, reason: str) -> None:
        """Move a directory that cannot be used to where no report looks for it, unless another process has done so."""
        name = "_".join(directory.relative_to(self.cell).parts)
        aside = self.aside / f"{name}-{uuid4().hex[:8]}"
        with suppress(FileNotFoundError):
            directory.rename(aside)
            # The time since which it lies there.
            os.utime(aside)
            _log.warning("files of columns are set aside: %s", reason, extra={"directory": name})

    def spilled_bytes(self) -> int:
        """Return the size of the intermediate results on the disk."""
        sizes = 0
        for path in _children(self.spill):
            with suppress(FileNotFoundError):
                sizes += path.stat().st_size
        return sizes

    def read_trouble(self) -> str | None:
        """Return why files cannot be made at present; None when they can."""
        try:
            return self.trouble.read_text("utf-8") or "the disk is full"
        except FileNotFoundError:
            return None

    def day(self, site_id: int, first: datetime) -> Path:
        """Return the directory of all files that begin with a day."""
        return self.cell / str(site_id) / first.astimezone(UTC).date().isoformat()

    def directories(self, site_id: int | None = None) -> Iterator[Path]:
        """Return the directories of files of a site, or of all sites, whatever is in them."""
        sites = _children(self.cell) if site_id is None else [self.cell / str(site_id)]
        for site in sites:
            for day in _children(site):
                yield from _children(day)

    def sites(self) -> set[int]:
        """Return the sites with files, those that are set aside included."""
        names = {path.name for path in _children(self.cell)}
        return {int(name) for name in names if name.isdecimal()} | self.aside_sites()

    def aside_sites(self) -> set[int]:
        """Return the sites of which files are set aside."""
        names = {path.name.partition("_")[0] for path in _children(self.aside)}
        return {int(name) for name in names if name.isdecimal()}

    def directories_between(self, site_id: int, first: date, last: date) -> Iterator[Path]:
        """Return the directories of a site whose first day lies between two days, these included."""
        for day in _children(self.cell / str(site_id)):
            if first.isoformat() <= day.name <= last.isoformat():
                yield from _children(day)


def _write_new(path: Path, text: str) -> None:
    """Write a file that is there as a whole or not at all.

    Raises:
        FileExistsError: it is there already.

    """
    written = path.with_suffix(f".{uuid4().hex}")
    written.write_text(text, encoding="ascii")
    try:
        path.hardlink_to(written)
    finally:
        written.unlink()


def sync(path: Path) -> None:
    """Wait until a file or the names in a directory are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _children(directory: Path) -> list[Path]:
    try:
        return sorted(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def delete(path: Path) -> None:
    """Remove a file, or a directory with all that is in it; one that is not there is no fault.

    Raises:
        OSError: some of it may still be there.

    """
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
