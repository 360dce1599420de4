"""Filters and rules of goals as conditions of DuckDB, with the meaning that the domain gives them."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from footfall.adapters.columns.sql_files import compose, over, select
from footfall.domain.goals.goal import EventRule, HitRule, PageGroupRule, PathRule, Rule
from footfall.domain.goals.matching import compared_texts
from footfall.domain.paths.page_groups import PageGroups
from footfall.domain.paths.path_pattern import is_compiled, path_regex_of_re2
from footfall.domain.paths.pathname import decoded_path
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.dimensions import keyed
from footfall.domain.traffic.filters import (
    COMPUTED_OF,
    HITS,
    Filter,
    FilterType,
    holds_for_unknown,
)
from footfall.domain.traffic.hit_attributes import types_with

# Texts compare byte by byte in UTF-8, which orders them by code points.
_COMPARISONS = {
    FilterType.CONTAINS: "contains({text}, {value})",
    FilterType.STARTS_WITH: "starts_with({text}, {value})",
    FilterType.ENDS_WITH: "ends_with({text}, {value})",
    # A dot matches every character.
    FilterType.REGEX: "regexp_matches({text}, {value}, 's')",
    FilterType.EQUALS: "{text} = {value}",
}


# Groups such as (?:…) and (?i:…), which can be empty without a trace.
_GROUP = re.compile(r"\(\?[a-zA-Z-]*:")


@define
class Values:
    """The values of a query: each is a parameter with a name of its own."""

    parameters: dict[str, Any] = field(factory=dict)
    expressions: list[str] = field(factory=list)

    def add(self, value: Any) -> str:
        """Add a value and return its place in the query."""
        name = f"value_{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def add_expression(self, text: str) -> str:
        """Add a regular expression and return its place in the query."""
        self.expressions.append(text)
        return self.add(text)


def session_condition(condition: Filter, values: Values, *, prefix: str = "") -> str:
    """Return a filter on an attribute of sessions, whose columns have a prefix in the files of hits.

    A bare column is compared several times faster than an expression such as `coalesce`.
    """
    if condition.parameter == "user_id":
        text = f"coalesce({prefix}user_id, lpad(lower(to_hex(visitor_id)), 16, '0'))"
        comparison = _comparison(condition, text, values)
        return f"not {comparison}" if condition.type.negative else comparison
    if condition.parameter == HITS:
        comparison = _comparison(condition, compose("selection/hits_of_session"), values)
        if prefix:
            comparison = f"session_id in ({ids_of(select('session', comparison))})"
        return f"not ({comparison})" if condition.type.negative else comparison
    column = column_of(condition.parameter, prefix)
    comparison = _comparison(condition, column, values)
    holds = f"not {comparison}" if condition.type.negative else comparison
    # The condition on an unknown attribute is null, which selects nothing.
    return (
        f"({column} is null or {holds})"
        if holds_for_unknown(condition) is not condition.type.negative
        else holds
    )


def column_of(attribute: str, prefix: str = "") -> str:
    """Return the column of an attribute of sessions, or what computes the attribute; null where it is unknown."""
    if attribute in COMPUTED_OF:
        return computed(attribute, f"{prefix}{COMPUTED_OF[attribute]}")
    return f"{prefix}{attribute}"


def computed(attribute: str, column: str) -> str:
    """Return what computes an attribute that is not stored, of the column that it is computed of."""
    return f"{attribute}({column})"


def ids_of(chosen: str) -> str:
    """Return the query of the ids of the sessions of a query of sessions or hits."""
    return over(compose("selection/ids"), chosen=chosen)


def hit_condition(condition: Filter, values: Values, among: str) -> str:
    """Return the condition on a hit which selects its session, or excludes it when the filter is a negative one.

    `among` is a condition that holds for all hits that are asked.
    """
    dimension = keyed(condition.parameter)
    if dimension is None:
        text = column_of(condition.parameter)
        comparison = _comparison(condition, text, values)
        holds = f"({text} is null or {comparison})" if holds_for_unknown(condition) else comparison
    elif dimension.family.has_properties:
        holds = _property_condition(condition, values.add(dimension.key), values)
    else:
        text = query_parameter(dimension.key, values)
        holds = _of_queries(_comparison(condition, text, values), among)
    types = types_with(condition.parameter)
    return f"{of_types(types)} and {holds}" if types else holds


def paths_of(of_hits: str) -> str:
    """Return the query of the different paths of all hits for which a condition holds."""
    return over(compose("selection/paths"), hits=select("hit", of_hits))


def of_types(types: Sequence[HitType]) -> str:
    """Return the condition that a hit is of one of some types."""
    names = ", ".join(f"'{kind}'" for kind in types)
    return f"type in ({names})"


def query_parameter(name: str, values: Values, text: str = "querystring") -> str:
    """Return the value of a parameter in a column of query strings; null where there is none of that name."""
    return f"query_parameter({text}, {values.add(name)})"


def _property_condition(condition: Filter, key: str, values: Values) -> str:
    """Return the condition that a hit has a property that satisfies a filter."""
    if condition.type.positive is FilterType.EQUALS:
        equal = [_equal_property(*compared_texts(value), values) for value in condition.values]
        comparison = " or ".join(f"({predicate})" for predicate in equal)
    else:
        comparison = _comparison(condition, "property_text(one)", values)
    return _with_property(key, comparison)


def _comparison(condition: Filter, text: str, values: Values) -> str:
    kind = condition.type.positive
    if kind is FilterType.REGEX:
        places = [values.add_expression(_expression(value)) for value in condition.values]
    else:
        places = [values.add(value) for value in condition.compared_values]
    if kind is FilterType.EQUALS:
        return f"({text} in ({', '.join(places)}))"
    return f"({' or '.join(_COMPARISONS[kind].format(text=text, value=place) for place in places)})"


def _expression(value: str) -> str:
    """Return a regular expression as DuckDB reads it.

    DuckDB makes `like` of simple ones, and takes an empty group, such as `(?:)`, for an end of the text then. It leaves
    those that begin with a group to RE2.
    """
    return f"(){value}" if _GROUP.search(value) else value


def rule_condition(rule: Rule, values: Values) -> str:
    """Return the condition that a hit satisfies a rule; a regular expression is compared with each path once."""
    if isinstance(rule, EventRule):
        return f"{of_types([HitType.CUSTOM_EVENT])} and {event_condition(rule, values)}"
    if isinstance(rule, PageGroupRule):
        return f"{of_types([HitType.PAGEVIEW])} and {_of_paths(group_condition(rule, values))}"
    return f"{of_types([HitType.PAGEVIEW])} and {page_condition(rule, values)}"


def page_condition(rule: PathRule, values: Values) -> str:
    """Return the condition that a pageview satisfies a rule."""
    condition = path_condition(rule.path_pattern, values)
    if is_compiled(rule.path_pattern):
        condition = _of_paths(condition)
    return condition + _and_property(rule, values)


def _of_paths(condition: str) -> str:
    """Return the condition that a hit has one of the paths for which a condition holds; each is compared once."""
    paths = over(select("path", condition, columns="pathname"), path=paths_of(of_types([HitType.PAGEVIEW])))
    return f"pathname in ({paths})"


def _of_queries(condition: str, among: str) -> str:
    """Return the condition that another one holds for a query string of hits, of which `among` holds for all asked."""
    counted = over(compose("selection/written"), pageviews=select("hit", of_types([HitType.PAGEVIEW]), among))
    holds = f"case when hits > 0 then {condition} end"
    return f"querystring in ({over(select('written', holds, columns='querystring'), written=counted)})"


def path_condition(pattern: str, values: Values) -> str:
    """Return the condition that a path matches a pattern."""
    if is_compiled(pattern):
        return f"regexp_matches(pathname, {values.add_expression(path_regex_of_re2(pattern))})"
    decoded = decoded_path(pattern)
    if "*" in decoded:
        return f"starts_with(pathname, {values.add(decoded.rstrip('*'))})"
    return f"pathname = {values.add(decoded)}"


def group_condition(rule: PageGroupRule, values: Values) -> str:
    """Return the condition that the first pattern that a path matches is one of a group."""
    branches = group_branches(rule.groups, values, lambda name: str(name == rule.group).lower())
    return f"case {branches} else false end" if branches else "false"


def group_branches(groups: PageGroups, values: Values, shown: Callable[[str], str]) -> str:
    """Return what is shown of the group of a path, by the name of the first rule that it matches, as branches."""
    return " ".join(
        f"when {path_condition(rule.pattern, values)} then {shown(rule.name)}" for rule in groups.rules
    )


def event_condition(rule: EventRule, values: Values) -> str:
    """Return the condition that a custom event satisfies a rule."""
    return f"event_name = {values.add(rule.event_name)}{_and_property(rule, values)}"


def _and_property(rule: HitRule, values: Values) -> str:
    """Return the rest of a condition, that a hit has the property of a rule; nothing for a rule without one.

    Texts and booleans compare by text, numbers by decimal, as `compared_texts` of the domain says.
    """
    if rule.property_key is None:
        return ""
    key, equal = values.add(rule.property_key), _equal_property(*compared_texts(rule.property_value), values)
    return f" and {_with_property(key, equal)}"


def _with_property(key: str, condition: str) -> str:
    """Return the condition that a hit has a property of a key for which another condition holds."""
    return f"len(list_filter(properties, lambda one: one.key = {key} and ({condition}))) > 0"


def _equal_property(text: str | None, decimal: str | None, values: Values) -> str:
    if text is None:
        return f"one.kind <> 'boolean' and one.decimal = {values.add(decimal)}"
    by_text = f"one.kind in ('boolean', 'string') and one.text = {values.add(text)}"
    if decimal is None:
        return by_text
    return f"{by_text} or one.kind not in ('boolean', 'string') and one.decimal = {values.add(decimal)}"
