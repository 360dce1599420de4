"""The steps of funnels in queries: the hits that match them, and from step to step the first one after."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from footfall.adapters.columns.selection.expressions import Values, of_types, rule_condition
from footfall.adapters.columns.sql_files import Kept, compose
from footfall.domain.goals.goal import Rule
from footfall.domain.periods.unix_time import MICROSECOND
from footfall.domain.tracking.hit import HitType

MATCHED = of_types([HitType.PAGEVIEW, HitType.CUSTOM_EVENT])


def step_hit(rules: Sequence[Rule], within: timedelta | None, values: Values) -> Kept:
    """Return the query of those of the relation `hits` that match a step; `within` is the time of all steps."""
    conditions = [f"({rule_condition(rule, values)}) as step_{step}" for step, rule in enumerate(rules)]
    return Kept(
        compose(
            "funnels/step_hit",
            who="session_id" if within is None else "counted_visitor",
            flags=", ".join(conditions),
            any_flag=" or ".join(f"step_{step}" for step in range(len(rules))),
        )
    )


def taken(steps: int, within: timedelta | None) -> dict[str, str]:
    """Return the queries of those who took each of some steps, by their names, over the relation `step_hit`."""
    queries: dict[str, str] = {"taken_0": Kept(compose("funnels/first"))}
    for before, step in pairwise(range(steps)):
        places = {"before": str(before), "step": str(step), "within": micros(within)}
        queries[f"taken_{step}"] = Kept(compose("funnels/next", **places))
    return queries


def micros(within: timedelta | None) -> str:
    """Return a length of time as it stands in a query; null where there is no limit."""
    return "null" if within is None else str(within // MICROSECOND)
