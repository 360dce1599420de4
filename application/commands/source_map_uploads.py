"""Uploads of source maps (docs/errors/source-maps.md)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import field, frozen

from footfall.application.ports.errors.source_maps import SourceMaps
from footfall.application.ports.system import Clock
from footfall.domain.error_tracking.source_maps import PackedFile

BUSY_SECONDS = 25.0


class UploadsBusy(Exception):
    """Other uploads of this worker are under way."""


def _one_at_a_time() -> asyncio.Semaphore:
    return asyncio.Semaphore(1)


@frozen
class SourceMapUploads:
    """Keeps minified files with their maps; a worker holds one upload in memory, however many come at once."""

    _maps: SourceMaps
    _clock: Clock
    _seconds: float = BUSY_SECONDS
    _turn: asyncio.Semaphore = field(factory=_one_at_a_time)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Lend the turn to read and to pack one upload.

        Raises:
            UploadsBusy: the turn did not come, or the upload was not read, within 25 seconds.

        """
        try:
            async with asyncio.timeout(self._seconds), self._turn:
                yield
        except TimeoutError:
            raise UploadsBusy from None

    async def keep(self, site_id: int, release: str, name: str, packed: PackedFile) -> bool:
        """Keep a file in place of an earlier one of its name; False when the same content was there already.

        Raises:
            SourceMapQuotaExceeded: the release, or the site, keeps as much as it may.
            StoreUnavailable: the store does not answer.

        """
        return await self._maps.put(site_id, release, name, packed, self._clock.now())
