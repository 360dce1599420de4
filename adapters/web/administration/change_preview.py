"""What-ifs on the pages of goals, funnels, settings and rules, about chosen days or the last 30.

See docs/goals/what-if.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from attrs import evolve, frozen

from footfall.adapters.web.formatting import days
from footfall.adapters.web.reports.filters.filter_texts import filter_text
from footfall.adapters.web.services import Dashboard
from footfall.application.access.exclusions import exclusion_filters, filters_of
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.reports.catalogue.funnels import rules_of
from footfall.application.reports.exclusions import ExclusionEffect, left_out
from footfall.application.reports.page_groups import GroupingEffect, grouping_effect
from footfall.application.reports.query_parameters import parse_report_period
from footfall.application.reports.what_if_query import (
    WhatIfQuery,
    funnel_change,
    span_of_arrivals,
    what_if_query,
)
from footfall.domain.funnel_reports.funnel_change import FunnelChange, WhatIf, change_of_goal
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import Rule, with_groups
from footfall.domain.paths.page_groups import PageGroups
from footfall.domain.sites.segment import Condition
from footfall.domain.traffic.exclusion_what_if import Exclusion, Refusals
from footfall.domain.traffic.filters import FilterType
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import Session

_DATES = ("start_date", "end_date")


@frozen(kw_only=True)
class ShownWhatIf:
    """A what-if of a goal or a funnel: its counts by day, and its examples with the addresses of their visits."""

    result: WhatIf
    days: str
    dates: Sequence[date]
    zone: ZoneInfo
    gained: Sequence[tuple[Session, str]]
    lost: Sequence[tuple[Session, str]]


@frozen(kw_only=True)
class ShownRefusals:
    """The hits that would have been refused by other exclusions, by day."""

    result: Refusals
    days: str
    dates: Sequence[date]
    exclusion: Exclusion


@frozen(kw_only=True)
class ShownLeftOut:
    """What an exclusion rule would leave out, by day, and examples with the addresses of their visits."""

    result: ExclusionEffect
    days: str
    dates: Sequence[date]
    zone: ZoneInfo
    examples: Sequence[tuple[Session, str]]


@frozen
class WhatIfs:
    """Answers what-ifs in the time zone of the site.

    `dates` are the first and the last day as the fields `start_date` and `end_date` of a form have them; without both
    it is about the last 30 days.
    """

    _services: Dashboard

    async def of_goal(
        self, record: SiteRecord, before: Rule, after: Rule, dates: Mapping[str, str]
    ) -> ShownWhatIf:
        """Return what another rule of a goal would do.

        Raises:
            Invalid: a pattern takes too long, or the dates are no period of at most 400 days.
            StoreUnavailable: the store does not answer.

        """
        return await self._compare(
            record, change_of_goal(before, with_groups(after, record.site.page_groups)), dates
        )

    async def of_funnel(
        self, record: SiteRecord, before: FunnelPlan, after: FunnelPlan, dates: Mapping[str, str]
    ) -> ShownWhatIf:
        """Return what another plan of a funnel would do.

        Raises:
            FunnelNotCountable: the saved plan cannot be counted.
            Invalid: the other one cannot, a pattern takes too long, or the dates are no period.
            StoreUnavailable: the store does not answer.

        """
        rules, reach = rules_of(self._services.directory, record.site.site_id)
        change = funnel_change(before, after, rules, reach=reach)
        return await self._compare(record, change, dates)

    async def of_exclusion(
        self, record: SiteRecord, exclusion: Exclusion, dates: Mapping[str, str]
    ) -> ShownRefusals:
        """Return what would have been refused if these entries had been on their list.

        Raises:
            Invalid: the dates are no period of at most 400 days.
            StoreUnavailable: the store does not answer.

        """
        site_id, query = record.site.site_id, self._query(record, dates)
        async with self._services.present(record.site, span_of_arrivals(query.period)) as answer:
            refusals = await answer.reports.what_ifs.refused(site_id, exclusion, query.period, query.days)
        return ShownRefusals(
            result=refusals, days=_days(query, dates), dates=query.dates, exclusion=exclusion
        )

    async def of_rule(
        self, record: SiteRecord, conditions: Sequence[Condition], dates: Mapping[str, str]
    ) -> ShownLeftOut:
        """Return what an exclusion rule would leave out beside the other rules of the site.

        Raises:
            Invalid: the dates are no period of at most 400 days, or a rule of the site is refused.
            StoreUnavailable: the store does not answer.

        """
        site_id, zone = record.site.site_id, record.site.zone
        others = exclusion_filters(record.site.exclusions, self._services.expressions)
        query = evolve(self._query(record, dates), filters=others)
        rule = filters_of(conditions, self._services.expressions)
        async with self._services.present(record.site, query.period) as answer:
            effect = await left_out(answer.reports, site_id, rule, query, zone)
        return ShownLeftOut(
            result=effect,
            days=_days(query, dates),
            dates=query.dates,
            zone=zone,
            examples=_linked(effect.examples, site_id, zone),
        )

    async def of_page_groups(self, record: SiteRecord, groups: PageGroups) -> GroupingEffect:
        """Return which paths of the last 30 days fall into which group of pages.

        Raises:
            Invalid: an exclusion rule of the site is refused, or the patterns take too long.
            StoreUnavailable: the store does not answer.

        """
        filters = exclusion_filters(record.site.exclusions, self._services.expressions)
        query, compile_patterns = (
            ReportQuery(self._query(record, {}).period, filters),
            self._services.compile_patterns,
        )
        async with self._services.present(record.site, query.period) as answer:
            breakdowns = answer.reports.breakdowns
            return await grouping_effect(breakdowns, record.site.site_id, groups, query, compile_patterns)

    async def _compare(
        self, record: SiteRecord, change: FunnelChange, dates: Mapping[str, str]
    ) -> ShownWhatIf:
        site_id, query = record.site.site_id, self._query(record, dates)
        filters = exclusion_filters(record.site.exclusions, self._services.expressions)
        zone = record.site.zone
        async with self._services.present(record.site, query.period) as answer:
            what_ifs = answer.reports.what_ifs
            result = await what_ifs.compare(site_id, change, ReportQuery(query.period, filters), query.days)
        return ShownWhatIf(
            result=result,
            days=_days(query, dates),
            dates=query.dates,
            zone=zone,
            gained=_linked(result.gained.sessions, site_id, zone),
            lost=_linked(result.lost.sessions, site_id, zone),
        )

    def _query(self, record: SiteRecord, dates: Mapping[str, str]) -> WhatIfQuery:
        chosen = {name: dates[name] for name in _DATES if dates.get(name)}
        zone = record.site.zone.key
        now = self._services.clock.now()
        return what_if_query(parse_report_period({**chosen, "time_zone": zone}, now=now))


def _days(query: WhatIfQuery, dates: Mapping[str, str]) -> str:
    """Return the days in words."""
    if any(dates.get(name) for name in _DATES):
        return days(query.dates[0], query.dates[-1])
    return "Last 30 days"


def _linked(sessions: Iterable[Session], site_id: int, zone: ZoneInfo) -> list[tuple[Session, str]]:
    return [(session, _visits_of(session, site_id, zone)) for session in sessions]


def _visits_of(session: Session, site_id: int, zone: ZoneInfo) -> str:
    """Return the address of the dashboard with the visits of a session's visitor on the days of the session."""
    parameters = {
        "start_date": session.start.astimezone(zone).date(),
        "end_date": session.end.astimezone(zone).date(),
        "filter": filter_text("user_id", FilterType.EQUALS, session.user_id),
    }
    return f"/sites/{site_id}?{urlencode(parameters)}"
