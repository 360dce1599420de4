"""Keeping visitors unlinkable: salts end when nobody can need them any more."""

import asyncio
import logging
from datetime import timedelta

from footfall.application.ports import Clock, Salts, StoreUnavailable
from footfall.domain.visitor import SALT_LIFETIME, salt_day

HOUR = 3600.0
DAY = timedelta(days=1)

_log = logging.getLogger(__name__)


class SaltKeeper:
    """Destroys the salts of days that began more than 48 hours ago (decisions, section 1)."""

    def __init__(self, salts: Salts, clock: Clock) -> None:
        self._salts = salts
        self._clock = clock

    async def destroy_old(self) -> None:
        """Destroy what is too old now.

        Raises:
            StoreUnavailable: the store does not answer; nothing was destroyed.

        """
        # A day's salt is made in that day: 48 hours after its beginning, only the last two days are kept.
        await self._salts.destroy_before(salt_day(self._clock.now() - SALT_LIFETIME + DAY))

    async def run(self) -> None:
        """Destroy old salts every hour until cancelled."""
        while True:
            try:
                await self.destroy_old()
            except StoreUnavailable:
                _log.warning("old salts could not be destroyed yet; trying again in an hour")
            await asyncio.sleep(HOUR)
