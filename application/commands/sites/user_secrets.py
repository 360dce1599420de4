"""Secrets by which the backends of sites sign users (docs/track/signed-users.md)."""

from attrs import field, frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.sites import SiteCommands
from footfall.domain.sites.user_signatures import user_secret


@frozen
class UserSecretIssuing:
    """Makes secrets that are shown once: the journal has their numbers, from which only this server derives them."""

    _commands: SiteCommands
    _server_secret: bytes = field(repr=False)

    async def issue(self, site_id: int, context: CommandContext) -> str:
        """Give a site a new secret in place of an older one, and return it.

        Raises:
            SiteNotFound: there is no such site.

        """
        site = await self._commands.issue_user_secret(site_id, context)
        return user_secret(self._server_secret, site_id=site_id, number=site.user_secrets.number)
