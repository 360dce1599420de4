"""One-time tokens and counts of attempts, in memory."""

from collections import Counter
from datetime import datetime

from attrs import define, field

from footfall.application.ports.accounts.sign_in_ways import OneTimeToken, TokenPurpose


@define
class MemoryOneTimeTokens:
    """OneTimeTokens over `tokens` by their digest."""

    tokens: dict[str, OneTimeToken] = field(factory=dict, init=False, repr=False)

    async def store(self, token: OneTimeToken) -> None:
        """Keep a token."""
        self.tokens[token.digest] = token

    async def find(self, digest: str, purpose: TokenPurpose, *, now: datetime) -> OneTimeToken | None:
        """Return a token that can be redeemed now."""
        token = self.tokens.get(digest)
        return token if token and token.purpose is purpose and now < token.expires_at else None

    async def redeem(self, digest: str, purpose: TokenPurpose, *, now: datetime) -> OneTimeToken | None:
        """Remove a token and return it."""
        token = await self.find(digest, purpose, now=now)
        if token is not None:
            del self.tokens[digest]
        return token

    async def forget_expired(self, now: datetime) -> None:
        """Remove expired tokens."""
        self.tokens = {digest: token for digest, token in self.tokens.items() if now < token.expires_at}

    async def forget_user(self, user_id: str) -> None:
        """Remove the tokens of a user."""
        self.tokens = {digest: token for digest, token in self.tokens.items() if token.user_id != user_id}


@define
class MemoryAttempts:
    """Attempts over a counter."""

    _counts: Counter[tuple[bytes, datetime]] = field(factory=Counter, init=False)

    async def add(self, subject: bytes, *, window: datetime) -> int:
        """Count one attempt."""
        self._counts[subject, window] += 1
        return self._counts[subject, window]

    async def count(self, subject: bytes, *, window: datetime) -> int:
        """Return the count."""
        return self._counts[subject, window]

    async def forget_before(self, window: datetime) -> None:
        """Remove the counts of earlier windows."""
        counts = {key: count for key, count in self._counts.items() if key[1] >= window}
        self._counts = Counter(counts)
