"""Calling an error resolved, wherever the wish comes from."""

from footfall.application.commands import Cause, Commands
from footfall.application.error_reports import ErrorReports
from footfall.application.reports import Freshness
from footfall.domain.errors import ErrorNotFound


class ErrorResolutions:
    """Resolves errors that are known; what has only just been reported is."""

    def __init__(self, commands: Commands, errors: ErrorReports, freshness: Freshness) -> None:
        self._commands = commands
        self._errors = errors
        self._freshness = freshness

    async def resolve(self, site_id: int, message: str, cause: Cause) -> None:
        """Call the error with exactly this message resolved, as of now.

        Raises:
            ErrorNotFound: no exception with this message was ever reported on the site.
            ConcurrencyConflict, StoreUnavailable: as commands and reports do.

        """
        await self._freshness.catch_up()
        if not await self._errors.knows(site_id, message):
            raise ErrorNotFound
        await self._commands.resolve_error(site_id, message, cause)
