"""Uses of sign-ins: the browser and the last use of each, apart from the journal so that they can be erased."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from attrs import field, frozen


@frozen(kw_only=True)
class SignInUse:
    """The last use of a sign-in, to the hour, by a browser that `device` describes: `Firefox on Linux`."""

    handle: str
    user_id: str
    device: str = field(repr=False)
    last_used_at: datetime


class SignInUses(Protocol):
    """Keeps the browser and the last use of each sign-in.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def record(self, uses: Sequence[SignInUse]) -> None:
        """Store the use of each sign-in unless a later one is stored; no handle occurs twice."""

    async def of(self, handles: Iterable[str]) -> dict[str, SignInUse]:
        """Return the last use of each of these sign-ins; one that was never used is not in it."""

    async def forget_user(self, user_id: str) -> None:
        """Erase the uses of a user's sign-ins."""

    async def forget_before(self, moment: datetime) -> None:
        """Erase the uses before this time."""
