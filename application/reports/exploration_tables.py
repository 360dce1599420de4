"""Funnels, properties, causes of errors, their costs, annotations, live traffic: as tables (docs/http-api/files.md)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from footfall.application.access.disclosure import Reader
from footfall.application.reports.error_costs import CostlyGroup
from footfall.application.reports.error_groups import ListedGroup
from footfall.application.reports.tables import Table, table_of
from footfall.domain.annotations.annotations import Annotation
from footfall.domain.error_tracking.loss import Loss
from footfall.domain.funnels.progress import StepProgress
from footfall.domain.percentage import percentage
from footfall.domain.periods.period import Period
from footfall.domain.traffic.live import MINUTE, Live
from footfall.domain.traffic.properties import NumberPoint, PropertyCount, PropertyValues

_GROUP = (
    *(
        "id",
        "message",
        "errorName",
        "fileName",
        "count",
        "sessionCount",
        "percentage",
        "firstSeen",
        "lastSeen",
    ),
    *("firstRelease", "lastRelease", "regressedRelease", "status", "assignee"),
)
_COSTS = ("sessions", "conversions", "conversionRate")
_LOSS = {
    "comparedSessions": "compared",
    "comparedConversions": "compared_converted",
    "otherSessions": "others",
    "otherConversions": "others_converted",
    "conversionsLost": "lost",
    "low": "low",
    "high": "high",
    "costly": "is_costly",
}


def funnel_table(
    names: Sequence[str], found: Sequence[StepProgress], before: Sequence[StepProgress] | None = None
) -> Table:
    """Return the steps of a funnel, beside those of the compared period if there is one."""
    columns = ("step", "name", "reached", "rate", "went_on", "dropped_off", "median_seconds", "left")
    rows = [
        {
            "step": number,
            "name": name,
            "reached": one.reached,
            "rate": one.reached / found[0].reached if found[0].reached else 0.0,
            **_departures(one, later),
            "previous": None if earlier is None else earlier.reached,
        }
        for number, (name, one, later, earlier) in enumerate(
            zip_longest(names, found, found[1:], before or ()), start=1
        )
    ]
    return table_of((*columns, *(["previous"] if before else [])), rows)


def properties_table(found: Iterable[PropertyCount], event: str, currencies: Mapping[Any, str]) -> Table:
    """Return the properties of an event."""
    rows = [
        {
            "property": one.key,
            "count": one.count,
            "sessions": one.sessions,
            "currency": currencies.get((event, one.key)),
        }
        for one in found
    ]
    return table_of(("property", "count", "sessions", "currency"), rows)


def property_values_table(found: PropertyValues) -> Table:
    """Return the values of a property."""
    rows = [
        {
            "type": one.type,
            "value": one.value,
            "count": one.count,
            "sessions": one.sessions,
            "percentage": percentage(one.count, found.count),
        }
        for one in found.values
    ]
    return table_of(("type", "value", "count", "sessions", "percentage"), rows)


def number_points_table(points: Iterable[NumberPoint]) -> Table:
    """Return the numbers of a property in each bucket."""
    rows = [
        {
            "time": one.time,
            "count": one.count,
            "sum": float(one.sum),
            "average": float(one.sum / one.count) if one.count else None,
        }
        for one in points
    ]
    return table_of(("time", "count", "sum", "average"), rows)


def error_groups_table(groups: Iterable[ListedGroup], reader: Reader) -> Table:
    """Return groups of errors; only members see to whom they are assigned."""
    return table_of(_GROUP, [_group_row(one, reader) for one in groups])


def error_costs_table(groups: Iterable[CostlyGroup], reader: Reader) -> Table:
    """Return what errors cost a goal; without comparable sessions there is no estimate."""
    rows = [
        {
            **_group_row(one.listed, reader),
            "sessions": one.cost.met.sessions,
            "conversions": one.cost.met.converted,
            "conversionRate": one.cost.met_rate,
            **_loss_row(one.cost.loss),
        }
        for one in groups
    ]
    return table_of(("id", "message", "errorName", "status", *_COSTS, *_LOSS), rows)


def annotations_table(annotations: Iterable[Annotation]) -> Table:
    """Return annotations of charts and marks of deploys."""
    rows = [
        {"annotationId": one.annotation_id, "at": one.at, "text": one.text, "release": one.release}
        for one in annotations
    ]
    return table_of(("annotationId", "at", "text", "release"), rows)


def _departures(one: StepProgress, later: StepProgress | None) -> dict[str, Any]:
    if later is None:
        return {}
    return {
        "went_on": later.reached,
        "dropped_off": one.reached - later.reached,
        "median_seconds": None if one.median is None else one.median.total_seconds(),
        "left": one.left,
    }


def _group_row(listed: ListedGroup, reader: Reader) -> dict[str, Any]:
    summary, history = listed.summary, listed.summary.history
    return {
        "id": summary.group,
        "count": summary.count,
        "sessionCount": summary.session_count,
        "percentage": summary.percentage,
        "message": history.message,
        "errorName": history.error_name,
        "fileName": history.file_name,
        "firstSeen": history.first_seen,
        "lastSeen": history.last_seen,
        "firstRelease": history.first_release,
        "lastRelease": history.last_release,
        "regressedRelease": history.regressed_release,
        "status": listed.status,
        "assignee": listed.decision.assignee if reader.belongs else None,
    }


def _loss_row(loss: Loss | None) -> dict[str, Any]:
    return {} if loss is None else {column: getattr(loss, name) for column, name in _LOSS.items()}


def live_table(found: Live, period: Period) -> Table:
    """Return the last half hour as rows of a minute, page, source or country with its visitors.

    The first row has the visitors of all of them.
    """
    minutes = ((period.start + number * MINUTE, visitors) for number, visitors in enumerate(found.minutes))
    lists = {"page": found.pages, "source": found.sources, "country": found.countries}
    rows: list[dict[str, Any]] = [
        {"kind": "all", "value": None, "visitors": found.visitors},
        *({"kind": "minute", "value": at, "visitors": visitors} for at, visitors in minutes),
        *(
            {"kind": kind, "value": row.value, "visitors": row.visitors}
            for kind, listed in lists.items()
            for row in listed
        ),
    ]
    return table_of(("kind", "value", "visitors"), rows)
