"""Filters: the conditions that select the sessions of a report (docs/read/reports.md#filters)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Protocol

from attrs import evolve, field, frozen

from footfall.domain.exceptions import ExpressionRefused, Invalid, require_valid
from footfall.domain.funnels.steps import LastStep, steps_taken
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.goals.matching import compared_texts, equals_property, matcher, property_text
from footfall.domain.number import whole_number
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.paths.pathname import decoded_path
from footfall.domain.periods.period import Period
from footfall.domain.text import text_fault
from footfall.domain.traffic.dimensions import ALL, FAMILIES, is_of_property, keyed, requested
from footfall.domain.traffic.hit_attributes import hits_with, text_of_hit
from footfall.domain.traffic.session import Visit

MAX_FILTERS = 20
MAX_VALUES = 50
MAX_VALUE = 2048
MAX_EXPRESSION = 200
_DIMENSIONS = tuple(dimension for dimension in ALL if dimension.filters)
SESSION_PARAMETERS = tuple(
    dimension.name for dimension in _DIMENSIONS if dimension.of is None and dimension.is_stored
)
HIT_PARAMETERS = tuple(dimension.name for dimension in _DIMENSIONS if dimension.of is not None)
PATH_PARAMETERS = ("pathname", "entry_page", "exit_page")
# Selects the sessions that reached a goal in the period.
GOAL = "goal"
# Selects the sessions whose way through a funnel in the period ends with a step of it, or with that or a later one.
FUNNEL = "funnel"
# Select the sessions with a hit on a page of a group, or that began or ended there: by the attribute that has the path.
PAGE_GROUP, ENTRY_PAGE_GROUP, EXIT_PAGE_GROUP = "page_group", "entry_page_group", "exit_page_group"
GROUP_PARAMETERS: Mapping[str, str] = MappingProxyType(
    dict(zip((PAGE_GROUP, ENTRY_PAGE_GROUP, EXIT_PAGE_GROUP), PATH_PARAMETERS, strict=True))
)
# Conditions on what a session did, by definitions of the site.
DEFINED_PARAMETERS = (GOAL, FUNNEL, *GROUP_PARAMETERS)
# Selects the sessions for which none of several sets of filters holds; no request names it.
EXCLUSION = "exclusion"
# Attributes that are not stored, and those that they are computed of.
REFERRER_HOST, BOT_OPERATOR, BOT_PURPOSE = "referrer_host", "bot_operator", "bot_purpose"
SCREEN_CLASS = "screen_class"
COMPUTED_OF: Mapping[str, str] = MappingProxyType(
    {REFERRER_HOST: "referrer", BOT_OPERATOR: "bot", BOT_PURPOSE: "bot", SCREEN_CLASS: "screen_width"}
)
# The number of a session's hits, which is not stored either.
HITS = "hits"
PARAMETERS = (*(dimension.name for dimension in _DIMENSIONS), *DEFINED_PARAMETERS)
_ACCEPTED = ", ".join((*PARAMETERS, *(f"{name}:NAME" for name in FAMILIES)))
_GOAL_ID = re.compile(r"[1-9][0-9]{0,17}")
_GROUP_NAME = re.compile(r"[^\x00]{1,2048}")
_FUNNEL_STEP = re.compile(r"[1-9][0-9]{0,17}[.][1-8]-?")


class FilterType(StrEnum):
    """The comparison of a filter; a negative type selects exactly the sessions that its positive type does not."""

    EQUALS = "equals"
    NOT_EQUALS = "not_equals"
    CONTAINS = "contains"
    NOT_CONTAINS = "not_contains"
    STARTS_WITH = "starts_with"
    ENDS_WITH = "ends_with"
    REGEX = "regex"
    NOT_REGEX = "not_regex"

    @property
    def negative(self) -> bool:
        """Whether the filter selects sessions that have none of the values."""
        return self.startswith("not_")

    @property
    def positive(self) -> "FilterType":
        """The type of the same comparison that selects sessions that have one of the values."""
        return FilterType(self.removeprefix("not_"))


_DEFINITIONS = {
    GOAL: (_GOAL_ID, "ids of goals"),
    FUNNEL: (_FUNNEL_STEP, "ids of funnels, each with a point and the number of a step, such as 7.2 or 7.2-"),
    **dict.fromkeys(GROUP_PARAMETERS, (_GROUP_NAME, "names of groups of pages")),
}
_OF_DEFINITIONS = (FilterType.EQUALS, FilterType.NOT_EQUALS)

# Tells whether an expression occurs anywhere in a text.
Search = Callable[[str], bool]


class ExpressionCompiler(Protocol):
    """Makes what evaluates the regular expressions of filters, in which a dot matches every character."""

    def __call__(self, expression: str, /) -> Search:
        """Return a function that tells whether the expression occurs anywhere in a text.

        Raises:
            ExpressionRefused: the expression is not accepted.

        """


def no_expressions(_expression: str, /) -> Search:
    """Refuse every expression, for readers that are not asked with filters."""
    raise ExpressionRefused("no regular expression is accepted here")


@frozen
class Filter:
    """A condition on an attribute of a session, or of any one of its hits, on goals and funnels, or by rules.

    The values are alternatives. Comparisons are case-sensitive; an unknown attribute is the empty text. `goals` are
    those whose ids are the values, when the parameter is `goal`, and `last_steps` the steps that the values name, such
    as `7.2`, the second one of funnel 7, or `7.2-`, that or a later one, when it is `funnel`. `groups` are the groups
    of pages of the site when it is one of `GROUP_PARAMETERS`. `rules` are sets of filters, of which none may hold, when
    it is `exclusion`. `searches` are the values as functions, when the type is `regex` or `not_regex` and the filter is
    to be evaluated (`with_expressions`).
    """

    parameter: str
    type: FilterType
    values: tuple[str, ...]
    goals: tuple[GoalQuery, ...] = ()
    last_steps: tuple[LastStep, ...] = ()
    groups: PageGroups = UNGROUPED
    rules: tuple[tuple["Filter", ...], ...] = ()
    searches: tuple[Search, ...] = field(default=(), eq=False, repr=False)

    @property
    def compared_values(self) -> tuple[str, ...]:
        """The values for the comparison: those of paths are decoded like stored paths, except regular expressions."""
        if self.parameter not in PATH_PARAMETERS or self.type.positive is FilterType.REGEX:
            return self.values
        return tuple(map(decoded_path, self.values))


def parse_filters(value: Any) -> tuple[Filter, ...]:
    """Return the filters of a decoded JSON array of objects with `parameter`, `type` and `value`.

    Raises:
        Invalid: a part is not accepted; errors are named `filters[0].type` and so on.

    """
    if not isinstance(value, list) or len(value) > MAX_FILTERS:
        raise Invalid({"filters": [f"must be a JSON array of at most {MAX_FILTERS} filters"]})
    errors: dict[str, list[str]] = {}
    for index, item in enumerate(value):
        errors |= _filter_errors(f"filters[{index}]", item)
    require_valid(errors)
    return tuple(
        Filter(item["parameter"], FilterType(item["type"]), tuple(map(_value_text, _texts(item))))
        for item in value
    )


def excluding(rules: Iterable[Iterable[Filter]]) -> Filter:
    """Return the filter that selects the sessions which no rule leaves out.

    A rule leaves out the sessions that its filters select.
    """
    return Filter(EXCLUSION, FilterType.NOT_EQUALS, (), rules=tuple(map(tuple, rules)))


def exclusions_of(filters: Iterable[Filter]) -> list[Filter]:
    """Return the filters by standing exclusions, which hold for every visit, also where others choose some."""
    return [condition for condition in filters if condition.parameter == EXCLUSION]


def single_conditions(filters: Iterable[Filter]) -> Iterator[Filter]:
    """Return the filters, those of rules one by one."""
    for condition in filters:
        if condition.parameter == EXCLUSION:
            yield from (filter_ for rule in condition.rules for filter_ in rule)
        else:
            yield condition


def with_expressions(filters: Iterable[Filter], compile_expression: ExpressionCompiler) -> tuple[Filter, ...]:
    """Return the filters with their regular expressions as functions.

    Raises:
        Invalid: an expression is not accepted; errors are named `filters[0].value` and so on.

    """
    errors: dict[str, list[str]] = {}
    compiled: list[Filter] = []
    for index, condition in enumerate(filters):
        try:
            compiled.append(_with_searches(condition, compile_expression))
        except ExpressionRefused as refusal:
            errors[f"filters[{index}].value"] = [refusal.message]
    require_valid(errors)
    return tuple(compiled)


def searches_of(condition: Filter) -> Sequence[Search]:
    """Return the regular expressions of a filter as functions.

    Raises:
        ValueError: the filter did not pass `with_expressions`.

    """
    if len(condition.searches) != len(condition.values):
        raise ValueError("a filter with regular expressions is evaluated after with_expressions")
    return condition.searches


def selector(filters: Iterable[Filter], period: Period) -> Callable[[Visit], bool]:
    """Return a function that tells whether all filters hold for a visit of a period."""
    predicates = [_predicate(condition, period) for condition in filters]
    return lambda visit: all(holds(visit) for holds in predicates)


def holds_for_unknown(condition: Filter) -> bool:
    """Whether an attribute that is not known, which compares as the empty text, has one of the values."""
    return _comparison(condition)("")


def holds_for(condition: Filter, text: str) -> bool:
    """Whether a filter selects an attribute of this text."""
    return _comparison(condition)(text) is not condition.type.negative


def is_of_hits(parameter: str) -> bool:
    """Whether a filter is on an attribute of any one hit of a session."""
    return parameter in HIT_PARAMETERS or keyed(parameter) is not None


def _with_searches(condition: Filter, compile_expression: ExpressionCompiler) -> Filter:
    if condition.type.positive is not FilterType.REGEX:
        return condition
    return evolve(condition, searches=tuple(map(compile_expression, condition.values)))


def _filter_errors(name: str, item: Any) -> Mapping[str, list[str]]:
    if not isinstance(item, dict):
        return {name: ["must be an object with parameter, type and value"]}
    errors = {}
    if error := _parameter_error(item.get("parameter")):
        errors[f"{name}.parameter"] = [error]
    if item.get("type") not in list(FilterType):
        errors[f"{name}.type"] = [f"must be one of {', '.join(FilterType)}"]
    if item.get("parameter") in DEFINED_PARAMETERS:
        return errors | _definition_errors(name, item)
    of_property = _is_of_property(item.get("parameter"))
    expected = (
        f"must be an array of 1 to {MAX_VALUES} {'texts, numbers or booleans' if of_property else 'texts'}"
    )
    if error := _values_error(_texts(item), expected, regex=item.get("type") in ("regex", "not_regex")):
        errors[f"{name}.value"] = [error]
    return errors


def _parameter_error(parameter: Any) -> str | None:
    dimension = requested(parameter) if isinstance(parameter, str) else None
    if dimension is not None:
        return dimension.fault
    return None if parameter in PARAMETERS else f"must be one of {_ACCEPTED}"


def _texts(item: Mapping[str, Any]) -> Any:
    """Return the values of a filter; the numbers and booleans of one by a property as texts."""
    values = item.get("value")
    if not isinstance(values, list) or not _is_of_property(item.get("parameter")):
        return values
    return [property_text(value) for value in values]


def _is_of_property(parameter: Any) -> bool:
    return isinstance(parameter, str) and is_of_property(parameter)


def _definition_errors(name: str, item: Mapping[str, Any]) -> dict[str, list[str]]:
    errors, values, parameter = {}, item.get("value"), item["parameter"]
    if item.get("type") not in _OF_DEFINITIONS:
        errors[f"{name}.type"] = [f"must be one of {', '.join(_OF_DEFINITIONS)} for a {parameter}"]
    named, expected = _DEFINITIONS[parameter]
    if (
        not isinstance(values, list)
        or not 1 <= len(values) <= MAX_VALUES
        or not all(named.fullmatch(_value_text(value)) for value in values)
    ):
        errors[f"{name}.value"] = [f"must be an array of 1 to {MAX_VALUES} {expected}"]
    return errors


def _value_text(value: Any) -> str:
    """Return a value as it is compared; a number is the id of a goal, however it is written."""
    return value if isinstance(value, str) else str(whole_number(value))


def _values_error(values: Any, expected: str, *, regex: bool) -> str | None:
    if not isinstance(values, list) or not 1 <= len(values) <= MAX_VALUES:
        return expected
    return next(filter(None, (_value_error(value, expected, regex=regex) for value in values)), None)


def _value_error(value: Any, expected: str, *, regex: bool) -> str | None:
    if not isinstance(value, str):
        return expected
    if regex and len(value) > MAX_EXPRESSION:
        return f"a regular expression must be at most {MAX_EXPRESSION} characters"
    return text_fault(value, maximum=MAX_VALUE)


def _predicate(condition: Filter, period: Period) -> Callable[[Visit], bool]:
    if condition.parameter == GOAL:
        return _goal_condition(condition, period)
    if condition.parameter == FUNNEL:
        return _last_step_condition(condition, period)
    if condition.parameter == EXCLUSION:
        return _rules_condition(condition, period)
    if is_of_property(condition.parameter):
        return _property_condition(condition)
    name = GROUP_PARAMETERS.get(condition.parameter, condition.parameter)
    compare = _comparison(condition)
    attributes = _hit_attributes if is_of_hits(name) else _session_attribute
    return lambda visit: any(map(compare, attributes(visit, name))) is not condition.type.negative


def _goal_condition(condition: Filter, period: Period) -> Callable[[Visit], bool]:
    matchers = [matcher(goal.rule) for goal in condition.goals]
    return lambda visit: (
        any(
            matches(recorded.hit)
            for recorded in visit.hits
            if recorded.hit.occurred_at in period
            for matches in matchers
        )
        is not condition.type.negative
    )


def _last_step_condition(condition: Filter, period: Period) -> Callable[[Visit], bool]:
    ways = [([matcher(rule) for rule in last.rules], last.number) for last in condition.last_steps]

    def holds(visit: Visit) -> bool:
        placed = [(recorded, visit) for recorded in visit.hits if recorded.hit.occurred_at in period]
        ends = any(len(steps_taken(placed, matchers)) == number for matchers, number in ways)
        return ends is not condition.type.negative

    return holds


def _rules_condition(condition: Filter, period: Period) -> Callable[[Visit], bool]:
    rules = [selector(rule, period) for rule in condition.rules]
    return lambda visit: not any(holds(visit) for holds in rules)


def _property_condition(condition: Filter) -> Callable[[Visit], bool]:
    compare, key = _property_comparison(condition), condition.parameter.partition(":")[2]
    return lambda visit: (
        any(compare((hit.properties or {}).get(key)) for hit in hits_with(visit, condition.parameter))
        is not condition.type.negative
    )


def _property_comparison(condition: Filter) -> Callable[[Any], bool]:
    """Compare properties as rules of goals do; what is compared with a part of a text has to be one."""
    if condition.type.positive is FilterType.EQUALS:
        wanted = [compared_texts(value) for value in condition.values]
        return lambda value: any(equals_property(value, *texts) for texts in wanted)
    compare = _comparison(condition)
    return lambda value: (text := property_text(value)) is not None and compare(text)


def _session_attribute(visit: Visit, name: str) -> Sequence[str]:
    return [str(getattr(visit.session, name) or "")]


def _hit_attributes(visit: Visit, name: str) -> Iterable[str]:
    texts = (text_of_hit(hit, name) for hit in hits_with(visit, name))
    return (text for text in texts if text is not None)


def _comparison(condition: Filter) -> Callable[[str], bool]:
    values = condition.compared_values
    if condition.parameter in GROUP_PARAMETERS:
        return lambda path: condition.groups.of(path) in values
    match condition.type.positive:
        case FilterType.CONTAINS:
            return lambda text: any(value in text for value in values)
        case FilterType.STARTS_WITH:
            return lambda text: text.startswith(values)
        case FilterType.ENDS_WITH:
            return lambda text: text.endswith(values)
        case FilterType.REGEX:
            searches = searches_of(condition)
            return lambda text: any(occurs_in(text) for occurs_in in searches)
        case _:
            return lambda text: text in values
