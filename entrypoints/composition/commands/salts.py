"""The salts of visitors, sealed with a key of this host (docs/operate/backup.md#salts)."""

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.salts import PostgresSalts
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.application.ports.system import SaltsSealed
from footfall.entrypoints.composition.commands.command_stores import opened
from footfall.entrypoints.composition.secret import salt_key
from footfall.entrypoints.settings import Settings


def salts_of(settings: Settings, connections: Connections) -> PostgresSalts:
    """Return the salts of a store of the journal.

    Raises:
        SecretUnreadable: the key cannot be read.

    """
    return PostgresSalts(connections, SystemRandomness(), SecretSealing(salt_key(settings)))


async def are_foreign(settings: Settings, url: str) -> bool:
    """Whether another key has sealed salts of a store.

    Raises:
        SecretUnreadable: the key cannot be read.
        StoreUnavailable: the store does not answer.

    """
    async with opened(url, most=1) as connections:
        return await salts_of(settings, connections).are_foreign()


async def settle_salts(settings: Settings, url: str) -> bool:
    """Return whether new salts are drawn, since another key sealed some of an embedded store.

    Raises:
        SaltsSealed: another key sealed some, and hosts with that key may use them.
        SecretUnreadable: the key cannot be read.
        StoreUnavailable: the store does not answer.

    """
    async with opened(url, most=1) as connections:
        salts = salts_of(settings, connections)
        if not await salts.are_foreign():
            return False
        if settings.database_url is not None:
            raise SaltsSealed
        # No other host uses an embedded store: its key is lost, or the store was put back.
        await salts.draw_anew()
        return True
