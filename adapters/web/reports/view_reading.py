"""The view that an address of a dashboard names."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from falcon.asgi import Request

from footfall.adapters.web.reports.filters.filter_texts import ADDED, as_written, filter_parts, with_key
from footfall.adapters.web.reports.panels.breakdowns import PANELS
from footfall.adapters.web.reports.periods import CALENDAR, DAYS, period_named
from footfall.adapters.web.reports.view import METRICS, View
from footfall.application.reports.catalogue.cohorts import FIRST, FIRST_GOAL
from footfall.application.reports.catalogue.journeys import OF_LISTS
from footfall.application.reports.catalogue.revenue import PARAMETERS as REVENUE
from footfall.application.reports.catalogue.sessions import ERROR
from footfall.application.reports.query_parameters import (
    COMPARED_DATES,
    COMPARISONS,
    parse_comparison,
    parse_report_period,
)
from footfall.domain.exceptions import Invalid
from footfall.domain.number import identifier
from footfall.domain.periods.buckets import parse_bucket_size
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.periods.timezone import parse_zone, zone_or_utc
from footfall.domain.traffic.filters import Filter, parse_filters

DEFAULT_PERIOD = "30d"
INCLUDE = "include"
# Whether panels list groups of pages in the place of their paths: `off` lists the paths.
GROUPS = "groups"
_DATES = ("start_date", "end_date")
_PARAMETERS = (
    "period",
    "start_date",
    "end_date",
    "time_zone",
    "compare",
    *COMPARED_DATES,
    "bucket",
    "order",
    "metric",
    *PANELS,
    "funnels",
    "funnel_by",
    "properties",
    "plain",
    "as_of",
    "excluded",
    GROUPS,
    "segment",
    "filter",
)
# The parameters of single pages: what they are about, and how their lists are searched and sorted.
_OWN = (
    *REVENUE,
    "cohort",
    "goal",
    "event",
    "key",
    "message",
    "status",
    "sort",
    "search",
    "visitor",
    ERROR,
    *FIRST,
    FIRST_GOAL,
    *OF_LISTS,
)
# The key of the family that a panel is asked for in a form.
KEY = "by_key"
_EMBEDDED = ("embed", "on")
# What the address of a frame says about its looks.
_OF_FRAMES = ("theme", "panels")
THEMES = ("light", "dark")
# Values of Sec-Fetch-Dest for the contents of a frame (https://w3c.github.io/webappsec-fetch-metadata/).
_FRAMES = frozenset({"iframe", "frame", "embed", "object"})


def is_embedded(req: Request) -> bool:
    """Return whether the page is for a frame, by its address or by the browser's header."""
    return req.params.get("embed") == "on" or req.get_header("Sec-Fetch-Dest") in _FRAMES


def is_of_all_time(req: Request) -> bool:
    """Return whether an address asks about the period that begins with the first data."""
    return req.params.get("period") == "all" and not any(name in req.params for name in _DATES)


def own_parameters(req: Request) -> dict[str, str]:
    """Return what a page shows that is no part of the view, without the place in its list."""
    return {name: text for name in _OWN if isinstance(text := req.params.get(name), str)}


def read_view(
    req: Request, base: str, now: datetime, *, time_zone: str, since: datetime | None = None
) -> View:
    """Return the view of an address, in the time zone of the site unless the address names another one.

    All time begins with `since`.

    Raises:
        Invalid: a parameter is not valid; the errors name what is accepted.

    """
    texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
    zone = _zone(req, texts.get("time_zone"), time_zone)
    period, window = _period(texts, zone, now, since)
    window = _compared(texts, window)
    own = _filters(_parts(req))
    typed = _filters(_added(req))
    # Nothing was before all time.
    compares = texts.get("compare") != "off" and (period != "all" or COMPARED_DATES[0] in texts)
    metric = texts.get("metric", "visitors")
    return View(
        base=base,
        parameters=_parameters(req),
        period=period,
        window=window,
        filters=own,
        own=own,
        includes_excluded=_includes_excluded(texts),
        segment=_segment(texts),
        metric=metric if metric in METRICS else "visitors",
        compares=compares,
        bucket=None if "bucket" not in texts else parse_bucket_size(texts["bucket"]),
        at=now,
        by_change=texts.get("order") == "change" and compares,
        embedded=is_embedded(req),
        theme=_theme(req, texts),
        panels=_panels(req, texts),
        plain=texts.get("plain") == "on",
        lists_paths=texts.get(GROUPS) == "off",
        typed=next(iter(typed), None),
    )


def _parameters(req: Request) -> tuple[tuple[str, str], ...]:
    values = {name: value if isinstance(value, list) else [value] for name, value in req.params.items()}
    names = (*_PARAMETERS, *_OF_FRAMES) if is_embedded(req) else _PARAMETERS
    values["filter"] = list(map(as_written, values.get("filter", [])))
    key = "".join(values.get(KEY, []))
    values |= {name: [with_key(value, key) for value in values[name]] for name in PANELS if name in values}
    pairs = tuple((name, value) for name in names for value in values.get(name, []))
    # Links in a frame stay in the frame.
    return (*pairs, _EMBEDDED) if is_embedded(req) else pairs


def _theme(req: Request, texts: Mapping[str, str]) -> str | None:
    # The address of a frame was written for all readers, and stays readable by versions that know other names.
    theme = texts.get("theme")
    return theme if is_embedded(req) and theme in THEMES else None


def _panels(req: Request, texts: Mapping[str, str]) -> tuple[str, ...] | None:
    if not is_embedded(req) or "panels" not in texts:
        return None
    return tuple(name.strip() for name in texts["panels"].split(",") if name.strip())


def _zone(req: Request, requested: str | None, of_site: str) -> ZoneInfo:
    if requested is None or is_embedded(req):
        # The address of a frame was written for all readers, and stays readable where a zone is not known.
        return zone_or_utc(requested or of_site)
    return parse_zone(requested)


def _period(
    texts: Mapping[str, str], zone: ZoneInfo, now: datetime, since: datetime | None
) -> tuple[str, ReportPeriod]:
    if "start_date" in texts or "end_date" in texts:
        return "custom", parse_report_period({**_in_order(_dates(texts)), "time_zone": zone.key}, now=now)
    period = texts.get("period", DEFAULT_PERIOD)
    window = period_named(period, zone, now, since)
    if window is None:
        names = ", ".join([*DAYS, *CALENDAR])
        raise Invalid({"period": [f"must be one of {names}, a month such as 2026-01 or a year such as 2026"]})
    return period, window


def _compared(texts: Mapping[str, str], window: ReportPeriod) -> ReportPeriod:
    """Return the period with the one that it is compared with; dates in the wrong order mean the same days."""
    dates = {name: texts[name] for name in COMPARED_DATES if texts.get(name)}
    if len(dates) == len(COMPARED_DATES):
        dates = dict(zip(COMPARED_DATES, sorted(dates.values()), strict=True))
    kind = texts.get("compare")
    named = {"compare_with": kind} if kind is not None and kind in COMPARISONS and not dates else {}
    return parse_comparison({**dates, **named}, window)


def _dates(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: texts[name] for name in _DATES if name in texts}


def _in_order(dates: Mapping[str, str]) -> Mapping[str, str]:
    # Dates in the wrong order mean the same days.
    if len(dates) == len(_DATES) and dates["start_date"] > dates["end_date"]:
        return {"start_date": dates["end_date"], "end_date": dates["start_date"]}
    return dates


def _filters(parts: Sequence[Sequence[str]]) -> tuple[Filter, ...]:
    if any(len(part) != 3 for part in parts):  # noqa: PLR2004 - parameter, type, value
        raise Invalid({"filter": ["must be a parameter, a type and a value with commas between them"]})
    return parse_filters([{"parameter": name, "type": kind, "value": [value]} for name, kind, value in parts])


def _parts(req: Request) -> list[list[str]]:
    """Return the filters of an address in their parts."""
    texts = req.params.get("filter", [])
    return [filter_parts(text) for text in (texts if isinstance(texts, list) else [texts])]


def _added(req: Request) -> list[list[str]]:
    """Return the filter that the form for filters adds, in its parts; none when the form was not sent."""
    parameter, key, *others = [req.params.get(name) for name in ADDED]
    if not isinstance(parameter, str):
        return []
    named = with_key(parameter, key if isinstance(key, str) else "")
    return [[named, *(part for part in others if isinstance(part, str))]]


def _includes_excluded(texts: Mapping[str, str]) -> bool:
    if "excluded" in texts and texts["excluded"] != INCLUDE:
        raise Invalid({"excluded": [f"must be {INCLUDE}, to count what the exclusion rules leave out"]})
    return "excluded" in texts


def _segment(texts: Mapping[str, str]) -> int | None:
    number = identifier(texts.get("segment", ""))
    if number is None and "segment" in texts:
        raise Invalid({"segment": ["must be the number of a segment"]})
    return number
