"""Encryption of the addresses and secrets of targets, so that a dump of the store sends no request and signs none."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.ports.alerts.webhooks import StoredAddresses, TargetAddress
from footfall.application.ports.system import Sealing

# An address as it is begins with a scheme, which no sealed text does.
_SCHEMES = ("https://", "http://")


@frozen
class AddressSealing:
    """Seals the addresses that an earlier version has stored as they are, and finds those of another secret."""

    _stored: StoredAddresses
    _sealing: Sealing

    async def seal(self) -> int:
        """Seal each address that is not sealed yet, and return their number.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        plain = [stored for stored in await self._stored.read() if is_plain(stored.address)]
        for stored in plain:
            await self._stored.replace(stored, sealed_address(self._sealing, stored.address))
        return len(plain)

    async def run(self) -> None:
        """Seal at the start and every hour until cancelled: an older version may run beside this one."""
        await repeat(
            self.seal,
            seconds=HOUR,
            delayed="addresses of alert targets cannot be sealed yet; trying again in an hour",
        )

    async def unopened_sites(self) -> Sequence[int]:
        """Return the sites with targets whose addresses were sealed with another secret.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        addresses = await self._stored.read()
        return sorted(
            {stored.site_id for stored in addresses if opened_address(self._sealing, stored.address) is None}
        )


def is_plain(address: TargetAddress) -> bool:
    """Return whether an address is stored as it is."""
    return address.url.startswith(_SCHEMES)


def sealed_address(sealing: Sealing, address: TargetAddress) -> TargetAddress:
    """Return an address as it is stored."""
    secret = None if address.secret is None else sealing.seal(address.secret)
    return TargetAddress(sealing.seal(address.url), secret)


def opened_address(sealing: Sealing, address: TargetAddress) -> TargetAddress | None:
    """Return a stored address as it is; None when it was sealed with another secret."""
    if is_plain(address):
        return address
    url, secret = sealing.open(address.url), address.secret and sealing.open(address.secret)
    if url is None or (secret is None and address.secret is not None):
        return None
    return TargetAddress(url, secret)
