"""Passkeys in memory."""

from collections.abc import Callable
from datetime import datetime

from attrs import define, evolve, field

from footfall.application.ports.accounts.passkeys import Passkey, PasskeyKnown


@define
class MemoryPasskeys:
    """Passkeys over a dict."""

    _passkeys: dict[bytes, Passkey] = field(factory=dict, init=False, repr=False)

    async def add(self, passkey: Passkey) -> None:
        """Store a passkey."""
        if passkey.credential.credential_id in self._passkeys:
            raise PasskeyKnown
        self._passkeys[passkey.credential.credential_id] = passkey

    async def by_credential(self, credential_id: bytes) -> Passkey | None:
        """Return the passkey with this credential."""
        return self._passkeys.get(credential_id)

    async def of_user(self, user_id: str) -> list[Passkey]:
        """Return the passkeys of a user."""
        passkeys = [passkey for passkey in self._passkeys.values() if passkey.user_id == user_id]
        return sorted(passkeys, key=lambda passkey: (passkey.created_at, passkey.passkey_id))

    async def record_use(self, passkey: Passkey, *, sign_count: int, at: datetime) -> bool:
        """Store a use unless another one came first."""
        stored = self._passkeys.get(passkey.credential.credential_id)
        if stored is None or stored.credential.sign_count != passkey.credential.sign_count:
            return False
        credential = evolve(stored.credential, sign_count=sign_count)
        self._passkeys[credential.credential_id] = evolve(stored, credential=credential, last_used_at=at)
        return True

    async def remove(self, user_id: str, passkey_id: str) -> None:
        """Remove a passkey of a user."""
        self._keep(lambda passkey: (passkey.user_id, passkey.passkey_id) != (user_id, passkey_id))

    async def forget_user(self, user_id: str) -> None:
        """Remove the passkeys of a user."""
        self._keep(lambda passkey: passkey.user_id != user_id)

    def _keep(self, stays: Callable[[Passkey], bool]) -> None:
        self._passkeys = {key: passkey for key, passkey in self._passkeys.items() if stays(passkey)}
