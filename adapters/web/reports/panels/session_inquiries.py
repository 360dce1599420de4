"""What the views of a dashboard ask about sessions one by one, and about their journeys."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from footfall.adapters.web.reports.panels.inquiries import names_comparison, query_of
from footfall.adapters.web.reports.panels.rows import PanelRows, searched
from footfall.adapters.web.reports.view import View
from footfall.application.access.readers import Reader
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord
from footfall.application.reports.catalogue.cohorts import asks_first, listed_first
from footfall.application.reports.catalogue.goals import GoalSessionsInquiry
from footfall.application.reports.catalogue.journeys import (
    OF_LISTS,
    PARAMETERS,
    JourneysInquiry,
    asks_journey,
    journey_query,
)
from footfall.application.reports.catalogue.sessions import ERROR, SessionsInquiry, listed_errors
from footfall.application.reports.tables import MAX_ROWS
from footfall.domain.cohorts.cohorts import all_until, end_of_minute
from footfall.domain.journeys.journey import JourneyQuery
from footfall.domain.periods.period import Period
from footfall.domain.visits.session_list import parse_place, parse_visitor


def of_sessions(view: View, goal: GoalRecord, reader: Reader, rows: PanelRows) -> GoalSessionsInquiry:
    """Return what is asked about the sessions that completed a goal."""
    return GoalSessionsInquiry(query_of(view), goal.query, reader, rows.choice, rows.page)


def of_visits(view: View, parameters: Mapping[str, Any], most: int = MAX_ROWS) -> SessionsInquiry:
    """Return what is asked about sessions one by one, from the place on that the address names.

    Raises:
        Invalid: the text to search for, the visitor or the place is not valid.

    """
    texts = {name: value for name, value in parameters.items() if isinstance(value, str)}
    visitor, after = parse_visitor(texts.get("visitor") or None), parse_place(texts.get("cursor"))
    return SessionsInquiry(query_of(view), searched(texts), visitor, after, most)


def with_definitions(
    visits: SessionsInquiry, view: View, parameters: Mapping[str, Any], directory: Directory, site_id: int
) -> SessionsInquiry:
    """Return what is asked about sessions one by one, with the journey, the errors and the days of first visits.

    Raises:
        Invalid: a parameter is not valid.

    """
    is_asked = asks_journey(parameters)
    journey = _journey_of(OF_LISTS, view, parameters, directory, site_id) if is_asked else None
    errors = listed_errors(parameters.get(ERROR), directory.error_decisions(site_id))
    first = listed_first(parameters, view.window.zone, view.at, directory, site_id)
    return evolve(visits, journey=journey, errors=errors, first=first)


def span_of(view: View, parameters: Mapping[str, Any]) -> Period | None:
    """Return the time of all visits that a list of first visits depends on; None of other lists."""
    if not asks_first(parameters):
        return None
    return all_until(max(view.window.period.end, end_of_minute(view.at)))


def of_journeys(
    view: View, parameters: Mapping[str, Any], directory: Directory, site_id: int
) -> JourneysInquiry:
    """Return what is asked about journeys.

    Raises:
        Invalid: a parameter is not valid.

    """
    journey = _journey_of(PARAMETERS, view, parameters, directory, site_id)
    return JourneysInquiry(query_of(view), journey, view.compared_window if names_comparison(view) else None)


def _journey_of(
    names: Sequence[str], view: View, parameters: Mapping[str, Any], directory: Directory, site_id: int
) -> JourneyQuery:
    # Whether groups are steps, the view says.
    texts = {name: text for name in names if isinstance(text := parameters.get(name), str)}
    journey = journey_query(texts, directory, site_id)
    # One that names a group has groups in any case.
    return journey if journey.groups.rules else evolve(journey, groups=view.groups)
