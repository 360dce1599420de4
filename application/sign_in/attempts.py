"""The limiter of attempts to sign in, by address and by client."""

import ipaddress
from datetime import timedelta
from hashlib import blake2b
from math import ceil

from attrs import field, frozen

from footfall.application.languages.language import marked, tr
from footfall.application.ports.accounts.sign_in_ways import Attempts
from footfall.application.ports.system import Clock
from footfall.domain.attempt_limits import AttemptLimit
from footfall.domain.exceptions import DomainError

# One household or host has a whole network of this length.
_IPV6_PREFIX = 64


class TooManyAttempts(DomainError):
    """The limit of attempts is reached; the message says when it ends."""

    def __init__(self, rest: timedelta) -> None:
        self.retry_after = max(1, ceil(rest.total_seconds()))
        super().__init__(f"Too many attempts. Try again in {_in_words(self.retry_after)}")


def _in_words(seconds: int) -> str:
    """Return a time in the largest unit of which it has at least two."""
    for words, length in ((marked("{count} days"), 86_400), (marked("{count} hours"), 3_600)):
        if seconds >= 2 * length:
            return tr(words, count=ceil(seconds / length))
    return tr("{count} minutes", count=ceil(seconds / 60))


@frozen
class AttemptLimiter:
    """Counts attempts under keyed digests, so that the store holds no address of a client."""

    _attempts: Attempts
    _clock: Clock
    _secret: bytes = field(repr=False)

    async def take(self, limit: AttemptLimit, subject: str) -> None:
        """Count an attempt.

        Raises:
            TooManyAttempts: the limit was reached before.
            StoreUnavailable: the store does not answer.

        """
        window = limit.counted_at(self._clock.now())
        if await self._attempts.add(self._digest(limit, subject), window=window) > limit.most:
            raise self._exhausted(limit)

    async def require(self, limit: AttemptLimit, subject: str) -> None:
        """Raise TooManyAttempts when as many attempts were counted as the limit allows; count none."""
        window = limit.counted_at(self._clock.now())
        if await self._attempts.count(self._digest(limit, subject), window=window) >= limit.most:
            raise self._exhausted(limit)

    async def note(self, limit: AttemptLimit, subject: str) -> None:
        """Count an attempt and refuse nothing."""
        window = limit.counted_at(self._clock.now())
        await self._attempts.add(self._digest(limit, subject), window=window)

    def _exhausted(self, limit: AttemptLimit) -> TooManyAttempts:
        now = self._clock.now()
        return TooManyAttempts(limit.window_at(now) + limit.window - now)

    def _digest(self, limit: AttemptLimit, subject: str) -> bytes:
        key = blake2b(self._secret, person=b"attempts").digest()
        return blake2b(f"{limit.name} {subject}".encode(), digest_size=16, key=key).digest()


def client_subject(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 network of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:  # noqa: PLR2004 - IPv4
        return str(parsed)
    return str(ipaddress.ip_network((parsed, _IPV6_PREFIX), strict=False))
