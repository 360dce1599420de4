"""Journeys by columns: the hits of each session from the beginning on, in order, and how many went which way."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from footfall.adapters.columns.reports.expressions import rule_condition
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.reports.selection import Selection
from footfall.adapters.columns.sql_files import compose
from footfall.domain.journeys.journey import (
    MOST_NAMES,
    MOST_STEPS,
    JourneyQuery,
    JourneyReport,
    JourneyStep,
    JourneyStepType,
    report_of,
)
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter


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
    values = reading.selection.values
    chosen = [
        compose(
            "journeys/chosen",
            number=str(number),
            is_page="true" if step.type is JourneyStepType.PAGE else "false",
            name=values.add(step.name),
        )
        for number, step in query.chosen
    ]
    text = compose(
        "journeys/journeys",
        **_hits(query, reading.selection),
        **_names(query),
        chosen=" and ".join(chosen) if chosen else "true",
        order="desc" if query.is_backward else "asc",
        steps=str(MOST_STEPS),
        most=str(MOST_NAMES),
    )
    [(_, _, _, _, _, sessions), *rows] = sorted(await reading.query(text), key=lambda row: row[0])
    passages = {(row[0], _step(row[1:3]), _step(row[3:5])): row[5] for row in rows}
    return report_of(sessions, passages)


def _hits(query: JourneyQuery, selection: Selection) -> dict[str, str]:
    """Return which hits are read, and from where on journeys follow them, as pieces of the query."""
    types = ", ".join(f"'{hit_type}'" for hit_type in query.types)
    is_step = f"type in ({types})"
    if query.rule is None:
        every = {"is_step": "true", "begins": "false", "offset": "0", "kept": "not materialized"}
        return {**every, "hits": selection.hits(is_step), "followed": compose("journeys/followed_whole")}
    begins = rule_condition(query.rule, selection.values)
    return {
        "is_step": is_step,
        "begins": begins,
        "offset": "1",
        "kept": "materialized",
        "hits": selection.hits(f"({is_step} or {begins})"),
        "followed": compose(f"journeys/followed_{'before' if query.is_backward else 'after'}"),
    }


def _names(query: JourneyQuery) -> dict[str, str]:
    """Return what names steps, as pieces of the query."""
    kind = "page_or_event" if query.has_events else "page"
    return {
        "names": compose("journeys/pages_and_events" if query.has_events else "journeys/pages"),
        "named": compose(f"journeys/{kind}"),
        "is_named": compose(f"journeys/is_{kind}"),
    }


def _step(named: Sequence[Any]) -> JourneyStep | None:
    is_page, name = named
    if is_page is None or name is None:
        return None
    return JourneyStep(JourneyStepType.PAGE if is_page else JourneyStepType.EVENT, name)
