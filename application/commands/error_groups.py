"""Commands about the groups of errors of a site."""

from collections.abc import Callable, Sequence
from datetime import datetime

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import error_groups_stream
from footfall.application.ports.system import Randomness
from footfall.domain.error_tracking import decisions
from footfall.domain.error_tracking.decisions import ErrorDecisions, ErrorGroupEvent
from footfall.domain.exceptions import Invalid

Decide = Callable[[ErrorDecisions | None], Sequence[ErrorGroupEvent]]


@frozen(kw_only=True)
class ErrorGroupCommands:
    """Merges, resolves, mutes, assigns and comments; a group is named by any fingerprint that is part of it."""

    streams: DecideAndAppend
    randomness: Randomness

    async def merge(
        self, site_id: int, into: str, fingerprints: Sequence[str], context: CommandContext
    ) -> None:
        """Make groups part of another one."""
        await self._change(site_id, lambda state: decisions.merge(state, into, fingerprints), context)

    async def separate(
        self, site_id: int, group: str, fingerprints: Sequence[str], context: CommandContext
    ) -> None:
        """Make fingerprints of a group groups of their own again."""
        await self._change(site_id, lambda state: decisions.separate(state, group, fingerprints), context)

    async def resolve(
        self, site_id: int, group: str, context: CommandContext, *, next_release: bool = False
    ) -> None:
        """Mark a group as resolved now, or from the next release on."""
        now = self.streams.clock.now()
        await self._change(
            site_id, lambda state: decisions.resolve(state, group, now, next_release=next_release), context
        )

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
        now = self.streams.clock.now()
        await self._change(
            site_id,
            lambda state: decisions.mute(state, group, now, until=until, occurrences=occurrences),
            context,
        )

    async def reopen(self, site_id: int, group: str, context: CommandContext) -> None:
        """Take back that a group is resolved or muted."""
        await self._change(site_id, lambda state: decisions.reopen(state, group), context)

    async def assign(self, site_id: int, group: str, user_id: str | None, context: CommandContext) -> None:
        """Assign a group to a user who may see the site; None to none.

        Raises:
            Invalid: there is no such user; the error names `userId`.

        """
        record = await self.streams.directory.present_site(site_id)
        if user_id is not None and self.streams.directory.role_on(user_id, record.site) is None:
            raise Invalid({"userId": ["must be the id of a user who may see this site, or null"]})
        await self._change(site_id, lambda state: decisions.assign(state, group, user_id), context)

    async def comment(self, site_id: int, group: str, text: str, context: CommandContext) -> str:
        """Comment on a group, and return the id of the comment."""
        comment_id, now = self.randomness.public_id(), self.streams.clock.now()

        def decide(state: ErrorDecisions | None) -> Sequence[ErrorGroupEvent]:
            user_id = context.actor.user_id
            return decisions.comment(state, group, text, comment_id=comment_id, user_id=user_id, now=now)

        await self._change(site_id, decide, context)
        return comment_id

    async def remove_comment(
        self, site_id: int, group: str, comment_id: str, context: CommandContext
    ) -> None:
        """Remove a comment."""
        await self._change(site_id, lambda state: decisions.remove_comment(state, group, comment_id), context)

    async def _change(self, site_id: int, decide: Decide, context: CommandContext) -> None:
        await self.streams.directory.present_site(site_id)
        await self.streams.change(error_groups_stream(site_id), decisions.apply, decide, context)
