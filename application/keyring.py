"""API keys as requests present them: whose they are, whether they count, and when they were last used."""

import asyncio
import logging
from collections.abc import Iterable
from datetime import datetime

from footfall.application.directory import Directory
from footfall.application.ports import KeyUses, StoreUnavailable
from footfall.domain.api_key import ApiKey, digest_of

FLUSH_SECONDS = 5.0
HOUR = 3600

_log = logging.getLogger(__name__)


class Keyring:
    """Finds keys in the directory and remembers, to the hour, that they were used; no request waits for that."""

    def __init__(self, directory: Directory, uses: KeyUses) -> None:
        self._directory = directory
        self._uses = uses
        self._latest: dict[int, datetime] = {}
        self._unwritten: dict[int, datetime] = {}

    async def find(self, key: str, now: datetime) -> ApiKey | None:
        """Return what is known of a key that is valid now; None for every other.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        found = await self._directory.find_key(digest_of(key))
        if found is None or not found.valid_at(now):
            return None
        self._note(found.key_id, now)
        return found

    async def last_used(self, key_ids: Iterable[int]) -> dict[int, datetime]:
        """Return the beginning of the hour in which each key was last used; a key that never was is not in it.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """
        asked = list(key_ids)
        known = await self._uses.of(asked)
        here = {key_id: self._latest[key_id] for key_id in asked if key_id in self._latest}
        return {
            key_id: max(times[key_id] for times in (known, here) if key_id in times)
            for key_id in known | here
        }

    async def flush(self) -> None:
        """Write down what was noted since the last time.

        Raises:
            StoreUnavailable: the store cannot be reached; the next call tries again.

        """
        writing, self._unwritten = self._unwritten, {}
        if not writing:
            return
        try:
            await self._uses.record(writing)
        except StoreUnavailable:
            self._unwritten = writing | self._unwritten
            raise

    async def run(self) -> None:
        """Write down uses every few seconds until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            try:
                await self.flush()
            except StoreUnavailable:
                _log.warning("the last use of API keys cannot be written down yet")

    def _note(self, key_id: int, now: datetime) -> None:
        latest = self._latest.get(key_id)
        # Most requests end here: the hour is only cut when it is over.
        if latest is not None and (now - latest).total_seconds() < HOUR:
            return
        self._latest[key_id] = self._unwritten[key_id] = now.replace(minute=0, second=0, microsecond=0)
