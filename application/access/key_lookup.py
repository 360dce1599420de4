"""API keys as credentials of requests: their user, their validity, and their last use."""

from collections.abc import Iterable
from datetime import datetime

from attrs import define, field

from footfall.application.access.unwritten_uses import Unwritten
from footfall.application.journal.directory import Directory
from footfall.application.ports.journal import KeyUses
from footfall.domain.accounts.api_key import ApiKey, digest_of

HOUR = 3600


@define(eq=False)
class ApiKeys:
    """Finds keys in the directory and records the hour of their last use, without delaying requests."""

    _directory: Directory
    _uses: KeyUses
    _latest: dict[int, datetime] = field(factory=dict, init=False)
    unwritten: Unwritten[int, datetime] = field(init=False)

    @unwritten.default
    def _none_noted(self) -> Unwritten[int, datetime]:
        return Unwritten("API keys", self._uses.record)

    async def find(self, key: str, now: datetime) -> ApiKey | None:
        """Return a key that is valid now; None for every other.

        Raises:
            StoreUnavailable: it is not known here and the journal cannot be read.

        """
        credential = await self._directory.find_key(digest_of(key))
        if credential is None or not credential.valid_at(now):
            return None
        self._note(credential.key_id, now)
        return credential

    async def last_used(self, key_ids: Iterable[int]) -> dict[int, datetime]:
        """Return the beginning of the hour of each key's last use; unused keys are not in it.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """
        ids = list(key_ids)
        stored = await self._uses.of(ids)
        latest = {key_id: self._latest[key_id] for key_id in ids if key_id in self._latest}
        return {
            key_id: max(times[key_id] for times in (stored, latest) if key_id in times)
            for key_id in stored | latest
        }

    def _note(self, key_id: int, now: datetime) -> None:
        latest = self._latest.get(key_id)
        # Most requests return here, without computing the hour.
        if latest is not None and (now - latest).total_seconds() < HOUR:
            return
        self._latest[key_id] = self.unwritten.uses[key_id] = now.replace(minute=0, second=0, microsecond=0)
