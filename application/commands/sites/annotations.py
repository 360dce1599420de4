"""Commands about the annotations of a site."""

from collections.abc import Callable, Sequence
from datetime import datetime

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import annotations_stream
from footfall.application.ports.system import Randomness
from footfall.domain.annotations import annotations
from footfall.domain.annotations.annotations import AnnotationEvent, Annotations


@frozen(kw_only=True)
class AnnotationCommands:
    """Adds, changes and removes annotations; those with a release mark deploys."""

    streams: DecideAndAppend
    randomness: Randomness

    async def add(
        self,
        site_id: int,
        context: CommandContext,
        *,
        at: datetime | None = None,
        text: str | None = None,
        release: str | None = None,
    ) -> str:
        """Add an annotation, at the present unless a time is given, and return its id."""
        annotation_id, now = self.randomness.public_id(), self.streams.clock.now()

        def decide(state: Annotations | None) -> Sequence[AnnotationEvent]:
            return annotations.add(
                state,
                annotation_id,
                at=at,
                text=text,
                release=release,
                user_id=context.actor.user_id,
                now=now,
            )

        await self._change(site_id, decide, context)
        return annotation_id

    async def change(
        self,
        site_id: int,
        annotation_id: str,
        context: CommandContext,
        *,
        at: datetime | None = None,
        text: str | None = None,
        release: str | None = None,
    ) -> None:
        """Replace text and release of an annotation, and its time if one is given."""
        now = self.streams.clock.now()
        await self._change(
            site_id,
            lambda state: annotations.change(
                state, annotation_id, at=at, text=text, release=release, now=now
            ),
            context,
        )

    async def remove(self, site_id: int, annotation_id: str, context: CommandContext) -> None:
        """Remove an annotation."""
        await self._change(site_id, lambda state: annotations.remove(state, annotation_id), context)

    async def _change(
        self,
        site_id: int,
        decide: Callable[[Annotations | None], Sequence[AnnotationEvent]],
        context: CommandContext,
    ) -> None:
        await self.streams.directory.present_site(site_id)
        await self.streams.change(annotations_stream(site_id), annotations.apply, decide, context)
