"""Housekeeping: old salts, uses of sign-ins and addresses of invitations are destroyed."""

from datetime import timedelta

from attrs import frozen

from footfall.application.maintenance.repetition import HOUR, repeat
from footfall.application.ports.accounts.invitations import InvitationAddresses
from footfall.application.ports.accounts.sign_in_ways import Attempts, OneTimeTokens
from footfall.application.ports.accounts.sign_ins import SignInUses
from footfall.application.ports.system import Clock, Salts
from footfall.domain.accounts.attempts import LONGEST_WINDOW
from footfall.domain.accounts.user import SIGN_IN_LIFETIME
from footfall.domain.tracking.visitor import SALT_LIFETIME, salt_day

DAY = timedelta(days=1)


@frozen
class Housekeeping:
    """Destroys salts after 48 hours; forgets unused sign-ins after 30 days.

    It also erases expired tokens of links, and counts of attempts to sign in that limit nothing any more.
    """

    _salts: Salts
    _sign_in_uses: SignInUses
    _invitation_addresses: InvitationAddresses
    _tokens: OneTimeTokens
    _attempts: Attempts
    _clock: Clock

    async def clean(self) -> None:
        """Destroy everything that is too old now.

        Raises:
            StoreUnavailable: the store does not answer; the next call does the rest.

        """
        now = self._clock.now()
        # A day's salt is made on that day: 48 hours after the beginning of a day, only the last two days are kept.
        await self._salts.destroy_before(salt_day(now - SALT_LIFETIME + DAY))
        await self._sign_in_uses.forget_before(now - SIGN_IN_LIFETIME)
        await self._invitation_addresses.erase_expired(now)
        await self._tokens.forget_expired(now)
        await self._attempts.forget_before(now - LONGEST_WINDOW)

    async def run(self) -> None:
        """Clean every hour until cancelled."""
        await repeat(
            self.clean, seconds=HOUR, delayed="housekeeping waits for the store; trying again in an hour"
        )
