"""Marking an error as resolved, for the HTTP interface and the dashboard."""

from attrs import frozen

from footfall.application.commands.all_commands import Commands
from footfall.application.commands.context import CommandContext
from footfall.application.ports.errors.error_reports import ErrorReports
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.domain.exceptions import ErrorNotFound


@frozen
class ErrorResolutions:
    """Marks known errors as resolved; an error that was reported just now is known."""

    commands: Commands
    errors: ErrorReports
    freshness: Freshness

    async def resolve(self, site_id: int, message: str, context: CommandContext) -> None:
        """Mark the error with exactly this message as resolved now.

        Raises:
            ErrorNotFound: no exception with this message was ever reported on the site.
            StoreUnavailable: the store cannot be reached, or the reports do not have the latest hits yet.
            ConcurrencyConflict: two attempts in a row lost a race against another writer.

        """
        missing = await self.freshness.catch_up(site_id)
        if not await self.errors.knows(site_id, message):
            if missing:
                raise StoreUnavailable("the reports are behind what is stored")
            raise ErrorNotFound
        await self.commands.sites.resolve_error(site_id, message, context)
