"""The sessions that a report is about: those of a period that filters select."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen
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
    Filter,
    FilterType,
    type_with,
)
from footfall.domain.traffic.session import INACTIVITY, LONGEST


@frozen
class SessionCondition:
    """A condition on the table `session` with its parameters.

    Statements of reports include the sections of `sql/selection.sql`, whose place `{conditions}` takes `conditions`.
    """

    site_id: int
    period: Period
    filters: Sequence[Filter]
    # By the indexes of the filters with regular expressions: the values in which one of these occurs.
    matches: Mapping[int, Sequence[str]] = field(factory=dict)

    def matched(self, matches: Mapping[int, Sequence[str]]) -> "SessionCondition":
        """Return the selection with the values that match its regular expressions."""
        return evolve(self, matches=matches)

    def values_of(self, one: Filter) -> sql.Composed:
        """Return the query for the different values of a filter's attribute in all sessions that may be selected."""
        kind = "hits" if one.parameter in HIT_PARAMETERS else "sessions"
        return compose(
            f"reports/selection/values_of_{kind}",
            text=_attribute(one),
            conditions=compose("reports/selection/spanning"),
            comparison=_of_type(one),
        )

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
            if one.parameter == GOAL:
                values |= self.goal_parameters(name, one.goals)
            elif one.type.positive is FilterType.REGEX:
                values[name] = list(self.matches[index])
            else:
                values[name] = list(one.compared_values)
        return values

    def reached(self, name: str) -> sql.Composed:
        """Return the condition that a session reached one of some goals in the period; `name` begins its parameters."""
        versions, rules = sql.Placeholder(f"{name}_versions"), sql.Placeholder(f"{name}_rules")
        return compose("reports/selection/with_goals", versions=versions, rules=rules)

    def goal_parameters(self, name: str, goals: Sequence[GoalQuery]) -> dict[str, Any]:
        """Return the parameters of the condition that `reached` returns.

        In less than a day a session can convert before and after the period but not inside: only its hits tell.
        """
        versions = [goal.version for goal in goals if goal.version is not None]
        rules = [{"version": goal.version, **rule_values(goal.rule)} for goal in goals]
        stored = versions if self.period.length >= LONGEST else []
        return {f"{name}_versions": stored, f"{name}_rules": Jsonb(rules)}

    def _condition(self, name: str, one: Filter) -> sql.Composed:
        if one.parameter == GOAL:
            found = self.reached(name)
        elif one.parameter in HIT_PARAMETERS:
            comparison = sql.SQL(" and ").join([_of_type(one), _comparison(name, one)])
            found = compose("reports/selection/with_hits_that", comparison=comparison)
        else:
            found = _comparison(name, one)
        return sql.SQL("not ({})" if one.type.negative else "({})").format(found)


def _text(table: str, attribute: str) -> sql.Composed:
    return compose("reports/selection/text", column=sql.Identifier(table, attribute))


def _of_type(one: Filter) -> sql.Composed:
    """Return the condition that the attribute of a hit counts."""
    wanted = type_with(one.parameter)
    if wanted is None:
        return compose("reports/selection/every_row")
    return compose("reports/selection/of_type", type=sql.Literal(str(wanted)))


def _attribute(one: Filter) -> sql.Composed:
    """Return the text of a filter's attribute, of a hit or of a session."""
    if one.parameter in HIT_PARAMETERS:
        return _text("hit", one.parameter)
    if one.parameter == "user_id":
        return compose("reports/selection/visitor")
    if one.parameter == REFERRER_HOST:
        return compose("reports/selection/referrer_host", text=_text("session", "referrer"))
    return _text("session", one.parameter)


def _comparison(name: str, one: Filter) -> sql.Composed:
    """Compare the attribute with the values of a filter; of regular expressions these are the values that match."""
    kind = FilterType.EQUALS if one.type.positive is FilterType.REGEX else one.type.positive
    found = compose(f"reports/selection/{kind}", text=_attribute(one), values=sql.Placeholder(name))
    return sql.SQL("({})").format(found)
