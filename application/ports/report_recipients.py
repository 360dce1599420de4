"""The port of the addresses outside that get reports on a site by mail.

See docs/alerts/mail-reports.md#addresses-outside.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol

from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import Metadata
from footfall.domain.mail.mail import Mail, RecipientKey


class RecipientAddresses(Protocol):
    """Keeps addresses outside of the journal, each stored and erased together with its event.

    `add` and `remove` raise ConcurrencyConflict when the stream has another version by now. Every method raises
    StoreUnavailable when the store cannot be reached. Then neither an address nor an event nor a mail has changed.
    """

    async def add(self, question: Mail, added: StreamAppend, metadata: Metadata) -> None:
        """Store the recipient of a mail as an address outside, and queue the mail, which asks its reader."""

    async def remove(
        self, outside: Collection[RecipientKey], removed: StreamAppend, metadata: Metadata
    ) -> None:
        """Erase addresses, and all mails to them that are in the queue or were given up."""

    async def erase(self, outside: RecipientKey) -> None:
        """Erase an address as `remove` does, without an event: its site takes none, or is deleted."""

    async def of_sites(self, site_ids: Collection[int]) -> Mapping[RecipientKey, str]:
        """Return the addresses of sites."""

    async def undelivered(self, site_ids: Collection[int]) -> Mapping[RecipientKey, datetime]:
        """Return the addresses of sites whose latest mail was given up, and when."""
