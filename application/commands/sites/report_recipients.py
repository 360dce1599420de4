"""Commands about the addresses outside of an organization that get reports on a site by mail."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append, DecideAndAppend
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites import report_recipients
from footfall.domain.sites.report_recipients import EndReason


@frozen(kw_only=True)
class ReportRecipientCommands:
    """Adds addresses, confirms them and ends their reports; `append` stores events together with addresses."""

    streams: DecideAndAppend

    async def add(
        self,
        site_id: int,
        interval: Interval,
        token: str,
        context: CommandContext,
        append: Append | None = None,
    ) -> None:
        """Add an address, whose reader agrees by the link with this token.

        Raises:
            SiteNotFound: there is no such site.
            TooManyRecipients: the site has 50 addresses outside.

        """
        await self.streams.change_site(
            site_id,
            lambda site: report_recipients.add(
                site.recipients,
                interval=interval,
                digest=digest_of(token),
                by=context.actor.user_id,
                now=self.streams.clock.now(),
            ),
            context,
            append,
        )

    async def confirm(self, site_id: int, token: str, context: CommandContext) -> None:
        """Record that the reader of an address agreed, by the token of the link.

        Raises:
            SiteNotFound: there is no such site.
            RecipientLinkRefused: there is no such link, it is too old, or the address was removed.

        """
        await self.streams.change_site(
            site_id,
            lambda site: report_recipients.confirm(
                site.recipients, digest=digest_of(token), now=self.streams.clock.now()
            ),
            context,
        )

    async def end(
        self,
        site_id: int,
        number: int,
        reason: EndReason,
        context: CommandContext,
        append: Append | None = None,
    ) -> None:
        """End the reports to an address; nothing happens when there is none.

        Raises:
            SiteNotFound: there is no such site.

        """
        await self.streams.change_site(
            site_id, lambda site: report_recipients.end(site.recipients, number, reason), context, append
        )

    async def expire(self, site_id: int, context: CommandContext, append: Append | None = None) -> None:
        """Erase the addresses of a site whose readers did not agree in time.

        Raises:
            SiteNotFound: there is no such site.

        """
        await self.streams.change_site(
            site_id,
            lambda site: report_recipients.expire(site.recipients, self.streams.clock.now()),
            context,
            append,
        )
