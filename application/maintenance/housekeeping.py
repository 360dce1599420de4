"""Housekeeping: old salts, uses of sign-ins, addresses of invitations and requests to targets are destroyed."""

from datetime import datetime, timedelta

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.ports.accounts.invitation_addresses import InvitationAddresses
from footfall.application.ports.accounts.sign_in_uses import SignInUses
from footfall.application.ports.accounts.sign_in_ways import Attempts, OneTimeTokens
from footfall.application.ports.alerts.webhooks import WebhookQueue
from footfall.application.ports.system import Clock, Salts
from footfall.domain.accounts.user import SIGN_IN_LIFETIME
from footfall.domain.attempt_limits import COUNTS_KEPT
from footfall.domain.tracking.salts import SALT_REST

REQUESTS_KEPT = timedelta(days=7)
# The end of an incident is not told where its beginning was given up, however long it goes on.
GIVEN_UP_KEPT = timedelta(days=400)


@frozen
class Housekeeping:
    """Destroys salts a day after their spans; forgets unused sign-ins after 30 days.

    It also erases addresses of invitations that are over, expired tokens of links, counts of attempts to sign in that
    limit nothing any more, and what is known of requests to targets of alerts that were delivered or given up.
    """

    _salts: Salts
    _sign_in_uses: SignInUses
    _invitation_addresses: InvitationAddresses
    _tokens: OneTimeTokens
    _attempts: Attempts
    _requests: WebhookQueue
    _directory: Directory
    _clock: Clock

    async def clean(self) -> None:
        """Destroy everything that is too old now.

        Raises:
            StoreUnavailable: the store does not answer; the next call does the rest.

        """
        now = self._clock.now()
        await self._salts.destroy(ended_by=now - SALT_REST)
        await self._sign_in_uses.forget_before(now - SIGN_IN_LIFETIME)
        await self._erase_addresses(now)
        await self._tokens.forget_expired(now)
        await self._attempts.forget_before(now - COUNTS_KEPT)
        await self._requests.forget_finished(
            delivered_before=now - REQUESTS_KEPT, given_up_before=now - GIVEN_UP_KEPT
        )

    async def _erase_addresses(self, now: datetime) -> None:
        """Erase the addresses of invitations that are over, also of those that ended with a membership."""
        stored = await self._invitation_addresses.stored()
        await self._invitation_addresses.erase_expired(now)
        # An address is stored after its invitation, which is known when the journal is read now.
        await self._directory.catch_up()
        for organization_id, number in stored:
            record = self._directory.organization(organization_id)
            if record is not None and number not in record.organization.invitations:
                await self._invitation_addresses.erase(organization_id, number)

    async def run(self) -> None:
        """Clean every hour until cancelled."""
        await repeat(
            self.clean, seconds=HOUR, delayed="housekeeping waits for the store; trying again in an hour"
        )
