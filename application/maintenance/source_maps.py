"""Retention of source maps: kept for a number of days, and no longer than the hits of their site."""

from datetime import timedelta

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.ports.errors.source_maps import SourceMaps
from footfall.application.ports.system import Clock
from footfall.domain.sites.retention import kept_since


@frozen
class SourceMapRetention:
    """Forgets old source maps; any number of workers may do so at once."""

    _maps: SourceMaps
    _directory: Directory
    _clock: Clock
    _days: int

    async def apply(self) -> int:
        """Forget what is too old now, and return the number of files.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        now = self._clock.now()
        sites = {
            record.site.site_id: kept_since(now, record.site.retention_days)
            for record in self._directory.sites()
            if record.site.retention_days is not None
        }
        return await self._maps.forget_before(now - timedelta(days=self._days), sites)

    async def run(self) -> None:
        """Forget every hour until cancelled."""
        await repeat(
            self.apply, seconds=HOUR, delayed="old source maps cannot be removed yet; trying again in an hour"
        )
