"""Resolving the cause of a message, for the HTTP interface."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.error_groups import ErrorGroupCommands
from footfall.application.ports.errors.error_reports import ErrorReports
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.domain.exceptions import ErrorNotFound


@frozen
class ErrorResolutions:
    """Resolves the causes of known messages; a message that was reported just now is known."""

    commands: ErrorGroupCommands
    errors: ErrorReports
    freshness: Freshness

    async def resolve(self, site_id: int, message: str, context: CommandContext) -> None:
        """Mark the cause of the latest error with exactly this message as resolved now.

        Raises:
            ErrorNotFound: no exception with this message was ever reported on the site.
            StoreUnavailable: the store cannot be reached, or the reports do not have the latest hits yet.
            ConcurrencyConflict: two attempts in a row lost a race against another writer.

        """
        missing = await self.freshness.catch_up(site_id)
        cause = await self.errors.cause(site_id, message)
        if cause is None:
            if missing:
                raise StoreUnavailable("the reports are behind what is stored")
            raise ErrorNotFound
        await self.commands.resolve(site_id, cause, context)
