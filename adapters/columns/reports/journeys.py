"""Journeys by columns: the hits of each session from the beginning on, in order, and how many went which way."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.columns.reports.engagement import hits_with_engagement
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import rule_condition
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import Kept, compose, over, select
from footfall.domain.goals.goal import EventRule
from footfall.domain.journeys.journey import (
    MOST_STEPS,
    NOT_REPORTED,
    JourneyQuery,
    JourneyReport,
    JourneyStep,
    JourneyStepType,
    StepEngagement,
    report_of,
)
from footfall.domain.traffic.report_query import ReportQuery

# By their numbers in the query.
_KINDS = (JourneyStepType.EVENT, JourneyStepType.GROUP, JourneyStepType.PAGE)


@frozen
class ColumnJourneys:
    """JourneyReports from files and fresh rows."""

    _columns: Columns

    async def journeys(self, site_id: int, query: JourneyQuery, asked: ReportQuery) -> JourneyReport:
        """Return the journeys of a period."""
        return await self._columns.answer(site_id, asked, lambda reading: _read(reading, query))


async def _read(reading: Reading, query: JourneyQuery) -> JourneyReport:
    selection = reading.selection
    text = over(
        compose("journeys/journeys"),
        **_ways(query, selection, hits=lambda that: hits_with_engagement(reading, that)),
        shown=Kept(compose(f"journeys/{'most_taken' if query.named is None else 'as_named'}")),
    )
    named = [
        {"number": number, "kind": _KINDS.index(step.type), "name": step.name}
        for number, steps in enumerate(query.named or (), start=1)
        for step in sorted(steps)
    ]
    rows = await reading.query(
        text, named=json.dumps(named), most_names=query.most_names, **journey_parameters(query)
    )
    [(_, _, _, _, _, sessions, *_), *rows] = sorted(rows, key=lambda row: row[0])
    passages: dict[tuple[int, JourneyStep | None, JourneyStep | None], int] = {}
    views: dict[tuple[int, JourneyStep | None], StepEngagement] = {}
    for number, *named, took, pageviews, engaged_ms, scrolled, scroll_percent in rows:
        source, target = _step(named[:2]), _step(named[2:])
        # A row of none has what was reported of further hits of steps.
        if took:
            passages[number, source, target] = took
        reported = StepEngagement(pageviews, engaged_ms, scrolled, scroll_percent)
        views[number, target] = views.get((number, target), NOT_REPORTED) + reported
    return report_of(sessions, passages, views)


def sessions_with(query: JourneyQuery, selection: Selection) -> str:
    """Return the query of the ids of the sessions whose journeys count; `journey_parameters` are its values."""
    return over(compose("journeys/sessions"), **_ways(query, selection, hits=selection.hits))


def journey_parameters(query: JourneyQuery) -> dict[str, Any]:
    """Return the values of the parameters of the steps of journeys."""
    return {"begins_at": 0 if query.is_whole else 1, "most_steps": MOST_STEPS, "ended": query.ended}


def _ways(query: JourneyQuery, selection: Selection, hits: Callable[[str], str]) -> dict[str, str]:
    """Return the queries of the steps of the journeys that count, by their names; `hits` makes that of the hits."""
    conditions = [_with_step(number, [step], selection, "in") for number, step in query.chosen]
    if query.ended is not None:
        conditions.append(compose("journeys/ended"))
    if query.other_than is not None:
        number, steps = query.other_than
        conditions.append(_with_step(number, sorted(steps), selection, "not in"))
    order = "desc" if query.is_backward else "asc"
    numbered = compose("journeys/numbered", order=order)
    return {
        **_steps(query, selection, hits),
        "numbered": Kept(numbered) if conditions else numbered,
        "named_step": compose("journeys/named_step"),
        "way": Kept(select("numbered", "number <= $most_steps", *conditions)),
    }


def _with_step(number: int, steps: Sequence[JourneyStep], selection: Selection, how: str) -> str:
    """Return the condition that the step of a number is one of some steps, or none of them."""
    named = [f"({_KINDS.index(step.type)}, {selection.values.add(step.name)})" for step in steps]
    is_one = f"(kind, name) {how} ({', '.join(named)})"
    return f"session_id in ({select('named_step', f'number = {number}', is_one, columns='session_id')})"


def _steps(query: JourneyQuery, selection: Selection, hits: Callable[[str], str]) -> dict[str, str]:
    """Return the queries of the hits with their steps, and of those that journeys follow, by their names."""
    types = ", ".join(f"'{hit_type}'" for hit_type in query.types)
    is_step = f"type in ({types})"
    if query.is_whole:
        marks = "true as is_step, false as begins"
        source, followed = hits(is_step), "whole"
    else:
        begins = _begins(query, selection)
        followed = "before" if query.is_backward else "after"
        if query.has_events or not isinstance(query.rule, EventRule):
            # With a condition of two parts DuckDB expects few rows, and joins them to names the wrong way around.
            source, is_step = hits(is_step), "true"
        else:
            source = hits(f"({is_step} or {begins})")
        marks = f"{is_step} as is_step, {begins} as begins"
    relations, kind = _names(query, selection)
    if query.groups.rules:
        source = over(compose("journeys/hits_in_groups"), hits=source)
    step_hit = compose(f"journeys/step_hit_by_{kind}")
    return {
        **relations,
        "source": source,
        "marked": select("source", columns=f"*, {marks}"),
        "step_hit": step_hit if query.is_whole else Kept(step_hit),
        "beginning": compose("journeys/beginning"),
        "followed": compose(f"journeys/followed_{followed}"),
    }


def _begins(query: JourneyQuery, selection: Selection) -> str:
    """Return the condition that a journey can begin at a hit."""
    if query.rule is not None:
        return rule_condition(query.rule, selection.values)
    return f"type = 'pageview' and group_name = {selection.values.add(query.group)}"


def _names(query: JourneyQuery, selection: Selection) -> tuple[dict[str, str], str]:
    """Return the queries of what names steps, by their names, and by what hits find theirs."""
    names, kind, grouped = "pages", "name" if query.has_events else "path", dict[str, str]()
    if query.groups.rules:
        names, kind = "pages_in_groups", "group"
        of_hits = f"type = 'pageview' and {compose('selection/inside')}"
        # The paths of the period that belong to a group.
        grouped["grouped"] = Kept(selection.group_names(query.groups, of_hits=of_hits))
    pages = compose(f"journeys/{names}")
    named = over(compose("journeys/with_events"), pages=pages) if query.has_events else pages
    return {**grouped, "names": named, "name": Kept(compose("journeys/named"))}, kind


def _step(named: Sequence[Any]) -> JourneyStep | None:
    kind, name = named
    return None if kind is None else JourneyStep(_KINDS[kind], name)
