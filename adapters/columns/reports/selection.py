"""The sessions and hits of the files that a report is about, as queries of DuckDB."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from footfall.adapters.columns.reports.expressions import (
    Values,
    hit_condition,
    rule_condition,
    session_condition,
)
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles, Coverage
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import GOAL, HIT_PARAMETERS, Filter

_PARAMETER = re.compile(r"\$([a-z_0-9]+)")


@frozen
class FileSelection:
    """The sessions of the covering files that lie in a period and that filters select.

    `numbers` are those of the goals whose conversions all files hold.
    """

    coverage: Coverage
    period: Period
    filters: Sequence[Filter]
    numbers: Mapping[GoalQuery, int] = field(factory=dict)
    values: Values = field(factory=Values)

    @property
    def sessions(self) -> str:
        """The query of the sessions."""
        return compose("selection/sessions", unchanged=self._unchanged, conditions=self._conditions(""))

    def hits(self, of_type: str) -> str:
        """Return the query of the sessions' hits in the period; `of_type` is a condition on the hits."""
        conditions = self._conditions("session_")
        return compose("selection/hits", unchanged=self._unchanged, conditions=conditions, of_type=of_type)

    def converted(self, goals: Sequence[GoalQuery]) -> str:
        """Return the query of the ids of all sessions that reached one of some goals in the period."""
        return " union all ".join(map(self._converted, goals))

    def parameters(self, query: str, **more: Any) -> Mapping[str, Any]:
        """Return the values of those parameters that a query names."""
        known = {
            "session_files": _paths(self.coverage.files, "sessions"),
            "hit_files": _paths(self.coverage.files, "hits"),
            "start": self.period.start,
            "end": self.period.end,
            "changed": json.dumps(list(self.coverage.changed)),
            **self.values.parameters,
            **more,
        }
        return {name: known[name] for name in set(_PARAMETER.findall(query))}

    @property
    def _unchanged(self) -> str:
        return compose("selection/unchanged") if self.coverage.changed else "true"

    def _conditions(self, prefix: str) -> str:
        conditions = [self._condition(one, prefix) for one in self.filters]
        return " and ".join(conditions) if conditions else "true"

    def _condition(self, one: Filter, prefix: str) -> str:
        if one.parameter == GOAL:
            found = f"session_id in ({self.converted(one.goals)})"
        elif one.parameter in HIT_PARAMETERS:
            found = compose("selection/with_hits_that", comparison=hit_condition(one, self.values))
        else:
            return session_condition(one, self.values, prefix=prefix)
        return f"not ({found})" if one.type.negative else f"({found})"

    def _converted(self, goal: GoalQuery) -> str:
        number = self.numbers.get(goal)
        if number is None:
            return compose("selection/matched", condition=rule_condition(goal.rule, self.values))
        return compose("selection/converted", number=self.values.add(number))


def paths_of_hits(files: Sequence[ColumnFiles]) -> list[str]:
    """Return where the hits of files are."""
    return _paths(files, "hits")


def _paths(files: Sequence[ColumnFiles], name: str) -> list[str]:
    return [str(getattr(one, name)) for one in files]
