"""Retention over HTTP: cohorts of visitors, and how many of them came back (docs/read/retention.md)."""

from typing import Any

from footfall.adapters.http.resources.reports.description import Answered, Report, Reports, State
from footfall.adapters.http.resources.reports.funnels import compares
from footfall.adapters.http.wire.report_bodies import with_times
from footfall.application.reports.catalogue.cohorts import (
    CohortsInquiry,
    RetentionReport,
    cell_record,
    cohort_record,
    cohorts_inquiry,
    site_in,
)
from footfall.domain.cohorts.cohorts import Cohort, CohortPlan, parse_cohort_size
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import SharedPanel


def _cohorts(state: State) -> CohortsInquiry:
    parameters, window = state.parameters, state.compared
    own, filters = state.query.period, parameters.filters()
    size = parameters.read(lambda texts: parse_cohort_size(texts.get("cohort")), BucketSize.WEEK)
    goal, has_comparison = parameters.goal(), parameters.read(compares, otherwise=False)
    parameters.check()

    def plan(period: Period) -> CohortPlan:
        return CohortPlan(period, size, state.zone, parameters.now, goal)

    before = None if window is None or not has_comparison else plan(window.before)
    return cohorts_inquiry(plan(own), filters, site_in(state.directory, state.reader.site_id), before)


def _body(answered: Answered[CohortsInquiry, RetentionReport]) -> dict[str, Any]:
    retention, kept_since = answered.result, answered.inquiry.kept_since
    body: dict[str, Any] = {
        "data": [_cohort(cohort) for cohort in retention.cohorts],
        "average": [with_times(cell_record(cell)) for cell in retention.average],
        "dataSince": None if retention.since is None else instant_text(retention.since),
        "keptSince": None if kept_since is None else instant_text(kept_since),
    }
    if retention.before is None:
        return body
    window = answered.state.parameters.compared_window()
    before = [with_times(cell_record(cell)) for cell in retention.before]
    return body | {"previous": before, "comparison": answered.comparison(window)}


def _cohort(cohort: Cohort) -> dict[str, Any]:
    cells = [with_times(cell_record(cell)) for cell in cohort.cells]
    return with_times(cohort_record(cohort)) | {"cells": cells}


REPORTS: Reports = {
    "retention": Report(
        panels=frozenset({SharedPanel.RETENTION}),
        explained="retention",
        own=("cohort", "goal"),
        shown=("compare",),
        inquiry=_cohorts,
        body=_body,
    )
}
