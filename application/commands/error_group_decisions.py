"""Decisions about groups of errors that occurred, for the HTTP interface and the dashboard."""

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.error_groups import ErrorGroupCommands
from footfall.application.ports.errors.error_groups import ErrorGroupReports
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Freshness
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.exceptions import ErrorNotFound


@frozen
class ErrorGroupDecisions:
    """Decides about known groups; one that was reported just now is known.

    Every method raises ErrorNotFound when no exception with a fingerprint was ever reported on the site,
    StoreUnavailable when the store cannot be reached or the reports do not have the latest hits yet, and
    ConcurrencyConflict after two lost races in a row.
    """

    _commands: ErrorGroupCommands
    _reports: ErrorGroupReports
    _freshness: Freshness

    async def merge(self, site_id: int, into: str, groups: Sequence[str], context: CommandContext) -> None:
        """Make groups part of another one."""
        await self._require(site_id, [into, *groups])
        await self._commands.merge(site_id, into, groups, context)

    async def separate(
        self, site_id: int, group: str, groups: Sequence[str], context: CommandContext
    ) -> None:
        """Make merged groups groups of their own again."""
        await self._require(site_id, [group])
        await self._commands.separate(site_id, group, groups, context)

    async def resolve(self, site_id: int, group: str, context: CommandContext) -> None:
        """Mark a group as resolved now."""
        await self._require(site_id, [group])
        await self._commands.resolve(site_id, group, context)

    async def mute(
        self,
        site_id: int,
        group: str,
        context: CommandContext,
        *,
        until: datetime | None = None,
        occurrences: int | None = None,
    ) -> None:
        """Mute a group until a time, for a number of occurrences, or until its next one."""
        await self._require(site_id, [group])
        await self._commands.mute(site_id, group, context, until=until, occurrences=occurrences)

    async def reopen(self, site_id: int, group: str, context: CommandContext) -> None:
        """Take back that a group is resolved or muted."""
        await self._require(site_id, [group])
        await self._commands.reopen(site_id, group, context)

    async def assign(self, site_id: int, group: str, user_id: str | None, context: CommandContext) -> None:
        """Assign a group to a user who may see the site; None to none."""
        await self._require(site_id, [group])
        await self._commands.assign(site_id, group, user_id, context)

    async def comment(self, site_id: int, group: str, text: str, context: CommandContext) -> str:
        """Comment on a group, and return the id of the comment."""
        await self._require(site_id, [group])
        return await self._commands.comment(site_id, group, text, context)

    async def remove_comment(
        self, site_id: int, group: str, comment_id: str, context: CommandContext
    ) -> None:
        """Remove a comment."""
        await self._require(site_id, [group])
        await self._commands.remove_comment(site_id, group, comment_id, context)

    async def _require(self, site_id: int, fingerprints: Sequence[str]) -> None:
        if not all(map(is_fingerprint, fingerprints)):
            raise ErrorNotFound
        missing = await self._freshness.catch_up(site_id)
        histories = await self._reports.histories(site_id, ErrorDecisions(), fingerprints)
        if not set(fingerprints) <= set(histories):
            if missing:
                raise StoreUnavailable("the reports are behind what is stored")
            raise ErrorNotFound
