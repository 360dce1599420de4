"""Browsers and last uses of sign-ins, in memory."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from attrs import define, field

from footfall.application.ports.accounts.sign_in_uses import SignInUse


@define
class MemorySignInUses:
    """SignInUses over a dict."""

    _uses: dict[str, SignInUse] = field(factory=dict, init=False)

    async def record(self, uses: Sequence[SignInUse]) -> None:
        """Store the use of each sign-in unless a later one is stored."""
        for use in uses:
            stored = self._uses.get(use.handle)
            if stored is None or stored.last_used_at < use.last_used_at:
                self._uses[use.handle] = use

    async def of(self, handles: Iterable[str]) -> dict[str, SignInUse]:
        """Return the last use of each of these sign-ins."""
        return {handle: self._uses[handle] for handle in handles if handle in self._uses}

    async def forget_user(self, user_id: str) -> None:
        """Erase the uses of a user's sign-ins."""
        self._uses = {handle: use for handle, use in self._uses.items() if use.user_id != user_id}

    async def forget_before(self, moment: datetime) -> None:
        """Erase the uses before this time."""
        self._uses = {handle: use for handle, use in self._uses.items() if use.last_used_at >= moment}
