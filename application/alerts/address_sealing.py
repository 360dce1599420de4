"""Encryption of the addresses and secrets of targets, so that a dump of the store sends no request and signs none."""

from collections.abc import Sequence

from footfall.application.ports.alerts.webhooks import StoredAddresses, TargetAddress
from footfall.application.ports.system import Sealing


async def unopened_sites(stored: StoredAddresses, sealing: Sealing) -> Sequence[int]:
    """Return the sites with targets whose addresses were sealed with another secret.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    addresses = await stored.read()
    return sorted({sealed.site_id for sealed in addresses if opened_address(sealing, sealed.address) is None})


def sealed_address(sealing: Sealing, address: TargetAddress) -> TargetAddress:
    """Return an address as it is stored."""
    secret = None if address.secret is None else sealing.seal(address.secret)
    return TargetAddress(sealing.seal(address.url), secret)


def opened_address(sealing: Sealing, address: TargetAddress) -> TargetAddress | None:
    """Return a stored address as it is; None when it was sealed with another secret."""
    url, secret = sealing.open(address.url), address.secret and sealing.open(address.secret)
    if url is None or (secret is None and address.secret is not None):
        return None
    return TargetAddress(url, secret)
