"""The words and numbers of an explanation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType

from attrs import frozen

from footfall.adapters.web.counting import counted as of_things
from footfall.adapters.web.counting import units
from footfall.adapters.web.formatting import day, decimals, exact_duration, sentence, value_name
from footfall.adapters.web.labels import action_label, journey_step_label
from footfall.adapters.web.reports.explanation.subjects import FIGURES
from footfall.adapters.web.reports.view import View
from footfall.application.citations.changes import Arrived, Cause
from footfall.application.journal.history import type_name
from footfall.application.languages.language import marked, spoken, tr
from footfall.application.reports.catalogue.breakdowns import ALL_PAGES
from footfall.domain.citations.changes import ChangedRow, Number, Origin
from footfall.domain.citations.definitions import Redefinition
from footfall.domain.journeys.journey import JourneyStepType

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"
_ORIGINS: Mapping[Origin, str] = MappingProxyType(
    marked(
        {
            Origin.IN_TIME: "that arrived in time",
            Origin.LATE: "that arrived more than five minutes late",
            Origin.IMPORT: "of imports",
            Origin.ENGAGEMENT: "of engaged time and scroll depth",
        }
    )
)
_HEADS: Mapping[Origin, str] = MappingProxyType(
    marked(
        {
            Origin.IN_TIME: "In time",
            Origin.LATE: "Late",
            Origin.IMPORT: "Imported",
            Origin.ENGAGEMENT: "Engagement",
        }
    )
)
_PERCENT = frozenset({"bounce_rate", "conversion_rate", "rate", "conversionRate", "change"})
_SECONDS = frozenset({"average_session_duration", "engaged_time", "time_on_page", "median_seconds"})


@frozen
class ShownRow:
    """A line of the table: its label, the figure in both answers, and the part of each cause."""

    label: str
    before: str
    parts: Sequence[str]
    after: str


def cause_text(cause: Cause, names: Mapping[str, str], *, belongs: bool, counted: bool = True) -> str:
    """Return a cause in words: 3 events that arrived in time, Goal changed: Pricing viewed.

    The names of exclusion rules are for those who belong to the organization. Events are those of all sessions: not
    `counted` for the readers of a link, which can show some of them.
    """
    if isinstance(cause, Arrived):
        unit = "report" if cause.origin is Origin.ENGAGEMENT else "event"
        origin = tr(_ORIGINS[cause.origin])
        if not counted:
            return sentence(f"{units(2, unit)} {origin}")
        return f"{of_things(cause.hits, unit)} {origin}"
    if isinstance(cause, Redefinition):
        return tr(
            "Definition of {subject} changed: both answers are counted by that of today",
            subject=cause.definition.subject,
        )
    label = action_label(type_name(cause.type))
    name = names.get(cause.stream) if cause.rule_name is None else cause.rule_name if belongs else None
    return label if name is None else f"{label}: {name}"


def cause_head(cause: Cause, number: int) -> str:
    """Return the head of a column: In time, or the number of the decision in the list."""
    return tr(_HEADS[cause.origin]) if isinstance(cause, Arrived) else tr("Change {number}", number=number)


def figure_label(name: str) -> str:
    """Return the label of a figure: Visitors, LCP p75."""
    metric, _, part = name.partition("_p")
    return tr(FIGURES[name]) if name in FIGURES else f"{metric.upper()} p{part}"


def shown_row(row: ChangedRow, name: str, label: str) -> ShownRow:
    """Return one figure of a row as a line."""
    return ShownRow(
        label,
        shown(row.before.get(name, 0), name),
        [signed(part.get(name, 0), name) for part in row.parts],
        shown(row.after.get(name, 0), name),
    )


def row_label(
    key: Sequence[str], by: str, view: View, names: Mapping[str, str], own: Mapping[str, str]
) -> str:
    """Return the label of a row: the value, the bucket, the step, or the name of a goal or a group of errors.

    `own` are the parameters of the report.
    """
    text = " ".join(key)
    match by:
        case "goals":
            return names.get(text, tr("Goal {number}", number=text))
        case "error-groups" | "error-costs":
            return names.get(text, text)
        case "funnels":
            return tr("Step {number}", number=text)
        case "journeys":
            number, *ends = key
            source, target = (_journey_step(kind, name, own) for kind, name in (ends[:2], ends[2:]))
            return f"{number}. {source} → {target}"
        case "vitals":
            return tr("All pages") if text == ALL_PAGES else text
        case "chart" | "occurrences" | "property-timeseries":
            return view.bucket_label(datetime.fromisoformat(text))
        case "retention":
            time, after = key
            cohort = tr("All cohorts") if time == str(None) else day(view.local(datetime.fromisoformat(time)))
            return tr("{cohort}, after {number}", cohort=cohort, number=after)
        case "property":
            kind, value = key
            return f"{value or NONE} ({kind})"
    return value_name(text, by)


def effect(row: ChangedRow, number: int) -> str:
    """Return what a cause changed in a row, in words: +1 visitors, +2 pageviews."""
    moved = [
        f"{signed(value, key)} {figure_label(key).lower()}"
        for key, value in row.parts[number].items()
        if value
    ]
    return ", ".join(moved) or tr("no difference")


def shown(value: Number | None, name: str) -> str:
    """Return a figure with all its decimals, so that the parts can be added up by eye."""
    if value is None:
        return NONE
    number = Decimal(str(value))
    if name in _PERCENT:
        return spoken().percentage(decimals(number * 100))
    if name == "percentage":
        return spoken().percentage(decimals(number))
    return exact_duration(number) if name in _SECONDS else decimals(number)


def signed(value: Number, name: str) -> str:
    """Return a difference with its sign: +3, +1.5s, 0."""
    if not value:
        return "0"
    text = shown(abs(value), name)
    return f"+{text}" if value > 0 else f"{MINUS}{text}"


def _journey_step(kind: str, name: str, own: Mapping[str, str]) -> str:
    label = journey_step_label(kind, name, is_backward="before" in own)
    return f"{label} ({tr(kind)})" if kind in (JourneyStepType.GROUP, JourneyStepType.EVENT) else label
