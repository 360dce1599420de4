"""Strategies that generate what reports are asked: groups of pages, rules of goals, filters, and ways."""

from hypothesis import strategies as st

from footfall.adapters.regular_expressions import compile_expression
from footfall.domain.funnels.steps import LastStep
from footfall.domain.goals.goal import EventRule, GoalQuery, PageGroupRule, PathRule
from footfall.domain.journeys.journey import JourneyQuery, JourneyStep, JourneyStepType
from footfall.domain.paths.page_groups import UNGROUPED, GroupRule, PageGroups
from footfall.domain.traffic.filters import (
    DEFINED_PARAMETERS,
    FUNNEL,
    GOAL,
    GROUP_PARAMETERS,
    HIT_PARAMETERS,
    HITS,
    PARAMETERS,
    Filter,
    FilterType,
    excluding,
    with_expressions,
)
from tests.histories import KEYED, NAMES, PATHS

_VALUES = st.sampled_from(["pro", 12, True, "12", "12.00", 0.1, ".1", str(2**53 + 1), 2.0**53])


def page_groups():
    """Generate groups of pages, some of which are never met, since an earlier rule has their paths."""
    rules = st.builds(
        GroupRule,
        st.sampled_from(["Blog", "Home", "/blog/*"]),
        st.sampled_from(["/", "/blog", "/blog*", "/blog/*", "/*/*", "/**/edit", "/thanks", "/*/1"]),
    )
    return st.lists(rules, min_size=1, max_size=4).map(tuple).map(PageGroups)


def group_rules():
    """Generate rules by a group of pages, some of them by one that the site does not have."""
    return page_groups().flatmap(
        lambda groups: st.sampled_from([*groups.names, "Gone"]).map(lambda name: PageGroupRule(name, groups))
    )


RULES = st.one_of(
    st.sampled_from(["/", "/*", "/blog*", "/blog/*", "/*/*", "/**/edit", "/thanks"]).map(PathRule),
    st.sampled_from(NAMES).map(EventRule),
    st.builds(EventRule, st.sampled_from(NAMES), st.just("plan"), _VALUES),
    st.builds(PathRule, st.sampled_from(["/", "/*", "/blog*", "/*/*", "/**/edit"]), st.just("plan"), _VALUES),
)
# With those by a group of pages, whose conversions no store counts.
EVERY_RULE = RULES | group_rules()
_TEXTS = [
    *("", "/", "/blog", "blog", "DE", "desktop", "mobile", "anna", "signup", "Home", "Direct", "e", "1"),
    *("pro", "12", "12.0", "true", "0.1", "small", "very_large"),
    # Characters that mean something in patterns.
    *("_", "b_og", "%", "\\"),
]
_REGEXES = [
    "^/blog",
    "(a|o).*$",
    "^$",
    "[A-Z]{2}",
    r"\d",
    ".",
    "(?i)^H",
    r"\bdesktop\b",
    "[[:alpha:]]{5}",
    "(?-s)^.$",
]


def filters():
    """Generate a filter by an attribute, or one by rules: they leave sessions out of reports."""
    return single_filters() | exclusions()


@st.composite
def exclusions(draw):
    """Generate the filter by the standing exclusions of a site."""
    rule = st.lists(single_filters(), min_size=1, max_size=2)
    return excluding(draw(st.lists(rule, min_size=1, max_size=2)))


@st.composite
def single_filters(draw, *, kinds=tuple(FilterType)):
    """Generate a filter that has a chance to select something and to leave something out."""
    often = ["country", "device_type", "channel", "entry_page", "exit_page", "user_id", HITS, *HIT_PARAMETERS]
    kind = FilterType(draw(st.sampled_from(kinds)))
    values = _REGEXES if kind.positive is FilterType.REGEX else _TEXTS
    chosen = draw(st.lists(st.sampled_from(values), min_size=1, max_size=3))
    every = [one for one in PARAMETERS if one not in DEFINED_PARAMETERS]
    parameter = draw(st.sampled_from(often) | st.sampled_from(every) | st.sampled_from(KEYED))
    return filter_of(parameter, kind, *chosen)


def filter_of(parameter, kind, *values):
    """Return a filter that can be evaluated, also with regular expressions."""
    [one] = with_expressions([Filter(parameter, FilterType(kind), values)], compile_expression)
    return one


@st.composite
def funnel_filters(draw):
    """Generate a filter by the last steps of funnels."""
    rules = st.lists(EVERY_RULE, min_size=2, max_size=4).map(tuple)
    chosen = draw(st.lists(rules, min_size=1, max_size=2))
    last_steps = [LastStep(steps, draw(st.integers(1, len(steps)))) for steps in chosen]
    kind = draw(st.sampled_from([FilterType.EQUALS, FilterType.NOT_EQUALS]))
    values = tuple(f"{funnel}.{last.number}" for funnel, last in enumerate(last_steps, start=1))
    return Filter(FUNNEL, kind, values, last_steps=tuple(last_steps))


def any_filters():
    """Generate a filter by an attribute, by rules, or by definitions of the site."""
    return filters() | goal_filters() | funnel_filters() | group_filters()


@st.composite
def group_filters(draw):
    """Generate a filter by groups of pages."""
    groups = draw(page_groups())
    kind = draw(st.sampled_from([FilterType.EQUALS, FilterType.NOT_EQUALS]))
    names = draw(st.lists(st.sampled_from(groups.names), min_size=1, max_size=2, unique=True))
    return Filter(draw(st.sampled_from(list(GROUP_PARAMETERS))), kind, tuple(names), groups=groups)


@st.composite
def journey_queries(draw):
    """Generate what journeys are asked about, with steps that some session may have taken."""
    groups = draw(st.just(UNGROUPED) | page_groups())
    pages = st.builds(JourneyStep, st.just(JourneyStepType.PAGE), st.sampled_from(PATHS))
    if groups.rules:
        pages |= st.builds(JourneyStep, st.just(JourneyStepType.GROUP), st.sampled_from(groups.names))
    begins_in_group = bool(groups.rules) and draw(st.booleans())
    events = st.builds(JourneyStep, st.just(JourneyStepType.EVENT), st.sampled_from(NAMES))
    chosen = draw(st.dictionaries(st.sampled_from([1, 1, 2, 3]), pages | pages | events, max_size=2))
    return JourneyQuery(
        rule=None if begins_in_group else draw(st.none() | EVERY_RULE),
        group=draw(st.sampled_from(groups.names)) if begins_in_group else None,
        groups=groups,
        is_backward=draw(st.booleans()),
        has_events=draw(st.booleans()),
        chosen=tuple(sorted(chosen.items())) if draw(st.booleans()) else (),
        ended=draw(st.sampled_from([None, None, None, 0, 1, 2])),
    )


@st.composite
def goal_filters(draw, *, goals=None):
    """Generate a filter by goals: some of those given, else rules without a goal."""
    chosen = draw(st.lists(EVERY_RULE.map(GoalQuery), min_size=1, max_size=2)) if goals is None else goals
    kind = draw(st.sampled_from([FilterType.EQUALS, FilterType.NOT_EQUALS]))
    return Filter(GOAL, kind, tuple(str(number) for number, _ in enumerate(chosen, start=1)), tuple(chosen))
