"""Journeys over HTTP (docs/journeys.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from footfall.adapters.http.resources.reports.description import Answered, Report, State
from footfall.application.reports.catalogue.journeys import (
    GROUPS,
    PARAMETERS,
    JourneysInquiry,
    journey_query,
    step_body,
)
from footfall.domain.journeys.journey import JourneyQuery, JourneyReport


def _journeys(state: State) -> JourneysInquiry:
    directory, site_id = state.directory, state.reader.site_id
    journey = state.parameters.read(lambda texts: journey_query(texts, directory, site_id), JourneyQuery())
    return JourneysInquiry(state.query, journey)


def _journeys_body(answered: Answered[JourneysInquiry, JourneyReport]) -> dict[str, Any]:
    report = answered.result
    steps = [_step_body(report, number) for number in report.numbers]
    return {"data": {"sessions": report.sessions, "steps": steps, "links": answered.rows}}


def _step_body(report: JourneyReport, number: int) -> dict[str, Any]:
    """Return the steps of one number; those named, the others and those that ended before add up to the step before."""
    steps = report.steps(number)
    return {
        "step": number,
        "sessions": report.reached(number),
        "names": [{**step_body(one.step), "sessions": one.sessions} for one in steps if one.step is not None],
        "others": sum(one.sessions for one in steps if one.step is None),
        "ended": report.ended_before(number),
    }


REPORTS: Mapping[str, Report[Any, Any]] = MappingProxyType(
    {
        "journeys": Report(
            explained="journeys", own=(*PARAMETERS, GROUPS), inquiry=_journeys, body=_journeys_body
        ),
    }
)
