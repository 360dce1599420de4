"""The check of passwords of links, with a limit of attempts (docs/share/sharing.md#passwords)."""

from attrs import frozen

from footfall.application.access.link_passwords import is_password
from footfall.application.sign_in.attempts import AttemptLimiter, client_subject
from footfall.domain.attempt_limits import PASSWORDS_OF_CLIENT, PASSWORDS_OF_LINK
from footfall.domain.sites.sharing.shared_links import SharedLink


@frozen
class LinkPasswords:
    """Checks passwords; right ones count as attempts, too, so that many at once pass no limit."""

    _attempts: AttemptLimiter

    async def opens(self, link: SharedLink, password: str, *, client: str) -> bool:
        """Return whether a password opens a link.

        Raises:
            TooManyAttempts: the client, or all clients, sent too many of them for this link.
            StoreUnavailable: the store does not answer.

        """
        await self._attempts.take(PASSWORDS_OF_CLIENT, f"{link.digest} {client_subject(client)}")
        await self._attempts.take(PASSWORDS_OF_LINK, link.digest)
        return link.terms.password is None or await is_password(password, link.terms.password)
