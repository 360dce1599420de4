"""The clock, randomness, identifiers, salts, and the sealing of secrets."""

from datetime import datetime
from typing import Protocol

from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.sites.visitor_reach import ReachSpan


class SaltsSealed(StoreUnavailable):
    """The salts of the store were sealed with another key (docs/operate/backup.md#salts)."""

    def __init__(self) -> None:
        super().__init__("the salts of visitors in the store were sealed with another key")


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""


class Identifiers(Protocol):
    """Issues identifiers, each one once.

    Every method raises StoreUnavailable when the store that counts them cannot be reached.
    """

    async def next_organization(self) -> str:
        """Return the id of a new organization."""

    async def next_user(self) -> str:
        """Return the id of a new user."""

    async def next_site(self) -> int:
        """Return the numeric id of a new site."""

    async def next_goal(self) -> int:
        """Return the id of a new goal."""

    async def next_funnel(self) -> int:
        """Return the id of a new funnel."""

    async def next_api_key(self) -> int:
        """Return the id of a new API key."""


class Randomness(Protocol):
    """Makes unguessable values."""

    def api_key(self) -> str:
        """Return a new API key: `ff_` and 43 base62 characters, 256 bits."""

    def private_link_key(self) -> str:
        """Return a new private link key of at least 128 bits."""

    def public_id(self) -> str:
        """Return 12 lower-case hexadecimal characters."""

    def sign_in_token(self) -> str:
        """Return an unguessable token of at least 128 bits that is valid in a URL."""

    def salt(self) -> bytes:
        """Return 32 random bytes."""


class Sealing(Protocol):
    """Encrypts short texts that the service has to show again."""

    def seal(self, text: str) -> str:
        """Return the text encrypted."""

    def open(self, sealed: str) -> str | None:
        """Return the text; None when it was sealed with another secret, or is no sealed text."""


class Salts(Protocol):
    """Keeps the random salts of visitor hashes, one for each span of time, the same for all workers.

    Every method raises StoreUnavailable when the store cannot be reached, and SaltsSealed when its salts cannot be
    opened here.
    """

    async def of(self, span: ReachSpan) -> bytes:
        """Return the salt of a span, made on first use."""

    async def known(self, span: ReachSpan) -> bytes | None:
        """Return the salt of a span; None where it was destroyed, or never made."""

    async def destroy(self, *, ended_by: datetime) -> None:
        """Destroy the salts of all spans that were over by then, permanently."""
