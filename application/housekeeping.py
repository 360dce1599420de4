"""Housekeeping: what is destroyed when nobody can need it any more."""

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Protocol

from footfall.application.ports import Clock, Salts, StoreUnavailable
from footfall.domain.visitor import SALT_LIFETIME, salt_day

HOUR = 3600.0
DAY = timedelta(days=1)

_log = logging.getLogger(__name__)


class IdempotencyKeys(Protocol):
    """The names of events that are remembered."""

    async def forget_old(self, now: datetime) -> None:
        """Forget the names that are older than 24 hours.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class Housekeeping:
    """Destroys old salts and forgets old idempotency keys (decisions, section 1)."""

    def __init__(self, salts: Salts, idempotency_keys: IdempotencyKeys, clock: Clock) -> None:
        self._salts = salts
        self._idempotency_keys = idempotency_keys
        self._clock = clock

    async def clean(self) -> None:
        """Destroy what is too old now.

        Raises:
            StoreUnavailable: the store does not answer; the rest is done next time.

        """
        now = self._clock.now()
        # A day's salt is made in that day: 48 hours after its beginning, only the last two days are kept.
        await self._salts.destroy_before(salt_day(now - SALT_LIFETIME + DAY))
        await self._idempotency_keys.forget_old(now)

    async def run(self) -> None:
        """Clean every hour until cancelled."""
        while True:
            try:
                await self.clean()
            except StoreUnavailable:
                _log.warning("housekeeping has to wait for the store; trying again in an hour")
            await asyncio.sleep(HOUR)
