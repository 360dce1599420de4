"""Bots and AI over HTTP (docs/track/bots.md#report)."""

from typing import Any

from footfall.adapters.http.resources.reports.description import PAGED, Answered, Report, Reports, State
from footfall.adapters.http.wire.report_bodies import page_meta
from footfall.adapters.http.wire.report_parameters import COMMON
from footfall.application.reports.catalogue.bots import BotsInquiry, bot_record, service_record
from footfall.domain.bot_traffic.bot_traffic import BotReport, filters_on_bots
from footfall.domain.periods.timezone import zone_or_utc
from footfall.domain.traffic.report_query import ReportQuery


def _bots(state: State) -> BotsInquiry:
    query = state.query
    filters = state.parameters.read(lambda _: filters_on_bots(query.filters), query.filters)
    record = state.directory.site(str(state.reader.site_id))
    zone, domain = ("UTC", "") if record is None else (record.site.config.time_zone, record.site.domain)
    return BotsInquiry(
        ReportQuery(query.period, filters),
        zone_or_utc(zone),
        domain,
        state.page,
    )


def _bots_body(answered: Answered[BotsInquiry, BotReport]) -> dict[str, Any]:
    inquiry, report = answered.inquiry, answered.result
    first, last = map(str, inquiry.days)
    return {
        "data": [
            bot_record(row) | {"pages": [{"page": page, "requests": number} for page, number in row.pages]}
            for row in inquiry.page.of(report.bots)
        ],
        "answers": [service_record(*sent) for sent in report.answers],
        "meta": {**page_meta(inquiry.page, len(report.bots)), "refusedFrom": first, "refusedTo": last},
    }


REPORTS: Reports = {
    "bots": Report(
        common=COMMON - {"as_of", "segment"},
        has_past=False,
        shown=PAGED,
        inquiry=_bots,
        body=_bots_body,
    )
}
