"""The way into the traffic logs of several cells: one transaction for each cell of a request."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import CommitUnknown, Intake, PartialAdmission, Submission
from footfall.domain.tracking.admission import Admission, AdmissionOutcome, PendingHit, RateLimitCharge

_COUNTING = (AdmissionOutcome.STORED, AdmissionOutcome.REPLAYED)

# By cell, None for the store of the journal: the places of its hits in the request.
_Parts = Mapping[str | None, Sequence[int]]


@frozen
class CellIntake:
    """Intake over the cells; the store of the journal, which holds the rate windows, is one of them.

    A request for that store alone is one transaction there. Any other one is charged there first, and gets the charge
    back when none of its hits was stored; a crash in between leaves it charged, and never admits too much.
    """

    _main: Intake
    # The cells of sites; a site that is not there is in the store of the journal.
    _placements: Callable[[], Mapping[int, str]]
    _intake_of: Callable[[str | None], Intake]

    async def submit(self, submission: Submission) -> Admission:
        """Return the outcome of the request as soon as it is durable in each of its cells.

        Raises:
            StoreUnavailable: nothing was stored.
            CommitUnknown: it is not known yet whether the hits of the only cell were stored.

        """
        placements = self._placements()
        if not placements:
            return await self._main.submit(submission)
        pending, charge = submission.pending, submission.charge
        if charge is None and len(pending) == 1:
            return await self._intake_of(placements.get(pending[0].hit.site_id)).submit(submission)
        parts = _parts(placements, pending)
        if not parts.keys() - {None}:
            return await self._main.submit(submission)
        if charge is None:
            return await self._store(parts, pending)
        charged = await self._main.submit(Submission((), charge))
        return charged if charged.rate_limited else await self._store_charged(parts, pending, charge, charged)

    async def drain(self) -> None:
        """Return when every request of the store of the journal has its outcome; cells are drained as they stop."""
        await self._main.drain()

    async def _store_charged(
        self, parts: _Parts, pending: Sequence[PendingHit], charge: RateLimitCharge, charged: Admission
    ) -> Admission:
        try:
            admission = await self._store(parts, pending)
        except CommitUnknown:
            raise
        except StoreUnavailable:
            await self._give_back(charge, charged)
            raise
        counts = any(outcome in _COUNTING for outcome in admission.outcomes)
        in_doubt = isinstance(admission, PartialAdmission) and admission.in_doubt
        if not counts and not in_doubt:
            charged = await self._give_back(charge, charged)
        return evolve(admission, rate=charged.rate)

    async def _give_back(self, charge: RateLimitCharge, charged: Admission) -> Admission:
        try:
            return await self._main.submit(Submission((), evolve(charge, returned=True)))
        except StoreUnavailable:
            # The hits have their outcomes; the key has one request less until the window is over.
            return charged

    async def _store(self, parts: _Parts, pending: Sequence[PendingHit]) -> Admission:
        if len(parts) == 1:
            [cell] = parts
            return await self._intake_of(cell).submit(Submission(tuple(pending)))
        submitted = [self._submit(cell, [pending[index] for index in parts[cell]]) for cell in parts]
        answers = await asyncio.gather(*submitted)
        return _merged(list(zip(parts.values(), answers, strict=True)), len(pending))

    async def _submit(self, cell: str | None, pending: Sequence[PendingHit]) -> Admission | StoreUnavailable:
        try:
            return await self._intake_of(cell).submit(Submission(tuple(pending)))
        except StoreUnavailable as failure:
            return failure


def _parts(placements: Mapping[int, str], pending: Sequence[PendingHit]) -> _Parts:
    parts: dict[str | None, list[int]] = defaultdict(list)
    for index, entry in enumerate(pending):
        parts[placements.get(entry.hit.site_id)].append(index)
    return parts


def _merged(
    answers: Sequence[tuple[Sequence[int], Admission | StoreUnavailable]], number: int
) -> PartialAdmission:
    """Return one outcome for each hit; those of a cell that is away are unavailable."""
    outcomes = [AdmissionOutcome.UNAVAILABLE] * number
    in_doubt: dict[int, asyncio.Future[bool]] = {}
    for places, answer in answers:
        if isinstance(answer, Admission):
            for index, outcome in zip(places, answer.outcomes, strict=True):
                outcomes[index] = outcome
        elif isinstance(answer, CommitUnknown):
            in_doubt |= {
                index: answer.committed for index, stored in zip(places, answer.stored, strict=True) if stored
            }
    return PartialAdmission(tuple(outcomes), in_doubt=in_doubt)
