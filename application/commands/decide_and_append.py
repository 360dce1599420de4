"""The one way in which commands change a stream: load, fold, decide, append, and retry once after a lost race."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.stream_names import site_stream, user_stream
from footfall.application.ports.journal import (
    ConcurrencyConflict,
    EventStore,
    Metadata,
    RecordedEvent,
    StoreUnavailable,
    StreamSetAside,
)
from footfall.application.ports.system import Clock
from footfall.domain.accounts import user
from footfall.domain.accounts.user import User
from footfall.domain.event_stream import UnknownEvent, Unreadable, fold
from footfall.domain.exceptions import ChangedByNewer, SiteNotFound, existing
from footfall.domain.sites import site
from footfall.domain.sites.site import Site, SiteEvent

State = TypeVar("State")
# Stores events of a stream with the expected version; `EventStore.append` is one.
Append = Callable[[Sequence[Any], int, Metadata], Awaitable[None]]

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class DecideAndAppend:
    """Appends what an aggregate decides to its stream; the directory has read it when a command ends.

    What is appended stands, also when the journal cannot be read right after it: the directory reads it later.
    """

    store: EventStore
    directory: Directory
    clock: Clock

    async def create(self, stream: str, events: Sequence[Any], context: CommandContext) -> None:
        """Append the first events of a new stream.

        Raises:
            ConcurrencyConflict: the stream exists already.
            StoreUnavailable: the journal cannot be reached.

        """
        await self.store.append(stream, events, expected=0, metadata=self._metadata(context))
        await self._learn()

    async def change(
        self,
        stream: str,
        apply: Callable[[State | None, Any], State | None],
        decide: Callable[[State | None], Sequence[Any]],
        context: CommandContext,
        append: Append | None = None,
    ) -> State | None:
        """Append the events that `decide` returns for the state of a stream, and return the state after them.

        The state of a stream without events is None. `append` stores the events together with something else.

        Raises:
            ConcurrencyConflict: two attempts in a row lost a race against another writer.
            StoreUnavailable: the journal cannot be reached.
            StreamSetAside: an event of the stream cannot be read.
            ChangedByNewer: an event of the stream was written by a newer version.

        """
        try:
            return await self._attempt(stream, apply, decide, context, append)
        except ConcurrencyConflict:
            return await self._attempt(stream, apply, decide, context, append)

    async def change_site(
        self,
        site_id: int,
        decide: Callable[[Site], Sequence[SiteEvent]],
        context: CommandContext,
        append: Append | None = None,
    ) -> Site:
        """Append what is decided about a part of a site, and return the site: its stream has its parts, too.

        Raises:
            SiteNotFound: there is no such site; besides, what `decide` and `change` raise.

        """
        changed = await self.change(
            site_stream(site_id), site.apply, lambda state: site.change_part(state, decide), context, append
        )
        return existing(changed, SiteNotFound)

    async def change_user(
        self,
        user_id: str,
        decide: Callable[[User | None], Sequence[Any]],
        context: CommandContext,
        append: Append | None = None,
    ) -> None:
        """Append what is decided about a user; raises as `change` does."""
        await self.change(user_stream(user_id), user.apply, decide, context, append)

    async def _attempt(
        self,
        stream: str,
        apply: Callable[[State | None, Any], State | None],
        decide: Callable[[State | None], Sequence[Any]],
        context: CommandContext,
        append: Append | None,
    ) -> State | None:
        history = await self._load(stream)
        state = fold(apply, (recorded.event for recorded in history))
        new, metadata = decide(state), self._metadata(context)
        if new and append is not None:
            await append(new, len(history), metadata)
        elif new:
            await self.store.append(stream, new, expected=len(history), metadata=metadata)
        await self._learn()
        return fold(apply, new, state)

    async def _learn(self) -> None:
        try:
            await self.directory.catch_up()
        except StoreUnavailable:
            # To fail now would keep the command from what belongs to the event, and a second try finds it done.
            position = self.directory.state.position
            _log.warning("a change is stored that cannot be read yet", extra={"position": position})

    async def _load(self, stream: str) -> list[RecordedEvent]:
        self.directory.require_readable(stream)
        history = await self.store.load(stream)
        if any(isinstance(recorded.event, Unreadable) for recorded in history):
            raise StreamSetAside(stream)
        if any(isinstance(recorded.event, UnknownEvent) for recorded in history):
            raise ChangedByNewer
        return history

    def _metadata(self, context: CommandContext) -> Metadata:
        return Metadata(actor=context.actor, recorded_at=self.clock.now(), request_id=context.request_id)
