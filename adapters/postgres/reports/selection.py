"""The sessions that a report is about: those of a period that filters select."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen
from psycopg import sql
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.sql_files import compose
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.domain.bots.bot_names import names_by_operator, names_by_purpose
from footfall.domain.funnels.steps import LastStep
from footfall.domain.goals.goal import GoalQuery, PageGroupRule, Rule
from footfall.domain.goals.matching import compared_texts
from footfall.domain.tracking.screen import BELOW, ScreenClass
from footfall.domain.traffic.dimensions import is_of_property, keyed
from footfall.domain.traffic.filters import (
    BOT_OPERATOR,
    BOT_PURPOSE,
    EXCLUSION,
    FUNNEL,
    GOAL,
    GROUP_PARAMETERS,
    HITS,
    PAGE_GROUP,
    REFERRER_HOST,
    SCREEN_CLASS,
    Filter,
    FilterType,
    is_of_hits,
)
from footfall.domain.traffic.hit_attributes import types_with
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import INACTIVITY, LONGEST

_COMPUTED: Mapping[str, str] = MappingProxyType(
    {
        BOT_OPERATOR: "reports/selection/bot_operator",
        BOT_PURPOSE: "reports/selection/bot_purpose",
        SCREEN_CLASS: "reports/selection/screen_class",
    }
)


def _values_of_names(names_by_value: Mapping[str, Sequence[str]]) -> Jsonb:
    return Jsonb({name: value for value, names in names_by_value.items() for name in names})


_BOT_OPERATORS = _values_of_names(names_by_operator())
_BOT_PURPOSES = _values_of_names(names_by_purpose())
# What stands for any text around a value, and the characters that mean something in patterns.
_PATTERNS: Mapping[FilterType, str] = MappingProxyType(
    {FilterType.CONTAINS: "%{}%", FilterType.STARTS_WITH: "{}%", FilterType.ENDS_WITH: "%{}"}
)
_SPECIAL = re.compile(r"[%_\\]")


@frozen
class SessionCondition:
    """A condition on the table `session` with its parameters.

    Statements of reports include the sections of `sql/selection.sql`, whose place `{conditions}` takes `conditions`.
    """

    site_id: int
    query: ReportQuery
    # By the names of the filters that are `compared`: the values that they select.
    matches: Mapping[str, Sequence[str]] = field(factory=dict)

    @property
    def named_filters(self) -> Iterator[tuple[str, Filter]]:
        """The filters, those of rules one by one, with the names of their values."""
        return _named("filter", self.query.filters)

    @property
    def compared(self) -> Iterator[tuple[str, Filter]]:
        """The filters whose values are compared outside of PostgreSQL, those of rules by groups of pages included."""
        for name, condition in self.named_filters:
            if is_matched(condition):
                yield name, condition
            for place, rule in _rules_of(name, condition):
                if isinstance(rule, PageGroupRule):
                    yield place, Filter(PAGE_GROUP, FilterType.EQUALS, (rule.group,), groups=rule.groups)

    def matched(self, matches: Mapping[str, Sequence[str]]) -> "SessionCondition":
        """Return the selection with the values that its regular expressions and groups of pages select."""
        return evolve(self, matches=matches)

    def values_of(self, name: str, condition: Filter) -> sql.Composed:
        """Return the query for the different values of a filter's attribute in all sessions that may be selected."""
        if is_of_hits(attribute_of(condition)):
            table, source = "hit", compose("reports/selection/hits_around")
        else:
            spanning = compose("reports/selection/spanning")
            table, source = "session", compose("reports/selection/selected", conditions=spanning)
        return compose(
            "reports/selection/values",
            source=source,
            table=sql.Identifier(table),
            text=_attribute(name, condition),
            comparison=_of_type(condition),
        )

    @property
    def conditions(self) -> sql.Composed:
        """The condition that all selected sessions satisfy."""
        in_period = (
            compose("reports/selection/spanning")
            if self.query.period.length >= INACTIVITY
            else _with_hits(compose("reports/selection/inside"))
        )
        filters = [
            self._condition(f"filter_{index}", condition)
            for index, condition in enumerate(self.query.filters)
        ]
        return sql.SQL(" and ").join([in_period, *filters])

    @property
    def places(self) -> dict[str, Any]:
        """The values of the site and the period, and of attributes that are computed."""
        return {
            "site_id": self.site_id,
            "start": self.query.period.start,
            "end": self.query.period.end,
            "bot_operators": _BOT_OPERATORS,
            "bot_purposes": _BOT_PURPOSES,
            "screen_widths": [float(width) for width, _ in BELOW],
            "screen_classes": [*(str(name) for _, name in BELOW), str(ScreenClass.VERY_LARGE)],
        }

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the site, the period and the filters."""
        values: dict[str, Any] = {**self.places}
        for name, condition in self.named_filters:
            if condition.parameter == FUNNEL:
                values |= self._steps_parameters(name, condition.last_steps)
            elif condition.parameter == GOAL:
                values |= self.goal_parameters(name, condition.goals)
            elif is_matched(condition):
                values |= {name: list(self.matches[name]), **key_parameters(name, condition)}
            else:
                values |= {name: _compared(condition), **key_parameters(name, condition)}
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
        rules = [
            {"version": goal.version, **self._rule(place, goal.rule)}
            for (place, _), goal in zip(_rules_of_goals(name, goals), goals, strict=True)
        ]
        stored = versions if self.query.period.length >= LONGEST else []
        return {f"{name}_versions": stored, f"{name}_rules": Jsonb(rules)}

    def _steps_parameters(self, name: str, last_steps: Sequence[LastStep]) -> dict[str, Any]:
        """Return the parameters of the condition that `_ended_with` returns."""
        values: dict[str, Any] = {}
        for index, last in enumerate(last_steps):
            way = f"{name}_steps_{index}"
            rules = [
                {"step": step, **self._rule(f"{way}_{step}", rule)}
                for step, rule in enumerate(last.rules_to_read)
            ]
            values[way] = Jsonb(rules)
            values[f"{way}_taken"] = _pattern(last.number)
            values[f"{way}_later"] = None if last.is_last else _pattern(last.number + 1)
        return values

    def _rule(self, place: str, rule: Rule) -> dict[str, Any]:
        """Return a rule in the columns that are asked, with the paths of a group of pages."""
        paths = list(self.matches[place]) if isinstance(rule, PageGroupRule) else None
        return {**rule_values(rule), "paths": paths}

    def _condition(self, name: str, condition: Filter) -> sql.Composed:
        if condition.parameter == EXCLUSION:
            composed = self._any_of(name, condition.rules)
        elif condition.parameter == FUNNEL:
            composed = _ended_with(name, condition.last_steps)
        elif condition.parameter == GOAL:
            composed = self.reached(name)
        elif is_of_hits(attribute_of(condition)):
            composed = _with_hits(_of_type(condition), _comparison(name, condition))
        else:
            composed = _comparison(name, condition)
        return sql.SQL("not ({})" if condition.type.negative else "({})").format(composed)

    def _any_of(self, name: str, rules: Sequence[Sequence[Filter]]) -> sql.Composed:
        """Return the condition that all filters of one of some rules hold."""
        sets = [
            sql.SQL(" and ").join(
                [
                    self._condition(f"{name}_{rule}_{index}", condition)
                    for index, condition in enumerate(filters)
                ]
            )
            for rule, filters in enumerate(rules)
        ]
        return sql.SQL(" or ").join([sql.SQL("({})").format(predicate) for predicate in sets])


def is_matched(condition: Filter) -> bool:
    """Whether values are compared outside of PostgreSQL, which gets those that the filter selects."""
    return condition.parameter in GROUP_PARAMETERS or condition.type.positive is FilterType.REGEX


def attribute_of(condition: Filter) -> str:
    """Return the attribute whose values a filter compares."""
    return GROUP_PARAMETERS.get(condition.parameter, condition.parameter)


def key_parameters(name: str, condition: Filter) -> dict[str, Any]:
    """Return the parameters of a filter by `property:plan` or the like: its key, and its values that are numbers."""
    dimension = keyed(condition.parameter)
    if dimension is None:
        return {}
    key = {f"{name}_key": dimension.key}
    if not _compares_properties(condition):
        return key
    texts = [compared_texts(value) for value in condition.values]
    return key | {f"{name}_decimals": [decimal for _, decimal in texts]}


def _compared(condition: Filter) -> list[str]:
    """Return what the attribute is compared with: values, or patterns for `like`."""
    pattern = _PATTERNS.get(condition.type.positive)
    if pattern is None:
        return list(condition.compared_values)
    return [pattern.format(_SPECIAL.sub(r"\\\g<0>", value)) for value in condition.compared_values]


def _compares_properties(condition: Filter) -> bool:
    """Whether properties are compared as in rules of goals, by their types."""
    return is_of_property(condition.parameter) and condition.type.positive is FilterType.EQUALS


def _named(prefix: str, filters: Sequence[Filter]) -> Iterator[tuple[str, Filter]]:
    for index, condition in enumerate(filters):
        name = f"{prefix}_{index}"
        if condition.parameter != EXCLUSION:
            yield name, condition
        for rule, of_rule in enumerate(condition.rules):
            yield from _named(f"{name}_{rule}", of_rule)


def _ended_with(name: str, last_steps: Sequence[LastStep]) -> sql.Composed:
    """Return the condition that the way of a session through a funnel ends with one of some steps."""
    ways = [_way(f"{name}_steps_{index}") for index in range(len(last_steps))]
    return sql.SQL(" or ").join(ways)


def _way(name: str) -> sql.Composed:
    return compose(
        "reports/selection/ended_with",
        rules=sql.Placeholder(name),
        taken=sql.Placeholder(f"{name}_taken"),
        later=sql.Placeholder(f"{name}_later"),
    )


def _rules_of(name: str, condition: Filter) -> Iterator[tuple[str, Rule]]:
    """Return the rules of goals and of steps that a filter names, each with the name of its place."""
    yield from _rules_of_goals(name, condition.goals)
    for index, last in enumerate(condition.last_steps):
        for step, rule in enumerate(last.rules_to_read):
            yield f"{name}_steps_{index}_{step}", rule


def _rules_of_goals(name: str, goals: Sequence[GoalQuery]) -> Iterator[tuple[str, Rule]]:
    return ((f"{name}_goal_{index}", goal.rule) for index, goal in enumerate(goals))


def _pattern(number: int) -> str:
    """Return the pattern of ways with so many steps, each in a later hit than the one before: %0%,%1%."""
    return f"%{'%,%'.join(map(str, range(number)))}%"


def _text(table: str, attribute: str) -> sql.Composed:
    return compose("reports/selection/text", column=sql.Identifier(table, attribute))


def _with_hits(*comparisons: sql.Composed) -> sql.Composed:
    return compose("reports/selection/with_hits_that", comparison=sql.SQL(" and ").join(comparisons))


def _of_type(condition: Filter) -> sql.Composed:
    """Return the condition that the attribute of a hit counts."""
    types = types_with(condition.parameter)
    if not types:
        return compose("reports/selection/every_row")
    return compose("reports/selection/of_types", types=sql.SQL(", ").join(map(sql.Literal, map(str, types))))


def _attribute(name: str, condition: Filter) -> sql.Composed:
    """Return the text of a filter's attribute, of a hit or of a session; null for a key that a hit does not have."""
    dimension, key = keyed(condition.parameter), sql.Placeholder(f"{name}_key")
    if dimension is not None:
        of_family = "property" if dimension.family.has_properties else "query"
        return compose(f"reports/selection/text_of_{of_family}", key=key)
    if condition.parameter in _COMPUTED:
        return compose(_COMPUTED[condition.parameter])
    if is_of_hits(attribute_of(condition)):
        return _text("hit", attribute_of(condition))
    if condition.parameter == "user_id":
        return compose("reports/selection/visitor")
    if condition.parameter == HITS:
        return compose("reports/selection/hits_of_session")
    if condition.parameter == REFERRER_HOST:
        return compose("reports/selection/referrer_host")
    return _text("session", attribute_of(condition))


def _comparison(name: str, condition: Filter) -> sql.Composed:
    """Compare the attribute with the values of a filter; of one that `is_matched` they are those that it selects."""
    if _compares_properties(condition):
        pieces = {place: sql.Placeholder(f"{name}_{place}") for place in ("key", "decimals")}
        return compose("reports/selection/property_that", texts=sql.Placeholder(name), **pieces)
    return compose(
        "reports/selection/compares",
        text=_attribute(name, condition),
        operator=sql.SQL("like" if condition.type.positive in _PATTERNS else "="),
        values=sql.Placeholder(name),
    )
