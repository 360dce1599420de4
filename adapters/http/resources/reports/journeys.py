"""Journeys over HTTP (docs/read/journeys.md)."""

from typing import Any

from footfall.adapters.http.resources.reports.description import Answered, Report, Reports, State
from footfall.adapters.http.wire.report_parameters import COMPARED
from footfall.application.reports.catalogue.journeys import (
    GROUPS,
    PARAMETERS,
    Journeys,
    JourneysInquiry,
    engaged_body,
    journey_query,
    step_body,
)
from footfall.domain.journeys.journey import JourneyQuery, JourneyReport, JourneyStep
from footfall.domain.sites.sharing.shared_links import SharedPanel


def _journeys(state: State) -> JourneysInquiry:
    directory, site_id = state.directory, state.reader.site_id
    journey = state.parameters.read(lambda texts: journey_query(texts, directory, site_id), JourneyQuery())
    return JourneysInquiry(state.query, journey, state.compared if state.parameters.compares else None)


def _journeys_body(answered: Answered[JourneysInquiry, Journeys]) -> dict[str, Any]:
    journeys, window = answered.result, answered.inquiry.window
    data: dict[str, Any] = {"sessions": journeys.now.sessions}
    if journeys.before is not None:
        data["previous"] = journeys.before.sessions
    data |= {"steps": [_step_body(journeys, number) for number in journeys.numbers], "links": answered.rows}
    return {"data": data} | ({} if window is None else {"comparison": answered.comparison(window)})


def _step_body(journeys: Journeys, number: int) -> dict[str, Any]:
    """Return the steps of one number; those named, the others and those that ended before add up to the step before."""
    now, before = journeys.now, journeys.before
    names = [
        {**step_body(way.step), "sessions": way.sessions, **engaged_body(way.engaged)}
        | ({} if before is None else {"previous": _took(before, number, way.step)})
        for way in now.steps(number)
        if way.step is not None
    ]
    body = {"step": number, **_sums(now, number, names=names)}
    return body if before is None else body | {"previous": _sums(before, number)}


def _sums(report: JourneyReport, number: int, **named: Any) -> dict[str, Any]:
    return {
        "sessions": report.reached(number),
        **named,
        "others": _took(report, number, None),
        "ended": report.ended_before(number),
    }


def _took(report: JourneyReport, number: int, step: JourneyStep | None) -> int:
    return sum(way.sessions for way in report.steps(number) if way.step == step)


REPORTS: Reports = {
    "journeys": Report(
        panels=frozenset({SharedPanel.JOURNEYS}),
        explained="journeys",
        own=(*PARAMETERS, GROUPS),
        shown=COMPARED,
        inquiry=_journeys,
        body=_journeys_body,
    ),
}
