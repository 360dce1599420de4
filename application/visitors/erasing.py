"""The erasure of visitors, step by step; each step can be repeated, so that a killed process loses only its place."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from uuid import UUID, uuid4

from attrs import field, frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.visitor_erasures import VisitorErasureCommands
from footfall.application.maintenance.background_loop import repeat, with_rest
from footfall.application.maintenance.erasure_listing import unlisted
from footfall.application.maintenance.idle_schedule import Pulse
from footfall.application.notifications.report_queueing import Lock
from footfall.application.ports.journal import Actor
from footfall.application.ports.mail import Outbox
from footfall.application.ports.system import Clock
from footfall.application.ports.visitor_erasures import (
    ErasureQueue,
    ErasureStep,
    LockedVisitorErasures,
    Requester,
    VisitorErasure,
    VisitsMissing,
)
from footfall.application.visitors.certificates import ErasureProof, certificate
from footfall.application.visitors.selectors import Selectors
from footfall.application.visitors.subjects import Asked
from footfall.domain.exceptions import SiteNotFound
from footfall.domain.sites.visitor_erasures import VisitorErased

POLL_SECONDS = 3.0
# The projector waits while some hits are erased, and goes on in the rest.
REST = 1.0

_log = logging.getLogger(__name__)


def requested(site_id: int, asked: Asked, at: datetime, requester: Requester) -> VisitorErasure:
    """Return a new erasure of a person who was found."""
    return VisitorErasure(
        erasure=uuid4(),
        site_id=site_id,
        requested_at=at,
        requester=requester,
        not_found=asked.refusals,
        subject=asked.subject,
    )


@frozen(kw_only=True)
class VisitorEraser:
    """Erases visitors of the sites of a store; any number of processes may run it, the lock lets one work.

    `replay` makes the read models anew beside those in use, and returns the rows in which both differ by their tables.
    `reports` lends the lock of those who make reports by mail, or None while one of them has it.
    `tidy` removes what interrupted imports have left of their sources on this machine, `listed` brings the list of
    erasures outside of the store to what the store has.
    """

    _erasures: ErasureQueue
    _outbox: Outbox
    _reports: Lock
    _history: VisitorErasureCommands
    _replay: Callable[[], Awaitable[Mapping[str, int]]]
    _tidy: Callable[[], None]
    _secret: bytes = field(repr=False)
    _clock: Clock
    _listed: Callable[[], Awaitable[None]] = unlisted
    _rest: float = REST
    _pulse: Pulse = field(factory=Pulse.of_main)

    async def run(self) -> None:
        """Erase who is to be erased until cancelled; an unreachable store is tried again."""
        await repeat(
            self.work,
            seconds=POLL_SECONDS,
            delayed="visitors cannot be erased yet",
            rest=self._pulse.rest_until_news,
        )

    async def work(self) -> None:
        """Take each erasure as far as it goes now.

        Raises:
            StoreUnavailable: the store cannot be reached, or the list cannot be written; the rest stays due.
            VisitsMissing: one of them cannot go on before a rebuild; the others have.

        """
        missing: VisitsMissing | None = None
        if not await self._erasures.is_waiting():
            return
        async with self._erasures.lock() as locked:
            if locked is None:
                return
            listed = await self._list(locked)
            for step in (self._find, self._erase, self._sweep):
                for erasure in await locked.waiting():
                    # One that was asked for since waits for the next call, so that it cannot end unlisted.
                    if erasure.erasure not in listed:
                        continue
                    try:
                        await step(locked, erasure)
                    except VisitsMissing as failure:
                        missing = failure
            await self._prove(locked)
            for erasure in await locked.waiting():
                await self._tell(locked, erasure)
        if missing is not None:
            raise missing

    async def _list(self, locked: LockedVisitorErasures) -> frozenset[UUID]:
        """List the erasures before anything of them goes, so that no backup can bring it back unnoticed."""
        selectors, waiting = Selectors(self._secret), await locked.waiting()
        for erasure in waiting:
            if not erasure.selectors and erasure.subject is not None:
                await locked.keep_selectors(erasure, selectors.of(erasure.site_id, erasure.subject))
        await self._listed()
        return frozenset([erasure.erasure for erasure in waiting])

    async def _find(self, locked: LockedVisitorErasures, erasure: VisitorErasure) -> None:
        if erasure.step is ErasureStep.FINDING:
            await locked.find(erasure)

    async def _erase(self, locked: LockedVisitorErasures, erasure: VisitorErasure) -> None:
        if erasure.step is not ErasureStep.ERASING:
            return
        async with locked.alone() as is_alone:
            if not is_alone:
                return
            # After an interruption others may have erased hits since: what stays is what is there now.
            await locked.measure_before(erasure)
            while await with_rest(locked.erase_some(erasure), self._rest):
                continue
            await locked.measure_after(erasure)
        # After the figures have changed: a report that is made anew must not have those of before.
        await locked.add_mails(erasure, await self._outbox.take_reports(erasure.site_id))
        self._tidy()
        await locked.move(erasure, ErasureStep.SWEEPING)

    async def _sweep(self, locked: LockedVisitorErasures, erasure: VisitorErasure) -> None:
        if erasure.step is not ErasureStep.SWEEPING or await locked.unswept_nodes(erasure):
            return
        async with self._reports() as lent:
            # A report whose figures were read before the last hit went may come into the queue until it ends.
            if lent is not None:
                await locked.add_mails(erasure, await self._outbox.take_reports(erasure.site_id))
                await locked.move(erasure, ErasureStep.PROVING)

    async def _prove(self, locked: LockedVisitorErasures) -> None:
        """Replay the log once for all erasures that are due."""
        due = [erasure for erasure in await locked.waiting() if erasure.step is ErasureStep.PROVING]
        # A replay takes long: it is not made in vain.
        living = [erasure for erasure in due if await self._is_living(locked, erasure)]
        if living:
            differences = await self._replay()
            for erasure in living:
                await locked.keep_differences(erasure, differences)

    async def _is_living(self, locked: LockedVisitorErasures, erasure: VisitorErasure) -> bool:
        try:
            await self._history.require(erasure.site_id)
        except SiteNotFound:
            await locked.drop(erasure)
            return False
        return True

    async def _tell(self, locked: LockedVisitorErasures, erasure: VisitorErasure) -> None:
        """Certify an erasure, and tell the history of its site."""
        if erasure.step is not ErasureStep.TELLING:
            return
        now = self._clock.now()
        proof = ErasureProof(
            read_models=await locked.read_models(erasure.site_id),
            left=await locked.left(erasure),
            copies=await locked.copies(erasure),
            sources=await locked.sources(erasure.site_id),
        )
        written = certificate(self._secret, erasure, proof, now)
        requester = erasure.requester
        context = CommandContext(Actor(requester.user_id, requester.key_prefix), requester.request_id)
        erased = VisitorErased(str(erasure.erasure), erasure.visits, erasure.hits, erasure.errors)
        try:
            await self._history.tell(erasure.site_id, erased, context)
        except SiteNotFound:
            await locked.drop(erasure)
            return
        await locked.finish(erasure, written, now)
        _log.info(
            "erased a visitor",
            extra={"site_id": erasure.site_id, "hits": erasure.hits, "proven": written["proven"]},
        )
