"""Filters in addresses of the dashboard: a parameter, a type and a value with commas between them."""

from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from footfall.application.journal.directory_records import FunnelRecord, GoalRecord
from footfall.application.languages.language import tr
from footfall.domain.funnels.checking import step_names
from footfall.domain.traffic.dimensions import FAMILIES, keyed
from footfall.domain.traffic.filters import Filter

# The fields of the form that adds a filter; the key is that of an attribute which has one.
ADDED = ("add_parameter", "add_key", "add_type", "add_value")


def filter_text(parameter: str, kind: str, value: str) -> str:
    """Return a filter as addresses have it: `country,equals,DE`; commas in the key of a parameter are escaped."""
    return f"{_escaped(parameter)},{kind},{value}"


def filter_parts(text: str) -> list[str]:
    """Return the parameter, the type and the value of a filter in an address; fewer parts when it has not all."""
    parameter, *others = text.split(",", 2)
    return [parameter if keyed(parameter) is None else unquote(parameter), *others]


def with_key(parameter: str, key: str) -> str:
    """Return the dimension that a form names in two fields: `property:plan` for `property` and `plan`."""
    return FAMILIES[parameter].of_key(key) if parameter in FAMILIES else parameter


def fields_of(condition: Filter) -> Mapping[str, str]:
    """Return the fields of the form that adds a filter, with what they say of one."""
    dimension = keyed(condition.parameter)
    names = (condition.parameter, "") if dimension is None else (dimension.family.name, dimension.key)
    return dict(zip(ADDED, (*names, str(condition.type), condition.values[0]), strict=True))


def as_written(text: str) -> str:
    """Return the text of a filter as `filter_text` writes it, which compares it with that of others."""
    parameter, *others = filter_parts(text)
    return ",".join((_escaped(parameter), *others))


def _escaped(parameter: str) -> str:
    dimension = keyed(parameter)
    return (
        parameter
        if dimension is None
        else dimension.family.of_key(dimension.key).replace("%", "%25").replace(",", "%2C")
    )


def names_of_definitions(goals: Sequence[GoalRecord], funnels: Sequence[FunnelRecord]) -> dict[str, str]:
    """Return what to call the values of filters by goals and by steps of funnels."""
    goal_names = {record.goal.goal_id: record.goal.name for record in goals}
    names = {str(goal_id): name for goal_id, name in goal_names.items()}
    for record in funnels:
        plan = record.funnel.plan
        steps = step_names(plan, goal_names)
        for number, step in enumerate(steps, start=1):
            how = (
                tr("all steps taken")
                if number == len(steps)
                else tr("dropped off after {number}. {step}", number=number, step=step)
            )
            reached = tr("reached {number}. {step}", number=number, step=step)
            value = f"{record.funnel.funnel_id}.{number}"
            names |= {
                value: f"{plan.name}: {how}",
                f"{value}-": f"{plan.name}: {reached}",
            }
    return names
