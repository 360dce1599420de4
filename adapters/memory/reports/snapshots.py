"""Snapshots in memory: the logs as they are."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from attrs import frozen

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.reports.arrivals import MemoryArrivals, with_arrivals
from footfall.adapters.memory.reports.bots import MemoryBots
from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.error_groups import MemoryErrorGroupReports
from footfall.adapters.memory.reports.error_reports import MemoryErrorReports
from footfall.adapters.memory.reports.properties import MemoryProperties
from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import PastQuestion, ReportSet, ReportSnapshot
from footfall.domain.citations.past_refusals import before_first_hit, before_records, in_the_future
from footfall.domain.periods.period import Period


def memory_reports(log: MemoryTrafficLog, store: MemoryEventStore) -> ReportSet:
    """Return the reports over logs in memory."""
    reports, breakdowns = MemoryReports(log), MemoryBreakdowns(log)
    errors, groups = MemoryErrorReports(log), MemoryErrorGroupReports(log, store)
    return ReportSet(
        goals=reports,
        traffic=reports,
        sessions=reports,
        breakdowns=breakdowns,
        bots=MemoryBots(log),
        cohorts=reports,
        revenue=reports,
        live=breakdowns,
        errors=errors,
        error_names=errors,
        error_groups=groups,
        error_costs=groups,
        funnels=reports,
        journeys=reports,
        properties=MemoryProperties(log),
        what_ifs=reports,
        arrivals=MemoryArrivals(log),
    )


@frozen
class MemoryReportSnapshots:
    """ReportSnapshots over a traffic log and a journal in memory; `reports` makes the reports over such two."""

    _log: MemoryTrafficLog
    _journal: MemoryEventStore
    _reports: Callable[[MemoryTrafficLog, MemoryEventStore], ReportSet] = memory_reports

    @asynccontextmanager
    async def present(
        self, site_id: int, span: Period, asker: Asker | None = None
    ) -> AsyncIterator[ReportSnapshot]:
        """Lend the reports over both logs."""
        del site_id, span, asker  # nothing waits in memory
        journal = await self._journal.high_water_mark()
        yield ReportSnapshot(
            reports=self._reports(self._log, self._journal), journal=journal, traffic=self._log.newest
        )

    @asynccontextmanager
    async def past(self, question: PastQuestion, asker: Asker | None = None) -> AsyncIterator[ReportSet]:
        """Lend the reports over both logs, cut at the positions."""
        del asker  # nothing waits in memory
        positions, journal = question.positions, await self._journal.high_water_mark()
        if positions.traffic > self._log.newest or positions.journal > journal:
            raise in_the_future(journal, self._log.newest, positions.log)
        first = min((recorded.position for recorded in self._log.hits_of(positions.site_id)), default=None)
        if first is None or positions.traffic < first:
            raise before_first_hit(first)
        hits = [recorded for recorded in self._log.hits if recorded.position <= positions.traffic]
        if question.arrivals is not None:
            hits = with_arrivals(self._log, positions.traffic, question.arrivals)
        measures = [measure for measure in self._log.measures if measure.position <= question.measured_up_to]
        log = MemoryTrafficLog(hits, imported=self._log.imported, measures=measures)
        yield self._reports(log, MemoryEventStore(self._journal.events[: positions.journal]))

    async def positions_at(self, _site_id: int, at: datetime) -> tuple[int, int]:
        """Return the positions of what was stored before the minute of an instant."""
        minute = at.replace(second=0, microsecond=0)
        times = [event.metadata.recorded_at for event in self._journal.events]
        times += [recorded.hit.received_at for recorded in self._log.hits]
        times += [recorded.measure.received_at for recorded in self._log.measures]
        if not any(time < minute for time in times):
            raise before_records(min(times, default=None))
        journal = sum(event.metadata.recorded_at < minute for event in self._journal.events)
        traffic = [recorded.position for recorded in self._log.hits if recorded.hit.received_at < minute]
        traffic += [
            recorded.position for recorded in self._log.measures if recorded.measure.received_at < minute
        ]
        return journal, max(traffic, default=0)
