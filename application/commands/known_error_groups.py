"""Commands about groups of errors that occurred, for the HTTP interface and the dashboard."""

from attrs import frozen

from footfall.application.commands.error_groups import ErrorGroupCommands
from footfall.application.ports.errors.error_groups import ErrorGroupReports
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.exceptions import ErrorNotFound


@frozen
class KnownErrorGroups:
    """Lends the commands about known groups; one that was reported just now is known."""

    _commands: ErrorGroupCommands
    _reports: ErrorGroupReports
    _freshness: Freshness

    async def commands(self, site_id: int, *fingerprints: str) -> ErrorGroupCommands:
        """Return the commands, for groups of a site with these fingerprints.

        Raises:
            ErrorNotFound: no exception with one of the fingerprints was ever reported on the site.
            StoreUnavailable: the store cannot be reached, or the reports do not have the latest hits yet.

        """
        if not all(map(is_fingerprint, fingerprints)):
            raise ErrorNotFound
        missing = await self._freshness.catch_up(site_id)
        histories = await self._reports.histories(site_id, ErrorDecisions(), fingerprints)
        if not set(fingerprints) <= set(histories):
            if missing:
                raise StoreUnavailable("the reports are behind what is stored")
            raise ErrorNotFound
        return self._commands
