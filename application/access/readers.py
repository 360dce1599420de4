"""Readers of reports: which goals, funnels, segments and filters a request may name (docs/share/sharing.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from footfall.application.access.authorization import Grant
from footfall.application.access.exclusions import exclusion_filters
from footfall.application.access.segments import visible_segments
from footfall.application.access.shared_links import (
    NOT_SHOWN,
    WITHHELD,
    LinkLimits,
    dimension_for,
    is_for_members,
    require_shareable,
)
from footfall.application.journal.directory_records import FunnelRecord, GoalRecord
from footfall.application.journal.interface_documents import condition_documents, conditions_of
from footfall.domain.citations.positions import Positions
from footfall.domain.exceptions import FunnelNotCountable, Invalid, noting, require_valid
from footfall.domain.funnels.checking import countable_steps
from footfall.domain.funnels.steps import LastStep, reaching
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.sites.segment import Condition, Segment
from footfall.domain.sites.standing_exclusions import StandingExclusions
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.traffic.dimensions import of_events_alone
from footfall.domain.traffic.filters import (
    FUNNEL,
    GOAL,
    GROUP_PARAMETERS,
    ExpressionCompiler,
    Filter,
    no_expressions,
    parse_filters,
    with_expressions,
)

_NOT_ASKED = "the segment of this link cannot be used: members of the site's organization can change it"
_FOR_MEMBERS = "{parameter} is only for members of the site's organization"


@frozen
class Reader:
    """A reader of one site's reports; `belongs` tells whether they belong to its organization, as viewers do."""

    site_id: int
    belongs: bool
    # The goals, funnels and groups of pages that filters and parameters may name.
    goals: Sequence[GoalRecord] = ()
    funnels: Sequence[FunnelRecord] = field(default=(), kw_only=True)
    page_groups: PageGroups = field(default=UNGROUPED, kw_only=True)
    # The segments that the reader may use, by their numbers.
    segments: Mapping[int, Segment] = field(factory=dict)
    # The earlier positions that the request asks about; None for the present.
    as_of: Positions | None = None
    # The compiler of the regular expressions of filters.
    expressions: ExpressionCompiler = no_expressions
    # What the link of the reader shows; None without such a link.
    limits: LinkLimits | None = field(default=None, kw_only=True)
    # The rules that leave sessions out of what the reader sees.
    exclusions: StandingExclusions = field(factory=StandingExclusions, kw_only=True)

    @classmethod
    def of(
        cls,
        grant: Grant,
        goals: Sequence[GoalRecord] = (),
        expressions: ExpressionCompiler = no_expressions,
        *,
        funnels: Sequence[FunnelRecord] = (),
        limits: LinkLimits | None = None,
    ) -> "Reader":
        """Return the reader with this access to a site, whose goals and funnels are given, with those of a link."""
        user_id = None if grant.caller is None else grant.caller.user_id
        site = grant.site_record.site
        segments = visible_segments(site, user_id)
        return cls(
            grant.site_id,
            grant.belongs,
            goals,
            segments,
            expressions=expressions,
            funnels=funnels,
            limits=limits,
            exclusions=site.exclusions,
            page_groups=site.page_groups,
        )

    def shown(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return one session or occurrence without the fields that are withheld from this reader."""
        if self.belongs:
            return body
        return body | {name: value for name, value in WITHHELD.items() if name in body}

    def permitted(self, filters: Iterable[Filter]) -> tuple[Filter, ...]:
        """Return the filters of a request if this reader may use them, with their goals, funnels and expressions.

        Other readers filter by the properties of custom events only, and those of a link by what it shows.

        Raises:
            Invalid: one of them is for members only or not shown, names a goal or a step of a funnel that the site does
                not have, or has a regular expression that is not accepted; the errors name `filters` and their parts.

        """
        requested = tuple(filters)
        if self.belongs:
            return self._resolved(requested)
        # Before what a filter names is looked for: a refusal must not tell whether it is there.
        names = sorted({condition.parameter for condition in requested})
        if errors := [fault for name in names if (fault := self._fault_of(name)) is not None]:
            raise Invalid({"filters": errors})
        resolved = self._resolved(requested)
        return tuple(
            evolve(condition, parameter=of_events_alone(condition.parameter)) for condition in resolved
        )

    def permitted_dimension(self, by: str) -> str:
        """Return the dimension of a breakdown if this reader may use it: for others a property of custom events only.

        Raises:
            Invalid: it is for members only; the error names `by`.

        """
        if not self.belongs and (fault := self._fault_of(by)) is not None:
            raise Invalid({"by": [fault]})
        return dimension_for(by, belongs=self.belongs)

    def filters_of_segment(self, number: int | None) -> tuple[Filter, ...]:
        """Return the filters of a segment if this reader may use it; none without a number.

        Raises:
            Invalid: there is no such segment, or one of its filters is not permitted, such as an expression that an
                earlier version accepted; the error names `segment`.

        """
        if number is None:
            return ()
        segment = self.segments.get(number)
        if segment is None or self.limits is not None:
            raise Invalid({"segment": ["must be the number of a segment of this site that you can see"]})
        try:
            return self.permitted(parse_filters(condition_documents(segment.conditions)))
        except Invalid as refusal:
            raise Invalid({"segment": refusal.messages}) from None

    @property
    def limited(self) -> tuple[Filter, ...]:
        """The filters of the segment of the reader's link, which every report is asked with."""
        return () if self.limits is None else self.limits.filters

    def exclusion(self) -> tuple[Filter, ...]:
        """Return the filter that leaves out what the rules of the site name; none without such rules.

        Raises:
            Invalid: as `exclusion_filters` does.

        """
        return exclusion_filters(self.exclusions, self.expressions)

    def goal(self, goal_id: int) -> GoalQuery | None:
        """Return what to ask reports about a goal of the site; None when the site has no such goal."""
        record = next((record for record in self.goals if record.goal.goal_id == goal_id), None)
        return None if record is None else record.query

    def may_use(self, name: str) -> bool:
        """Return whether the reader may count and filter by a dimension."""
        return self.belongs or self._fault_of(name) is None

    def _fault_of(self, name: str) -> str | None:
        """Return why a reader who is no member may not count or filter by a dimension; None if they may."""
        if is_for_members(name):
            return _FOR_MEMBERS.format(parameter=name)
        return None if self.limits is None or self.limits.shows(name) else NOT_SHOWN.format(parameter=name)

    def _resolved(self, filters: Sequence[Filter]) -> tuple[Filter, ...]:
        errors: dict[str, list[str]] = {}
        requested = tuple(filters)
        for resolve in (self._with_goals, self._with_funnels, self._with_groups, self._with_expressions):
            with noting(errors):
                requested = resolve(requested)
        require_valid(errors)
        return requested

    def _with_expressions(self, filters: Sequence[Filter]) -> tuple[Filter, ...]:
        return with_expressions(filters, self.expressions)

    def _with_goals(self, filters: Sequence[Filter]) -> tuple[Filter, ...]:
        errors: dict[str, list[str]] = {}
        resolved = []
        for index, condition in enumerate(filters):
            goals = [
                (value, self.goal(int(value))) for value in condition.values if condition.parameter == GOAL
            ]
            if missing := [value for value, goal in goals if goal is None]:
                errors[f"filters[{index}].value"] = [f"this site has no goal {', '.join(missing)}"]
            resolved.append(evolve(condition, goals=tuple(goal for _, goal in goals if goal is not None)))
        require_valid(errors)
        return tuple(resolved)

    def _with_funnels(self, filters: Sequence[Filter]) -> tuple[Filter, ...]:
        errors: dict[str, list[str]] = {}
        resolved = []
        for index, condition in enumerate(filters):
            if condition.parameter != FUNNEL:
                resolved.append(condition)
                continue
            try:
                steps = dict.fromkeys(self._last_step(value) for value in condition.values)
            except FunnelNotCountable as refusal:
                errors[f"filters[{index}].value"] = [refusal.message]
            else:
                resolved.append(evolve(condition, last_steps=tuple(steps)))
        require_valid(errors)
        return tuple(resolved)

    def _with_groups(self, filters: Sequence[Filter]) -> tuple[Filter, ...]:
        errors: dict[str, list[str]] = {}
        resolved = []
        for index, condition in enumerate(filters):
            if condition.parameter not in GROUP_PARAMETERS:
                resolved.append(condition)
                continue
            if missing := [name for name in condition.values if name not in self.page_groups.names]:
                errors[f"filters[{index}].value"] = [f"this site has no group of pages {', '.join(missing)}"]
            resolved.append(evolve(condition, groups=self.page_groups))
        require_valid(errors)
        return tuple(resolved)

    def _last_step(self, value: str) -> LastStep:
        funnel_id, _, step = value.partition(".")
        number = int(step.removesuffix("-"))
        funnels = {str(record.funnel.funnel_id): record.funnel.plan for record in self.funnels}
        plan = funnels.get(funnel_id)
        if plan is None or number > len(plan.steps):
            raise FunnelNotCountable(f"this site has no funnel {funnel_id} with {number} steps")
        if plan.within_days is not None:
            raise FunnelNotCountable(
                f"funnel {funnel_id} counts visitors: only funnels within sessions select some of them"
            )
        rules = {record.goal.goal_id: record.goal.rule for record in self.goals}
        steps = countable_steps(plan, rules, reach=VisitorReach.FOREVER)
        return reaching(steps.rules, number) if step.endswith("-") else LastStep(steps.rules, number)


def limits_of(
    grant: Grant,
    goals: Sequence[GoalRecord],
    funnels: Sequence[FunnelRecord],
    expressions: ExpressionCompiler,
) -> LinkLimits | None:
    """Return the limits of the reader of a link, with its segment as members see it at present; None without a link.

    In the past, too, the link shows what its present segment selects by the present goals, funnels and groups of pages.

    Raises:
        Invalid: the segment cannot be asked with any more; the error names `segment` and nothing of its filters.

    """
    if grant.link is None:
        return None
    terms, site = grant.link.terms, grant.site_record.site
    member = Reader(
        site.site_id,
        belongs=True,
        goals=goals,
        segments=visible_segments(site, None),
        expressions=expressions,
        funnels=funnels,
        page_groups=site.page_groups,
    )
    try:
        require_shareable(site, terms.segment)
        filters = member.filters_of_segment(terms.segment)
    except Invalid:
        raise Invalid({"segment": [_NOT_ASKED]}) from None
    return LinkLimits(frozenset(terms.panels), filters)


def checked_conditions(reader: Reader, filters: Sequence[Filter]) -> tuple[Condition, ...]:
    """Return filters as the conditions of a segment.

    Raises:
        Invalid: there are none, or one of them is not permitted; the errors name `filters` and their parts.

    """
    if not filters:
        raise Invalid({"filters": ["must have at least one filter"]})
    return conditions_of(reader.permitted(filters))
