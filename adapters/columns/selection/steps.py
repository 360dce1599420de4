"""The steps of funnels in queries: the hits that match them, and from step to step the first one after."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from footfall.adapters.columns.selection.expressions import Values, of_types, rule_condition
from footfall.adapters.columns.sql_files import Kept, compose, over, select
from footfall.domain.goals.goal import Rule
from footfall.domain.periods.unix_time import MICROSECOND
from footfall.domain.tracking.hit import HitType

MATCHED = of_types([HitType.PAGEVIEW, HitType.CUSTOM_EVENT])


def step_hit(rules: Sequence[Rule], within: timedelta | None, values: Values) -> Kept:
    """Return the query of those of the relation `hits` that match a step; `within` is the time of all steps."""
    steps = [f"({rule_condition(rule, values)}) as step_{step}" for step, rule in enumerate(rules)]
    compared = select("hits", columns=", ".join(["*", f"{who_takes(within)} as who", *steps]))
    return Kept(over(compose("funnels/step_hit"), compared=compared))


def taken(steps: int, within: timedelta | None) -> dict[str, str]:
    """Return the queries of those who took each of some steps, by their names, over the relation `step_hit`."""
    queries: dict[str, str] = {"taken_0": Kept(limited(compose("funnels/first"), within))}
    for before, step in pairwise(range(steps)):
        relations = {"before": f"from taken_{before}", "matching": select("step_hit", f"step_{step}")}
        queries[f"taken_{step}"] = Kept(over(compose("funnels/next"), **relations))
    return queries


def who_takes(within: timedelta | None) -> str:
    """Return the column of who takes steps: a session, or a visitor within some time."""
    return "session_id" if within is None else "counted_visitor"


def limited(first: str, within: timedelta | None) -> str:
    """Return the query of those who take the first step, each with the end of the time; null where it has none."""
    until = "null::bigint" if within is None else f'"at" + {within // MICROSECOND}'
    return over(select("first", columns=f"*, {until} as until"), first=first)
