"""Sealing of the keys of private links that an earlier version has stored as they are."""

from collections.abc import Callable, Sequence

from attrs import frozen

from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.maintenance import PlainLinks
from footfall.application.ports.system import Sealing
from footfall.domain.accounts.api_key import digest_of


@frozen
class LinkSealing:
    """Replaces keys by their digest and the sealed key in all stores that this process has."""

    _stores: Callable[[], Sequence[PlainLinks]]
    _sealing: Sealing

    async def seal(self) -> int:
        """Seal everything that is not sealed yet; a store that is away keeps no other one waiting.

        Raises:
            StoreUnavailable: one of the stores does not answer.

        """
        sealed, away = 0, None
        for store in self._stores():
            try:
                sealed += await store.replace(self._replacement)
            except StoreUnavailable as failure:
                away = failure
        if away is not None:
            raise away
        return sealed

    async def run(self) -> None:
        """Seal at the start and every hour until cancelled: an older version may run beside this one."""
        await repeat(
            self.seal,
            seconds=HOUR,
            delayed="keys of private links cannot be sealed yet; trying again in an hour",
        )

    def _replacement(self, key: str) -> dict[str, str]:
        return {"digest": digest_of(key), "sealed": self._sealing.seal(key)}
