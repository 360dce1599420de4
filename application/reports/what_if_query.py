"""Queries about a change of a goal, a funnel or exclusions, day by day (docs/goals/what-if.md)."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.funnel_reports.funnel_change import FunnelChange
from footfall.domain.funnels.checking import check_plan, countable_steps
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import Rule
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.sites.configuration import SETTINGS, ConfigChanges, ListSetting, normalized
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.event_time import MOST_AHEAD, MOST_BEHIND
from footfall.domain.traffic.exclusion_what_if import Exclusion
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery

MAX_DAYS = 400
_DAY = timedelta(days=1)


@frozen(kw_only=True)
class WhatIfQuery(ReportQuery):
    """The query of a what-if, with the local days of its period and their `dates`; at its edges days may be cut."""

    dates: Sequence[date]
    days: Sequence[Period]


def what_if_query(window: ReportPeriod, filters: Sequence[Filter] = ()) -> WhatIfQuery:
    """Return the query about a period.

    Raises:
        Invalid: the period has more than 400 days.

    """
    if window.period.length > MAX_DAYS * _DAY:
        raise Invalid({"start_date": [f"must leave at most {MAX_DAYS} days to compare"]})
    buckets = split_into_buckets(window.period, BucketSize.DAY, window.zone)
    dates = [_local(bucket.period.start, window) for bucket in buckets]
    days = [bucket.period for bucket in buckets]
    return WhatIfQuery(period=window.period, dates=dates, days=days, filters=filters)


def funnel_change(
    before: FunnelPlan, after: FunnelPlan, goals: Mapping[int, Rule], *, reach: VisitorReach
) -> FunnelChange:
    """Return the change of a funnel on a site with these goals.

    Raises:
        FunnelNotCountable: the saved funnel has a deleted goal, or visitors can no longer be followed over days.
        Invalid: the changed one names a goal that the site does not have, or cannot follow visitors.

    """
    check_plan(after, goals, reach=reach)
    return FunnelChange(
        countable_steps(before, goals, reach=reach), countable_steps(after, goals, reach=reach)
    )


def span_of_arrivals(period: Period) -> Period:
    """Return the span in which hits lie that arrive in a period."""
    return Period(period.start - MOST_BEHIND, period.end + MOST_AHEAD)


def exclusion_of(body: Mapping[str, Any], setting: ListSetting) -> Exclusion:
    """Return the entries of a list of exclusions that a body names, as they would be stored.

    Raises:
        Invalid: there are none, or one is not accepted; the error names the setting.

    """
    name = SETTINGS[setting].name
    entries = body.get(name)
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, str) for entry in entries):
        raise Invalid({name: ["must be an array of one or more texts"]})
    return exclusion(setting, entries)


def exclusion(setting: ListSetting, entries: Iterable[str]) -> Exclusion:
    """Return entries of a list of exclusions as they would be stored.

    Raises:
        Invalid: one is not accepted; the error names the setting.

    """
    named: dict[str, Any] = {setting.value: tuple(entries)}
    accepted = normalized(ConfigChanges(**named))
    return Exclusion(setting, getattr(accepted, setting.value))


def _local(at: datetime, window: ReportPeriod) -> date:
    return at.astimezone(window.zone).date()
