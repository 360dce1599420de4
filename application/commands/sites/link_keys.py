"""Keys of the links of sites: new ones, and those that members see again (docs/share/sharing.md)."""

from attrs import frozen

from footfall.application.access.link_passwords import keep_password
from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.shared_links import SharedLinkCommands
from footfall.application.commands.sites.sites import SiteCommands
from footfall.application.ports.system import Randomness, Sealing
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedLink
from footfall.domain.sites.site import Site


@frozen
class LinkKeys:
    """Makes links whose keys are stored as a digest and sealed: only with the secret of the server they can be read."""

    _commands: SiteCommands
    _randomness: Randomness
    _sealing: Sealing
    _shared: SharedLinkCommands

    async def generate(self, site_id: int, context: CommandContext) -> str:
        """Give a site a new link in place of an older one, and return its key."""
        key = self._randomness.private_link_key()
        await self._commands.generate_private_link(
            site_id, digest=digest_of(key), sealed=self._sealing.seal(key), context=context
        )
        return key

    async def make(self, site_id: int, terms: LinkTerms, context: CommandContext) -> tuple[int, str]:
        """Make a link with these terms, and return its number and its key.

        Raises:
            SiteNotFound, Invalid, TooManySharedLinks: as the command does.

        """
        key = self._randomness.private_link_key()
        number = await self._shared.make(
            site_id, terms, digest=digest_of(key), sealed=self._sealing.seal(key), context=context
        )
        return number, key

    async def keep_password(self, password: str) -> str:
        """Return the form in which the password of a link is kept.

        Raises:
            Invalid: it is too short or too long; the error names `password`.

        """
        return await keep_password(password, self._randomness.salt())

    def shared_key_of(self, link: SharedLink) -> str | None:
        """Return the key of a link; None when it was sealed with another secret."""
        return self._sealing.open(link.sealed)

    def key_of(self, site: Site) -> str | None:
        """Return the key of a site's private link; None without a link, or when it was sealed with another secret."""
        if site.private_link is None:
            return None
        return self._sealing.open(site.private_link.sealed)

    def has_unopened(self, site: Site) -> bool:
        """Return whether a site has a link that was sealed with another secret, so that its key is not shown."""
        shared = [self.shared_key_of(link) for link in site.links.present.values()]
        return None in shared or (site.private_link is not None and self.key_of(site) is None)
