"""JSON bodies of reports (docs/read/programs); an unknown value is an empty text."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from footfall.application.journal.directory_records import FunnelRecord
from footfall.application.journal.interface_documents import rule_document, step_document
from footfall.application.reports.catalogue.sessions import SESSION, VISIT
from footfall.application.reports.goal_values import GoalValue
from footfall.application.reports.tables import Column, records_by
from footfall.domain.funnel_reports.funnel_report import StepProgress
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.pagination import Page
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.traffic.conversion import Conversions, GoalReport
from footfall.domain.traffic.properties import Numbers, Sum
from footfall.domain.traffic.session import Session
from footfall.domain.visits.trail import Step


def goal_report_body(report: GoalReport, values: Sequence[GoalValue] = ()) -> dict[str, Any]:
    """Return a goal with its conversions, and with its values if some property of its event is money."""
    return {
        **values_body(values),
        "goalId": report.goal.goal_id,
        "name": report.goal.name,
        **rule_document(report.goal.rule),
        "createdAt": instant_text(report.created_at),
        **conversions_body(report.conversions),
        **({"setAside": report.conversions.set_aside} if report.conversions.set_aside else {}),
    }


def values_body(values: Sequence[GoalValue]) -> dict[str, Any]:
    """Return the values of a goal as a field; no field if no property of its event is money."""
    valued = [
        {"property": value.property_key, "currency": value.currency, "numbers": numbers_body(value.numbers)}
        for value in values
    ]
    return {"values": valued} if valued else {}


def conversions_body(conversions: Conversions) -> dict[str, Any]:
    """Return the metrics of a goal; how many sessions have a pageview is not known of the values of a breakdown."""
    viewed = conversions.sessions_with_pageviews
    return {
        "total_conversions": conversions.conversions,
        "total_sessions": conversions.sessions,
        "conversion_rate": conversions.rate,
        **({} if viewed is None else {"total_sessions_with_pageviews": viewed}),
    }


def comparison_body(window: ReportPeriod, now: datetime) -> dict[str, Any]:
    """Return the bounds of a period, up to now if it is not over, and of the one that it is compared with."""
    bounds = {"current": window.elapsed(now), "previous": window.before}
    return {
        name: {"start": instant_text(period.start), "end": instant_text(period.end)}
        for name, period in bounds.items()
    }


def funnel_body(record: FunnelRecord) -> dict[str, Any]:
    """Return the definition of a funnel."""
    return {
        "funnelId": record.funnel.funnel_id,
        "name": record.funnel.plan.name,
        "withinDays": record.funnel.plan.within_days,
        "steps": [step_document(step) for step in record.funnel.plan.steps],
        "createdAt": instant_text(record.created_at),
    }


def progress_body(
    plan: FunnelPlan,
    names: Sequence[str],
    progress: Sequence[StepProgress],
    values: Sequence[Sequence[GoalValue]] = (),
) -> dict[str, Any]:
    """Return the progress in a funnel, with the money of each step where there is some."""
    counts = [step_progress.reached for step_progress in progress]
    steps = [
        {
            "name": name,
            **step_document(step),
            **_step_body(step_progress, later, counts[0]),
            **values_body(money),
        }
        for name, step, step_progress, later, money in zip(
            names, plan.steps, progress, [*counts[1:], None], values or [()] * len(counts), strict=True
        )
    ]
    return {
        "counted": "session" if plan.within_days is None else "visitor",
        "entered": counts[0],
        "completed": counts[-1],
        "conversion_rate": counts[-1] / counts[0] if counts[0] else 0.0,
        "steps": steps,
    }


def _step_body(progress: StepProgress, later: int | None, entered: int) -> dict[str, Any]:
    body: dict[str, Any] = {
        "reached": progress.reached,
        "rate": progress.reached / entered if entered else 0.0,
    }
    if later is None:
        return body
    return body | {
        "went_on": later,
        "dropped_off": progress.reached - later,
        "median_seconds": None if progress.median is None else progress.median.total_seconds(),
        "next": [{"pathname": path.path, "count": path.count} for path in progress.next_paths],
        "left": progress.left,
    }


def numbers_body(numbers: Sum) -> dict[str, Any] | None:
    """Return a summary of numbers, None without numbers; they are the doubles next to exact decimals."""
    if not numbers.count:
        return None
    body = {"count": numbers.count, "sum": float(numbers.sum), "average": numbers.average}
    median = numbers.median if isinstance(numbers, Numbers) else None
    return body if median is None else body | {"median": float(median)}


def session_bodies(
    sessions: Iterable[Session], columns: Mapping[str, Column] = SESSION
) -> list[dict[str, Any]]:
    """Return sessions."""
    return [
        {name: "" if value is None else value for name, value in row.items()}
        for row in records(columns, sessions)
    ]


def visit_bodies(sessions: Iterable[Session]) -> list[dict[str, Any]]:
    """Return sessions as members see them."""
    return session_bodies(sessions, {**SESSION, **VISIT})


def record(columns: Mapping[str, Column], item: Any) -> dict[str, Any]:
    """Return an item by the names of its columns, as JSON has them."""
    return records(columns, [item])[0]


def records(columns: Mapping[str, Column], items: Iterable[Any]) -> list[dict[str, Any]]:
    """Return items by the names of their columns, which are made ready once for all of them."""
    return list(map(with_times, records_by(columns, items)))


def with_times(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with their times as the interface writes them."""
    return {
        name: instant_text(value) if isinstance(value, datetime) else value for name, value in values.items()
    }


def step_body(step: Step) -> dict[str, Any]:
    """Return one step of the trail of a session."""
    hit = step.recorded.hit
    return {
        "timestamp": instant_text(hit.occurred_at),
        "type": hit.type.value,
        "pathname": hit.pathname or "",
        "text": step.text,
    }


def page_meta(page: Page, total: int) -> dict[str, int]:
    """Return the paging fields of a list."""
    return {"total": total, "page": page.number, "pageSize": page.size, "totalPages": page.count(total)}
