"""Overview, time series, and the visitors of now, over HTTP (docs/read/reports.md)."""

from typing import Any

from footfall.adapters.http.resources.reports.description import BUCKET, Answered, Report, Reports, State
from footfall.adapters.http.wire.report_parameters import COMPARED
from footfall.application.ports.reports.breakdowns import ONLINE, Realtime
from footfall.application.reports.catalogue.traffic import (
    ComparedOverviewInquiry,
    ComparedTraffic,
    LiveInquiry,
    OverviewInquiry,
    RealtimeInquiry,
    TimeseriesInquiry,
    traffic_figures,
)
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedPanel
from footfall.domain.traffic.online.live import MINUTE, Live, live_period
from footfall.domain.traffic.report_query import ReportQuery


def _overview(state: State) -> OverviewInquiry | ComparedOverviewInquiry:
    window = state.compared
    return OverviewInquiry(state.query) if window is None else ComparedOverviewInquiry(state.query, window)


def _overview_body(answered: Answered[ComparedOverviewInquiry, ComparedTraffic]) -> dict[str, Any]:
    traffic, window = answered.result, answered.inquiry.window
    return {
        "data": traffic_figures(traffic.now),
        "previous": traffic_figures(traffic.before),
        "comparison": answered.comparison(window),
        "dataSince": None if traffic.since is None else instant_text(traffic.since),
    }


def _timeseries(state: State) -> TimeseriesInquiry:
    zone, query = state.zone, state.query
    return TimeseriesInquiry(query, state.size, zone)


def _realtime(state: State) -> RealtimeInquiry:
    now = state.parameters.now
    return RealtimeInquiry(ReportQuery(Period(now - ONLINE, now), ()))


def _realtime_body(answered: Answered[RealtimeInquiry, Realtime]) -> dict[str, Any]:
    return {"data": answered.rows[0]}


def _live(state: State) -> LiveInquiry:
    return LiveInquiry(ReportQuery(live_period(state.parameters.now), state.parameters.filters()))


def _live_body(answered: Answered[LiveInquiry, Live]) -> dict[str, Any]:
    live, start = answered.result, answered.inquiry.query.period.start
    lists = {"pages": live.pages, "sources": live.sources, "countries": live.countries}
    data = {
        "visitors": live.visitors,
        "pageviews": live.pageviews,
        "minutes": [
            {"time": instant_text(start + number * MINUTE), "visitors": visitors}
            for number, visitors in enumerate(live.minutes)
        ],
        **{
            name: [{"value": row.value, "visitors": row.visitors} for row in rows]
            for name, rows in lists.items()
        },
    }
    return {"data": data}


REPORTS: Reports = {
    # An explanation asks for one period.
    "overview": Report(
        panels=frozenset({SharedPanel.OVERVIEW}),
        explained="overview",
        shown=COMPARED,
        inquiry=_overview,
        body=_overview_body,
    ),
    "timeseries": Report(
        panels=frozenset({SharedPanel.OVERVIEW}), explained="timeseries", own=BUCKET, inquiry=_timeseries
    ),
    "realtime": Report(common=frozenset({"as_of"}), inquiry=_realtime, body=_realtime_body),
    "live": Report(common=frozenset({"as_of", "filters", "segment"}), inquiry=_live, body=_live_body),
}
