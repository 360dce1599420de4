"""Filters: which sessions a report is about (decisions, section 7)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any

from attrs import frozen

from footfall.domain.automaton import Automaton
from footfall.domain.errors import Invalid
from footfall.domain.expression import render
from footfall.domain.expression_parser import parse_expression
from footfall.domain.session import Visit
from footfall.domain.text import text_fault

MAX_FILTERS = 20
MAX_VALUES = 50
MAX_VALUE = 2048
SESSION_PARAMETERS = (
    "country",
    "region",
    "city",
    "browser",
    "operating_system",
    "device_type",
    "language",
    "channel",
    "referrer",
    "hostname",
    "entry_page",
    "exit_page",
    "user_id",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
)
HIT_PARAMETERS = ("pathname", "page_title", "event_name")
PARAMETERS = SESSION_PARAMETERS + HIT_PARAMETERS


class FilterType(StrEnum):
    """How a filter compares; a negative type selects exactly what its positive one does not."""

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
        """Whether the filter selects what has none of the values."""
        return self.startswith("not_")

    @property
    def positive(self) -> "FilterType":
        """The type that compares in the same way and selects what has one of the values."""
        return FilterType(self.removeprefix("not_"))


@frozen
class Filter:
    """A condition on sessions: an attribute of them, or of any one of their hits, compared with values.

    The values are alternatives. Comparisons regard case; what is not known compares as an empty text.
    """

    parameter: str
    type: FilterType
    values: tuple[str, ...]


def parse_filters(value: Any) -> tuple[Filter, ...]:
    """Return the filters of a decoded JSON array of objects with `parameter`, `type` and `value`.

    Raises:
        Invalid: something in it is not what is accepted; faults are named `filters[0].type` and so on.

    """
    if not isinstance(value, list) or len(value) > MAX_FILTERS:
        raise Invalid({"filters": [f"must be a JSON array of at most {MAX_FILTERS} filters"]})
    faults: dict[str, list[str]] = {}
    for index, item in enumerate(value):
        faults |= _faults(f"filters[{index}]", item)
    if faults:
        raise Invalid(faults)
    return tuple(Filter(item["parameter"], FilterType(item["type"]), tuple(item["value"])) for item in value)


def selector(filters: Iterable[Filter]) -> Callable[[Visit], bool]:
    """Return what tells whether all filters hold for a visit."""
    conditions = [_condition(one) for one in filters]
    return lambda visit: all(condition(visit) for condition in conditions)


def filter_regex(value: str) -> str:
    """Return a value of a `regex` filter as Python's `re` and PostgreSQL's `~` understand it alike."""
    return render(parse_expression(value, field="filters"))


def _faults(name: str, item: Any) -> Mapping[str, list[str]]:
    if not isinstance(item, dict):
        return {name: ["must be an object with parameter, type and value"]}
    faults = {}
    if item.get("parameter") not in PARAMETERS:
        faults[f"{name}.parameter"] = [f"must be one of {', '.join(PARAMETERS)}"]
    if item.get("type") not in list(FilterType):
        faults[f"{name}.type"] = [f"must be one of {', '.join(FilterType)}"]
    if fault := _values_fault(item.get("value"), regex=item.get("type") in ("regex", "not_regex")):
        faults[f"{name}.value"] = [fault]
    return faults


def _values_fault(values: Any, *, regex: bool) -> str | None:
    if not isinstance(values, list) or not 1 <= len(values) <= MAX_VALUES:
        return f"must be an array of 1 to {MAX_VALUES} texts"
    return next(filter(None, (_value_fault(value, regex=regex) for value in values)), None)


def _value_fault(value: Any, *, regex: bool) -> str | None:
    if not isinstance(value, str):
        return f"must be an array of 1 to {MAX_VALUES} texts"
    fault = text_fault(value, maximum=MAX_VALUE)
    if fault or not regex:
        return fault
    try:
        parse_expression(value, field="")
    except Invalid as refusal:
        return refusal.faults[""][0]
    return None


def _condition(one: Filter) -> Callable[[Visit], bool]:
    compare = _comparison(one.type.positive, one.values)
    attributes = _hit_attributes if one.parameter in HIT_PARAMETERS else _session_attribute
    return lambda visit: any(map(compare, attributes(visit, one.parameter))) is not one.type.negative


def _session_attribute(visit: Visit, name: str) -> Sequence[str]:
    return [getattr(visit.session, name) or ""]


def _hit_attributes(visit: Visit, name: str) -> Iterable[str]:
    return (getattr(recorded.hit, name) or "" for recorded in visit.hits)


def _comparison(kind: FilterType, values: tuple[str, ...]) -> Callable[[str], bool]:
    match kind:
        case FilterType.CONTAINS:
            return lambda text: any(value in text for value in values)
        case FilterType.STARTS_WITH:
            return lambda text: text.startswith(values)
        case FilterType.ENDS_WITH:
            return lambda text: text.endswith(values)
        case FilterType.REGEX:
            automata = [_automaton(value) for value in values]
            return lambda text: any(automaton.occurs_in(text) for automaton in automata)
        case _:
            return lambda text: text in values


@lru_cache(maxsize=256)
def _automaton(value: str) -> Automaton:
    return Automaton(parse_expression(value, field="filters"))
