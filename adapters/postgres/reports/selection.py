"""The sessions that a report is about: those of a period that filters select."""

from collections.abc import Sequence
from typing import Any

from attrs import frozen
from psycopg import sql
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import (
    GOAL,
    HIT_PARAMETERS,
    REFERRER_HOST,
    SMALL_REGEX,
    Filter,
    FilterType,
    filter_regex,
    regex_parts,
    type_with,
)
from footfall.domain.traffic.session import INACTIVITY, LONGEST


@frozen
class Selection:
    """A condition on the table `session` with its parameters.

    Statements of reports include the files of `sql/selection/`, whose place `{conditions}` takes `conditions`.
    """

    site_id: int
    period: Period
    filters: Sequence[Filter]

    @property
    def has_regex(self) -> bool:
        """Whether regular expressions of the filters are so large that a report may take long for them alone."""
        return regex_parts(self.filters) > SMALL_REGEX

    @property
    def conditions(self) -> sql.Composed:
        """The condition that all selected sessions satisfy."""
        in_period = "spanning" if self.period.length >= INACTIVITY else "with_hits_inside"
        filters = [self._condition(f"filter_{index}", one) for index, one in enumerate(self.filters)]
        return sql.SQL(" and ").join([compose(f"reports/selection/{in_period}"), *filters])

    @property
    def places(self) -> dict[str, Any]:
        """The values of the site and the period."""
        return {"site_id": self.site_id, "start": self.period.start, "end": self.period.end}

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the site, the period and the filters."""
        values: dict[str, Any] = {**self.places}
        for index, one in enumerate(self.filters):
            name = f"filter_{index}"
            values |= (
                self.goal_parameters(name, one.goals) if one.parameter == GOAL else _parameters(name, one)
            )
        return values

    def reached(self, name: str) -> sql.Composed:
        """Return the condition that a session reached one of some goals in the period; `name` begins its parameters."""
        versions, rules = sql.Placeholder(f"{name}_versions"), sql.Placeholder(f"{name}_rules")
        incomplete = compose("reports/selection/incomplete_rules", rules=rules)
        inside = compose("reports/selection/hits_of_rules")
        return compose("reports/selection/with_goals", versions=versions, rules=incomplete, inside=inside)

    def goal_parameters(self, name: str, goals: Sequence[GoalQuery]) -> dict[str, Any]:
        """Return the parameters of the condition that `reached` returns.

        In less than a day a session can convert before and after the period but not inside: only its hits tell.
        """
        versions = [goal.version for goal in goals if goal.version is not None]
        rules = [{"index": 0, "version": goal.version, **rule_values(goal.rule)} for goal in goals]
        stored = versions if self.period.length >= LONGEST else []
        return {f"{name}_versions": stored, f"{name}_rules": Jsonb(rules)}

    def _condition(self, name: str, one: Filter) -> sql.Composed:
        if one.parameter == GOAL:
            found = self.reached(name)
        elif one.parameter in HIT_PARAMETERS:
            comparison = _comparison(name, one, _text("hit", one.parameter))
            if wanted := type_with(one.parameter):
                of_type = compose("reports/selection/of_type", type=sql.Literal(str(wanted)))
                comparison = sql.SQL(" and ").join([of_type, comparison])
            found = compose("reports/selection/with_hits_that", comparison=comparison)
        elif one.parameter == "user_id":
            found = _comparison(name, one, compose("reports/selection/visitor"))
        elif one.parameter == REFERRER_HOST:
            host = compose("reports/selection/referrer_host", text=_text("session", "referrer"))
            found = _comparison(name, one, host)
        else:
            found = _comparison(name, one, _text("session", one.parameter))
        return sql.SQL("not ({})" if one.type.negative else "({})").format(found)


def _text(table: str, attribute: str) -> sql.Composed:
    return compose("reports/selection/text", column=sql.Identifier(table, attribute))


def _comparison(name: str, one: Filter, text: sql.Composable) -> sql.Composed:
    """Compare a text with the values of a filter: regular expressions one by one, other values as an array."""
    comparison = f"reports/selection/{one.type.positive}"
    parts = [compose(comparison, text=text, values=sql.Placeholder(key)) for key in _parameters(name, one)]
    return sql.SQL("({})").format(sql.SQL(" or ").join(parts))


def _parameters(name: str, one: Filter) -> dict[str, Any]:
    if one.type.positive is FilterType.REGEX:
        return {f"{name}_{index}": filter_regex(value) for index, value in enumerate(one.values)}
    return {name: list(one.compared_values)}
