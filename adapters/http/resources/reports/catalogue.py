"""The reports of the interface, by their addresses below a site, and those whose changes are explained."""

from functools import partial

from footfall.adapters.http.resources.endpoint import Endpoints
from footfall.adapters.http.resources.reports import (
    bots,
    breakdowns,
    cohorts,
    errors,
    funnels,
    goals,
    journeys,
    properties,
    revenue,
    sessions,
    traffic,
)
from footfall.adapters.http.resources.reports.description import Reports, answer_report

REPORTS: Reports = {
    address: report
    for module in (
        traffic,
        sessions,
        goals,
        breakdowns,
        bots,
        cohorts,
        funnels,
        journeys,
        properties,
        revenue,
        errors,
    )
    for address, report in module.REPORTS.items()
}
EXPLAINED: Reports = {report.explained: report for report in REPORTS.values() if report.explained is not None}
ENDPOINTS = Endpoints()
for _address, _report in REPORTS.items():
    ENDPOINTS.of_reader("GET", f"/{_address}", _report.access, _report.panels)(
        partial(answer_report, report=_report)
    )
