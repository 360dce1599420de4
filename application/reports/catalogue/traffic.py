"""Inquiries about a site's traffic as a whole."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.ports.reports.breakdowns import Realtime
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.tables import Table, table_by, table_of
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.traffic.online.live import MINUTE, Live
from footfall.domain.traffic.overview import Traffic, TrafficPoint

_FIGURES = (
    *("sessions", "visitors", "pageviews", "events", "bounce_rate", "average_session_duration"),
    *("sessions_with_pageviews", "engaged_time", "engaged_sessions"),
)


@frozen
class ComparedTraffic:
    """The figures of a period, of the one that it is compared with, and since when there is data."""

    now: Traffic
    before: Traffic
    since: datetime | None


@frozen
class OverviewInquiry(Inquiry[Traffic]):
    """The figures of a period."""

    shows_engagement = True

    async def ask(self, reports: ReportSet, site_id: int) -> Traffic:
        """Return the figures."""
        return await reports.traffic.overview(site_id, self.query)

    def table(self, answer: Traffic) -> Table:
        """Return one row."""
        return _totals({"current": (self.query.period, answer)})


@frozen
class ComparedOverviewInquiry(Inquiry[ComparedTraffic]):
    """The figures of a period, and of the one that it is compared with."""

    window: ReportPeriod
    shows_engagement = True

    @property
    def span(self) -> Period:
        """The time around both periods."""
        return self.window.span

    async def ask(self, reports: ReportSet, site_id: int) -> ComparedTraffic:
        """Return the figures, and since when there is data."""
        periods = (self.window.period, self.window.before)
        now, before = await reports.traffic.overviews(site_id, periods, self.query.filters)
        return ComparedTraffic(now, before, await reports.traffic.data_since(site_id))

    def table(self, answer: ComparedTraffic) -> Table:
        """Return a row for each period."""
        return _totals(
            {
                "current": (self.window.period, answer.now),
                "previous": (self.window.before, answer.before),
            }
        )


@frozen
class TimeseriesInquiry(Inquiry[list[TrafficPoint]]):
    """The figures of each bucket."""

    size: BucketSize
    zone: ZoneInfo
    keys = ("time",)
    shows_engagement = True

    async def ask(self, reports: ReportSet, site_id: int) -> list[TrafficPoint]:
        """Return the figures."""
        return await reports.traffic.timeseries(site_id, self.query, self.size, self.zone)

    def table(self, answer: list[TrafficPoint]) -> Table:
        """Return a row for each bucket."""
        return table_by({"time": "time", **{name: f"traffic.{name}" for name in _FIGURES}}, answer)


@frozen
class RealtimeInquiry(Inquiry[Realtime]):
    """The visitors and pageviews of the last minutes before the end of the period."""

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return that it needs no turn."""
        return True

    async def ask(self, reports: ReportSet, site_id: int) -> Realtime:
        """Return both numbers."""
        return await reports.live.realtime(site_id, self.query.period.end)

    def table(self, answer: Realtime) -> Table:
        """Return one row."""
        return table_by({"visitors": "visitors", "pageviews": "pageviews"}, [answer])


@frozen
class LiveInquiry(Inquiry[Live]):
    """The last half hour, minute by minute."""

    async def is_cheap(self, _reports: ReportSet, _site_id: int) -> bool:
        """Return that it needs no turn."""
        return True

    async def ask(self, reports: ReportSet, site_id: int) -> Live:
        """Return the half hour."""
        return await reports.live.live(site_id, self.query)

    def table(self, answer: Live) -> Table:
        """Return a row for each minute, page, source and country with its visitors, after one of all visitors."""
        start = self.query.period.start
        minutes = [(start + number * MINUTE, visitors) for number, visitors in enumerate(answer.minutes)]
        lists = {"page": answer.pages, "source": answer.sources, "country": answer.countries}
        rows: list[dict[str, Any]] = [
            {"kind": "all", "value": None, "visitors": answer.visitors},
            *({"kind": "minute", "value": at, "visitors": visitors} for at, visitors in minutes),
            *(
                {"kind": kind, "value": row.value, "visitors": row.visitors}
                for kind, listed in lists.items()
                for row in listed
            ),
        ]
        return table_of(("kind", "value", "visitors"), rows)


def _totals(periods: Mapping[str, tuple[Period, Traffic]]) -> Table:
    rows = [
        {"period": name, "start": period.start, "end": period.end, **traffic_figures(traffic)}
        for name, (period, traffic) in periods.items()
    ]
    return table_of(("period", "start", "end", *_FIGURES), rows)


def traffic_figures(traffic: Traffic) -> dict[str, Any]:
    """Return the figures of a period by their names."""
    return {name: getattr(traffic, name) for name in _FIGURES}
