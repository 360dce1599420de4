"""Queries about a change of a goal, a funnel or the excluded countries, day by day (docs/what-if.md)."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from attrs import frozen

from footfall.application.ports.reports.what_if_reports import WhatIfReports
from footfall.domain.exceptions import Invalid
from footfall.domain.funnels.checking import check_plan, countable_steps
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.funnels.funnel_change import FunnelChange, WhatIf
from footfall.domain.goals.goal import Rule
from footfall.domain.periods.buckets import BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.sites.exclusions import parse_excluded_countries
from footfall.domain.tracking.hit import MOST_AHEAD, MOST_BEHIND
from footfall.domain.traffic.country_refusals import Refusals
from footfall.domain.traffic.filters import Filter

MAX_DAYS = 400
_DAY = timedelta(days=1)


@frozen
class Days:
    """The local days of a period, which may be cut at its edges."""

    dates: Sequence[date]
    periods: Sequence[Period]


@frozen(kw_only=True)
class WhatIfQuery:
    """The period of a what-if with its days, and the filters that select its sessions."""

    period: Period
    days: Days
    filters: Sequence[Filter] = ()


def what_if_query(window: ReportPeriod, filters: Sequence[Filter] = ()) -> WhatIfQuery:
    """Return the query about a period.

    Raises:
        Invalid: the period has more than 400 days.

    """
    if window.period.length > MAX_DAYS * _DAY:
        raise Invalid({"start_date": [f"must leave at most {MAX_DAYS} days to compare"]})
    buckets = split_into_buckets(window.period, BucketSize.DAY, window.zone)
    dates = [_local(bucket.period.start, window) for bucket in buckets]
    days = Days(dates, [bucket.period for bucket in buckets])
    return WhatIfQuery(period=window.period, days=days, filters=filters)


def funnel_change(
    before: FunnelPlan, after: FunnelPlan, goals: Mapping[int, Rule], *, rotating: bool
) -> FunnelChange:
    """Return the change of a funnel on a site with these goals.

    Raises:
        FunnelNotCountable: the saved funnel has a deleted goal, or visitors can no longer be followed over days.
        Invalid: the changed one names a goal that the site does not have, or cannot follow visitors.

    """
    check_plan(after, goals, rotating=rotating)
    return FunnelChange(
        countable_steps(before, goals, rotating=rotating), countable_steps(after, goals, rotating=rotating)
    )


async def compare(reports: WhatIfReports, site_id: int, change: FunnelChange, query: WhatIfQuery) -> WhatIf:
    """Return what a change would do.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters, or the pattern of a step, takes too long.

    """
    return await reports.compare(site_id, change, query.period, query.days.periods, query.filters)


async def refused(
    reports: WhatIfReports, site_id: int, countries: Sequence[str], query: WhatIfQuery
) -> Refusals:
    """Return what a site would have refused if it had excluded some countries.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    return await reports.refused(site_id, countries, query.period, query.days.periods)


def span_of_arrivals(period: Period) -> Period:
    """Return the span in which hits lie that arrive in a period."""
    return Period(period.start - MOST_BEHIND, period.end + MOST_AHEAD)


def countries_of(body: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the countries that a body with `excludedCountries` names.

    Raises:
        Invalid: there is none, or an entry is no country code; the error names `excludedCountries`.

    """
    entries = body.get("excludedCountries")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, str) for entry in entries):
        raise Invalid({"excludedCountries": ["must be an array of one or more country codes"]})
    return parse_excluded_countries(entries)


def _local(at: datetime, window: ReportPeriod) -> date:
    return at.astimezone(window.zone).date()
