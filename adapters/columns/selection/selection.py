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
    rule_condition,
    session_condition,
)
from footfall.adapters.columns.sql_files import compose
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
        return compose("selection/sessions", conditions=self._conditions(""))

    @property
    def left_out(self) -> LeftOutSessions | None:
        """What selects the sessions that standing exclusions leave out, of all times."""
        rules = [
            rule for condition in self.filters if condition.parameter == EXCLUSION for rule in condition.rules
        ]
        if not rules:
            return None
        chosen = Selection(self.period, (), endless=True)
        text = compose("selection/sessions_of_rules", conditions=chosen._any_of(rules))
        return LeftOutSessions(text, chosen.parameters(text), chosen.values.expressions)

    def hits(self, of_type: str) -> str:
        """Return the query of the sessions' hits in the period; `of_type` is a condition on the hits."""
        return compose("selection/hits", conditions=self._conditions("session_"), of_type=of_type)

    @property
    def sessions_of_all_time(self) -> str:
        """The query of the sessions that the filters select, in the period or not; none is by goal or funnel."""
        return compose("selection/sessions_of_all_time", conditions=self._all_of(""))

    def hits_of_all_time(self, of_type: str) -> str:
        """Return the query of the hits of these sessions, in the period or not."""
        return compose("selection/hits_of_all_time", conditions=self._all_of("session_"), of_type=of_type)

    def grouped(self, source: str, column: str, groups: PageGroups) -> str:
        """Return a query of hits or sessions with groups of pages in the place of the paths of a column."""
        if not groups.rules:
            return source
        return compose("selection/grouped", source=source, column=column, groups=self.group_names(groups))

    def group_names(self, groups: PageGroups, *, of_hits: str = "true") -> str:
        """Return the query of the paths that belong to a group, with its name, of all hits or those of a condition.

        Each path is compared once; a query takes seconds for a million paths, and is for one place of another query.
        """
        branches = group_branches(groups, self.values, self.values.add)
        return compose("selection/groups", branches=branches, of_hits=of_hits)

    def converted(self, goals: Sequence[GoalQuery]) -> str:
        """Return the query of the ids of all sessions that reached one of some goals in the period."""
        matched = [rule_condition(goal.rule, self.values) for goal in goals]
        return " union all ".join(compose("selection/matched", condition=condition) for condition in matched)

    def parameters(self, query: str, **more: Any) -> Mapping[str, Any]:
        """Return the values of those parameters that a query names."""
        values = {"start": self.period.start, "end": self.period.end, **self.values.parameters, **more}
        return {name: values[name] for name in set(_PARAMETER.findall(query))}

    def _conditions(self, prefix: str) -> str:
        conditions = self._all_of(prefix)
        if not prefix and self.period.length < INACTIVITY:
            return f"{conditions} and {compose('selection/with_hits_inside')}"
        return conditions

    def _all_of(self, prefix: str) -> str:
        conditions = [
            self._condition(condition, prefix)
            for condition in self.filters
            # The relations are without what these leave out.
            if condition.parameter != EXCLUSION
        ]
        return " and ".join(conditions) if conditions else "true"

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
        comparison = compose("selection/in_groups", path=path, groups=groups, names=names)
        return self._with_hits_that(comparison) if is_of_hits(attribute) else comparison

    def _with_hits_that(self, comparison: str) -> str:
        return compose("selection/with_hits_that", near_period=self._near_period, comparison=comparison)

    @property
    def _near_period(self) -> str:
        """The condition of the hits that can be of the sessions."""
        return compose("selection/every_row" if self.endless else "selection/near_period")

    def _any_of(self, rules: Sequence[Sequence[Filter]]) -> str:
        """Return the condition that all filters of one of some rules hold for a session."""
        sets = [" and ".join(self._condition(condition, "") for condition in rule) for rule in rules]
        return " or ".join(f"({one})" for one in sets)

    def _ended_with(self, last_steps: Sequence[LastStep]) -> str:
        """Return the condition that the way of a session through a funnel ends with one of some steps."""
        ways = [
            compose("selection/ended_with", **steps_in_sessions(last, self.values)) for last in last_steps
        ]
        return " or ".join(f"session_id in ({way})" for way in ways)


def steps_in_sessions(last: LastStep, values: Values) -> Mapping[str, str]:
    """Return the pieces of the query for the sessions that take a step, and not the next one."""
    rules, number = last.rules_to_read, last.number
    flags = [f"({rule_condition(rule, values)}) as step_{step}" for step, rule in enumerate(rules)]
    taken = [compose("selection/taken_first")]
    taken += [
        compose("selection/taken_next", before=str(step - 1), step=str(step)) for step in range(1, len(rules))
    ]
    return {
        "key_of_hit": compose("funnels/key_of_hit"),
        "flags": ", ".join(flags),
        "any_flag": " or ".join(f"step_{step}" for step in range(len(rules))),
        "taken": ",\n".join(taken),
        "ended": compose(
            f"selection/ended_{'last' if last.is_last else 'before'}", here=str(number - 1), later=str(number)
        ),
    }
