"""States that answers of reports are made from, each at one position of both logs (docs/read/programs/citations.md)."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_state import DirectoryState, advance
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.journal import EventStore
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.reports.snapshots import (
    PastQuestion,
    ReportSet,
    ReportSnapshots,
)
from footfall.domain.citations.definitions import OF_REPORTS, PRESENT, Definition, require_unchanged
from footfall.domain.citations.past_refusals import (
    before_registration,
    later_than_now,
    other_log,
    other_site,
    site_since,
)
from footfall.domain.citations.positions import MAIN, Positions, parse_as_of, parse_hour
from footfall.domain.exceptions import Invalid, SiteNotFound
from footfall.domain.periods.period import Period
from footfall.domain.sites.site import SiteDeleted

# The clocks of two workers may differ by this much.
CLOCKS = timedelta(seconds=5)
# Sites at earlier positions of the journal that a worker remembers.
MOST_KNOWN = 64

_SITE_ID = re.compile(r"[0-9]{1,18}")


@frozen(kw_only=True)
class Answer:
    """The reports and the directory of one state, for one answer; `missing` hits are stored but not in it yet.

    `present` is the directory as it is now, also in an answer of the past.
    """

    reports: ReportSet
    directory: Directory
    present: Directory
    positions: Positions
    missing: int = 0


@frozen(kw_only=True)
class Answers:
    """Opens the states from which answers are made."""

    snapshots: ReportSnapshots
    freshness: Freshness
    directory: Directory
    events: EventStore
    # Sites at positions of the journal, the longest known first.
    _states: dict[tuple[int, int], DirectoryState] = field(factory=dict, init=False)

    @asynccontextmanager
    async def present(
        self, site_id: int, span: Period, *, now: datetime, asker: Asker | None
    ) -> AsyncIterator[Answer]:
        """Lend the present state of a site, for periods inside of a span.

        The directory has been caught up when the caller was admitted. When events were appended after that, the state
        has the directory as of its own position, so that goals and numbers are of one moment. It is lent when it is
        the asker's turn, or at once without one (`ReportSnapshots`).

        Raises:
            ReportsBusy: too many others wait.
            SiteNotFound: the site was deleted after that.
            StreamSetAside: an event of the site that was appended after that cannot be read.
            StoreUnavailable: the store does not answer.

        """
        missing = await self.freshness.catch_up(site_id)
        directory = self.directory.held()
        async with self.snapshots.present(site_id, span, asker) as snapshot:
            log = _log_of(directory, site_id)
            definitions = evolve(PRESENT, sessions=snapshot.sessions)
            positions = Positions(site_id, now, snapshot.journal, snapshot.traffic, log, definitions)
            if snapshot.journal > directory.position:
                directory = await directory.at_later(snapshot.journal)
                if directory.readable_site(str(site_id)) is None:
                    raise SiteNotFound
            elif snapshot.journal < directory.position:
                directory = await self.directory_at(positions)
            yield Answer(
                reports=snapshot.reports,
                directory=directory,
                present=directory,
                positions=positions,
                missing=missing,
            )

    async def resolve(self, text: str, site_id: int, *, now: datetime, limited: bool) -> Positions:
        """Return the positions that a question about a site names with `as_of`.

        Of readers that a link has `limited` they are those at the beginning of an hour, and positions of an answer are
        refused: one after the other, they tell when each hit of the link's sessions came.

        Raises:
            Invalid: the text, or what it names, is not accepted.
            StoreUnavailable: the store does not answer.

        """
        if limited:
            return await self._hour(text, site_id, now)
        moment, log = parse_as_of(text), _log_of(self.directory, site_id)
        if isinstance(moment, Positions):
            if moment.site_id != site_id:
                raise other_site(moment.site_id)
            if moment.log != log:
                raise other_log(log)
            if moment.at > now + CLOCKS:
                raise later_than_now(now)
            return moment
        return await self._positions_at(moment, site_id, now)

    async def _hour(self, text: str, site_id: int, now: datetime) -> Positions:
        hour = parse_hour(text)
        try:
            return await self._positions_at(hour, site_id, now)
        except Invalid as refusal:
            [fault] = refusal.field_errors["as_of"]
            raise Invalid({"as_of": [f"{fault}; of a link the beginning of the hour counts"]}) from None

    async def _positions_at(self, moment: datetime, site_id: int, now: datetime) -> Positions:
        if moment > now:
            raise later_than_now(now)
        journal, traffic = await self.snapshots.positions_at(site_id, moment)
        return Positions(site_id, moment, journal, traffic, _log_of(self.directory, site_id))

    async def directory_at(self, positions: Positions) -> Directory:
        """Return the directory with the site and its goals as they were.

        Raises:
            Invalid: the site was not registered then.
            StoreUnavailable: the journal cannot be read.

        """
        key = (positions.site_id, positions.journal)
        state = self._states.get(key) or await self._state_at(positions)
        if positions.journal <= self.directory.position:
            # No earlier event can follow.
            self._states[key] = state
            while len(self._states) > MOST_KNOWN:
                self._states.pop(next(iter(self._states)))
        return Directory(self.events, state)

    async def _state_at(self, positions: Positions) -> DirectoryState:
        events = await self.events.load_site(positions.site_id)
        past = [event for event in events if event.position <= positions.journal]
        state = advance(DirectoryState(), past) if past else DirectoryState()
        if str(positions.site_id) not in state.sites:
            raise before_registration()
        return evolve(state, position=positions.journal)

    @asynccontextmanager
    async def past(
        self, question: PastQuestion, *, asker: Asker | None, uses: frozenset[Definition] = OF_REPORTS
    ) -> AsyncIterator[Answer]:
        """Lend a past state of a site, for a report that uses some definitions, when it is the asker's turn.

        Raises:
            ReportsBusy: too many others wait.
            RedefinedSince: a definition that the report uses has changed since.
            Invalid: the positions are not accepted; the error names `as_of`.
            ErasedSince: hits that the answer was made from have been erased since.
            StoreUnavailable: the store does not answer.

        """
        require_unchanged(question.positions.definitions, uses)
        await self.freshness.catch_up(question.positions.site_id)
        directory = await self.directory_at(question.positions)
        async with self.snapshots.past(question, asker) as reports:
            yield Answer(
                reports=reports,
                directory=directory,
                present=self.directory.held(),
                positions=question.positions,
            )

    async def require_existing(self, reference: str) -> None:
        """Refuse a question about the past of a site that has been deleted.

        Raises:
            ErasedSince: the site was deleted.
            StoreUnavailable: the journal cannot be read.

        """
        if not _SITE_ID.fullmatch(reference):
            return
        for recorded in await self.events.load(site_stream(int(reference))):
            if isinstance(recorded.event, SiteDeleted):
                raise site_since(recorded.metadata.recorded_at)


def _log_of(directory: Directory, site_id: int) -> str:
    """Return the name of the traffic log of a site: that of its cell."""
    return directory.cell_of(site_id) or MAIN
