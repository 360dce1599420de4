"""Journeys by columns: the hits of each session from the beginning on, in order, and how many went which way."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.columns.reports.engagement import engaged
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import rule_condition
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import compose
from footfall.domain.goals.goal import EventRule
from footfall.domain.journeys.journey import (
    MOST_NAMES,
    MOST_STEPS,
    NOT_REPORTED,
    JourneyQuery,
    JourneyReport,
    JourneyStep,
    JourneyStepType,
    StepEngagement,
    report_of,
)
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter

# By their numbers in the query.
_KINDS = (JourneyStepType.EVENT, JourneyStepType.GROUP, JourneyStepType.PAGE)


@frozen
class ColumnJourneys:
    """JourneyReports from files and fresh rows."""

    _columns: Columns

    async def journeys(
        self, site_id: int, query: JourneyQuery, period: Period, filters: Sequence[Filter] = ()
    ) -> JourneyReport:
        """Return the journeys of a period."""
        return await self._columns.answer(site_id, period, filters, lambda reading: _read(reading, query))


async def _read(reading: Reading, query: JourneyQuery) -> JourneyReport:
    engagement = ", ".join(engaged(reading, value) for value in ("engaged_ms", "scroll_percent"))
    ways = _ways(query, reading.selection, engagement)
    text = compose("journeys/journeys", **ways, shown=_shown(query, reading.selection))
    [(_, _, _, _, _, sessions, *_), *rows] = sorted(await reading.query(text), key=lambda row: row[0])
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
    """Return the query of the ids of the sessions whose journeys count."""
    return compose("journeys/sessions", **_ways(query, selection, compose("journeys/not_engaged")))


def _ways(query: JourneyQuery, selection: Selection, engagement: str) -> dict[str, str]:
    """Return the steps of the journeys that count, as pieces of a query."""
    chosen = [
        compose(
            "journeys/chosen",
            number=str(number),
            kind=str(_KINDS.index(step.type)),
            name=selection.values.add(step.name),
        )
        for number, step in query.chosen
    ]
    chosen += [] if query.ended is None else [compose("journeys/ended", number=str(query.ended))]
    if query.other_than is not None:
        number, steps = query.other_than
        others = [f"({_KINDS.index(step.type)}, {selection.values.add(step.name)})" for step in sorted(steps)]
        chosen.append(compose("journeys/other_than", number=str(number), others=", ".join(others)))
    return {
        **_hits(query, selection),
        **_names(query, selection),
        "chosen": " and ".join(chosen) if chosen else "true",
        "counted_twice": "materialized" if chosen else "not materialized",
        "order": "desc" if query.is_backward else "asc",
        "steps": str(MOST_STEPS),
        "engagement": engagement,
    }


def _shown(query: JourneyQuery, selection: Selection) -> str:
    """Return which steps are named, as a piece of the query."""
    if query.named is None:
        return compose("journeys/most_taken", most=str(MOST_NAMES))
    steps = [
        f"({number}, {_KINDS.index(step.type)}, {selection.values.add(step.name)})"
        for number, named in enumerate(query.named, start=1)
        for step in sorted(named)
    ]
    # No step has the number 0: the list of values is never empty.
    return compose("journeys/as_named", steps=", ".join(["(0, 0, '')", *steps]))


def _hits(query: JourneyQuery, selection: Selection) -> dict[str, str]:
    """Return which hits are read, and from where on journeys follow them, as pieces of the query."""
    types = ", ".join(f"'{hit_type}'" for hit_type in query.types)
    is_step = f"type in ({types})"
    if query.is_whole:
        every = {"is_step": "true", "begins": "false", "offset": "0", "kept": "not materialized"}
        hits, followed = selection.hits(is_step), "journeys/followed_whole"
        return {**every, "hits": _grouped(hits, query), "followed": compose(followed)}
    begins = _begins(query, selection)
    if query.has_events or not isinstance(query.rule, EventRule):
        # With a condition of two parts DuckDB expects few rows, and joins them to names the wrong way around.
        hits, is_step = selection.hits(is_step), "true"
    else:
        hits = selection.hits(f"({is_step} or {begins})")
    return {
        "is_step": is_step,
        "begins": begins,
        "offset": "1",
        "kept": "materialized",
        "hits": _grouped(hits, query),
        "followed": compose(f"journeys/followed_{'before' if query.is_backward else 'after'}"),
    }


def _begins(query: JourneyQuery, selection: Selection) -> str:
    """Return the condition that a journey can begin at a hit."""
    if query.rule is not None:
        return rule_condition(query.rule, selection.values)
    name = selection.values.add(query.group)
    return compose("journeys/in_group", name=name)


def _grouped(hits: str, query: JourneyQuery) -> str:
    """Return the query of hits with the groups of their pages, where groups are asked for."""
    return compose("journeys/hits_in_groups", hits=hits) if query.groups.rules else hits


def _names(query: JourneyQuery, selection: Selection) -> dict[str, str]:
    """Return what names steps, as pieces of the query."""
    pages, named, is_named, grouped = "pages", "step", "is_step", ""
    if query.groups.rules:
        pages, named = "pages_in_groups", "step_in_groups"
        groups = selection.group_names(query.groups, of_hits=compose("journeys/of_pages"))
        grouped = compose("journeys/grouped", groups=groups)
    elif not query.has_events:
        # Compared by their paths alone, pages are found faster.
        named, is_named = "page", "is_page"
    names = compose(f"journeys/{pages}")
    return {
        "grouped": grouped,
        "names": compose("journeys/with_events", pages=names) if query.has_events else names,
        "named": compose(f"journeys/{named}"),
        "is_named": compose(f"journeys/{is_named}"),
    }


def _step(named: Sequence[Any]) -> JourneyStep | None:
    kind, name = named
    return None if kind is None else JourneyStep(_KINDS[kind], name)
