"""The sessions and hits that a report is about, as queries of DuckDB over the relations `session` and `hit`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from footfall.adapters.columns.queries import LeftOutSessions
from footfall.adapters.columns.selection.expressions import (
    Values,
    group_branches,
    hit_condition,
    ids_of,
    paths_of,
    rule_condition,
    session_condition,
)
from footfall.adapters.columns.selection.steps import MATCHED, step_hit, taken
from footfall.adapters.columns.sql_files import compose, over, select
from footfall.domain.funnels.steps import LastStep
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.paths.page_groups import PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import EXCLUSION, FUNNEL, GOAL, GROUP_PARAMETERS, Filter, is_of_hits
from footfall.domain.traffic.session import INACTIVITY

_PARAMETER = re.compile(r"\$([a-z_0-9]+)")


@frozen
class Selection:
    """The sessions that lie in a period and that filters select; `endless` filters look at hits of all times."""

    period: Period
    filters: Sequence[Filter]
    values: Values = field(factory=Values)
    endless: bool = field(default=False, kw_only=True)

    @property
    def sessions(self) -> str:
        """The query of the sessions."""
        return self.sessions_that()

    def sessions_that(self, *conditions: str) -> str:
        """Return the query of those of the sessions for which some conditions hold."""
        in_period = [compose("selection/spanning")]
        if self.period.length < INACTIVITY:
            in_period.append(compose("selection/with_hits_inside"))
        return select("session", *in_period, *self._filters(""), *conditions)

    @property
    def left_out(self) -> LeftOutSessions | None:
        """What selects the sessions that standing exclusions leave out, of all times."""
        rules = [
            rule for condition in self.filters if condition.parameter == EXCLUSION for rule in condition.rules
        ]
        if not rules:
            return None
        chosen = Selection(self.period, (), endless=True)
        text = ids_of(select("session", chosen._any_of(rules)))
        return LeftOutSessions(text, chosen.parameters(text), chosen.values.expressions)

    def hits(self, that: str) -> str:
        """Return the query of the sessions' hits in the period for which a condition holds."""
        return select("hit", compose("selection/inside"), that, *self._filters("session_"))

    @property
    def sessions_of_all_time(self) -> str:
        """The query of the sessions that the filters select, in the period or not; none is by goal or funnel."""
        return select("session", *self._filters(""))

    def hits_of_all_time(self, that: str) -> str:
        """Return the query of the hits of these sessions, in the period or not, for which a condition holds."""
        return select("hit", that, *self._filters("session_"))

    def grouped(self, source: str, column: str, groups: PageGroups) -> str:
        """Return a query of hits or sessions with groups of pages in the place of the paths of a column."""
        if not groups.rules:
            return source
        query = compose("selection/grouped", column=column)
        return over(query, source=source, grouped=self.group_names(groups))

    def group_names(self, groups: PageGroups, *, of_hits: str = "true") -> str:
        """Return the query of the paths that belong to a group, with its name, of all hits or those of a condition.

        Each path is compared once; a query takes seconds for a million paths, and is for one place of another query.
        """
        # The first pattern that a path matches is that of its group.
        branches = group_branches(groups, self.values, self.values.add)
        return over(
            select("named", "name is not null"),
            path=paths_of(of_hits),
            named=select("path", columns=f"pathname as path, case {branches} end as name"),
        )

    def converted(self, goals: Sequence[GoalQuery]) -> str:
        """Return the query of the ids of all sessions that reached one of some goals in the period."""
        inside = compose("selection/inside")
        matched = [rule_condition(goal.rule, self.values) for goal in goals]
        return " union all ".join(f"({ids_of(select('hit', inside, condition))})" for condition in matched)

    def parameters(self, query: str, **more: Any) -> Mapping[str, Any]:
        """Return the values of those parameters that a query names."""
        values = {"start": self.period.start, "end": self.period.end, **self.values.parameters, **more}
        return {name: values[name] for name in set(_PARAMETER.findall(query))}

    def _filters(self, prefix: str) -> list[str]:
        return [
            self._condition(condition, prefix)
            for condition in self.filters
            # The relations are without what these leave out.
            if condition.parameter != EXCLUSION
        ]

    def _condition(self, condition: Filter, prefix: str) -> str:
        if condition.parameter == FUNNEL:
            expression = self._ended_with(condition.last_steps)
        elif condition.parameter == GOAL:
            expression = f"session_id in ({self.converted(condition.goals)})"
        elif condition.parameter in GROUP_PARAMETERS:
            expression = self._in_groups(condition, prefix)
        elif is_of_hits(condition.parameter):
            expression = self._with_hits_that(hit_condition(condition, self.values, self._near_period))
        else:
            return session_condition(condition, self.values, prefix=prefix)
        return f"not ({expression})" if condition.type.negative else f"({expression})"

    def _in_groups(self, condition: Filter, prefix: str) -> str:
        """Return the condition that a session has a hit on a path of one of some groups, or began or ended on one."""
        names = ", ".join(self.values.add(name) for name in condition.values)
        groups = self.group_names(condition.groups)
        attribute = GROUP_PARAMETERS[condition.parameter]
        path = attribute if is_of_hits(attribute) else f"{prefix}{attribute}"
        paths = over(select("grouped", f"name in ({names})", columns="path"), grouped=groups)
        comparison = f"coalesce({path} in ({paths}), false)"
        return self._with_hits_that(comparison) if is_of_hits(attribute) else comparison

    def _with_hits_that(self, comparison: str) -> str:
        return f"session_id in ({ids_of(select('hit', self._near_period, comparison))})"

    @property
    def _near_period(self) -> str:
        """The condition of the hits that can be of the sessions."""
        return "true" if self.endless else compose("selection/near_period")

    def _any_of(self, rules: Sequence[Sequence[Filter]]) -> str:
        """Return the condition that all filters of one of some rules hold for a session."""
        sets = [" and ".join(self._condition(condition, "") for condition in rule) for rule in rules]
        return " or ".join(f"({predicate})" for predicate in sets)

    def _ended_with(self, last_steps: Sequence[LastStep]) -> str:
        """Return the condition that the way of a session through a funnel ends with one of some steps."""
        return " or ".join(f"session_id in ({self._ended(last)})" for last in last_steps)

    def _ended(self, last: LastStep) -> str:
        """Return the query of the sessions that take a step, and not the next one."""
        names = taken(len(last.rules_to_read), None)
        ended = dict(
            zip(("here", "later"), [f"from {name}" for name in names][last.number - 1 :], strict=False)
        )
        relations = {
            "hits": select("hit", compose("selection/inside"), MATCHED),
            "step_hit": step_hit(last.rules_to_read, None, self.values),
            **names,
        }
        return over(compose(f"funnels/ended_{'last' if last.is_last else 'before'}"), **relations, **ended)
