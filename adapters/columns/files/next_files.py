"""Making of the files of a set of read models before it comes into use."""

import asyncio
import logging
import shutil

from attrs import frozen

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.missing_files import REST, MissingFiles
from footfall.adapters.columns.files.plan import missing, usable_manifests
from footfall.adapters.columns.layout import FilesLayout
from footfall.application.ports.columns import ColumnStore
from footfall.application.ports.system import Clock

# A hit takes 30 bytes in files; beside it is what one directory takes as CSV, and what the store needs meanwhile.
BYTES_A_HIT = 40
ROOM_BYTES = 1 << 30

_log = logging.getLogger(__name__)


@frozen
class NextFiles:
    """Makes the files of the set that a rebuild is filling; reports read those of the set in use meanwhile."""

    _layout: FilesLayout
    _store: ColumnStore
    _clock: Clock
    _rest: float = REST
    _room_bytes: int = ROOM_BYTES

    async def make(self) -> int:
        """Make all that is missing, and return the number of directories.

        A disk that lacks the room is left as it is: the files are made after the exchange then, when those of the
        former set are gone.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        async with self._store.next_set() as following:
            if following is None:
                return 0
            self._layout.prepare()
            if not await self._has_room(following):
                return 0
            maker = Maker(self._layout, following, self._clock)
            try:
                return await MissingFiles(self._layout, following, maker, self._clock, rest=self._rest).make()
            except OSError as failure:
                _log.warning("files cannot be made before the exchange: %s", failure.strerror)
                return 0

    async def _has_room(self, following: ColumnStore) -> bool:
        manifests = await asyncio.to_thread(usable_manifests, self._layout)
        days = missing(await following.closed_days(), manifests)
        needed = sum((await following.hits_of(days)).values()) * BYTES_A_HIT + self._room_bytes
        free = shutil.disk_usage(self._layout.root).free
        if days and free < needed:
            _log.warning(
                "files are not made before the exchange, since the disk lacks the room",
                extra={"free_bytes": free, "needed_bytes": needed},
            )
        return free >= needed
