"""The clock and the randomness of the machine."""

import secrets
import string
from datetime import UTC, datetime

from footfall.domain.accounts.api_key import KEY_MARK

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        return datetime.now(UTC)


class SystemRandomness:
    """The operating system's source of randomness."""

    def api_key(self) -> str:
        """Return `ff_` and 43 base62 characters."""
        return KEY_MARK + "".join(secrets.choice(_BASE62) for _ in range(43))

    def private_link_key(self) -> str:
        """Return 32 base62 characters, 190 bits."""
        return "".join(secrets.choice(_BASE62) for _ in range(32))

    def sign_in_token(self) -> str:
        """Return 32 base62 characters, 190 bits."""
        return self.private_link_key()

    def public_id(self) -> str:
        """Return 12 lower-case hexadecimal characters."""
        return secrets.token_hex(6)

    def salt(self) -> bytes:
        """Return 32 random bytes."""
        return secrets.token_bytes(32)
