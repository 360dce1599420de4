"""The filters of standing exclusions: what they leave out of every report (docs/read/standing-exclusions.md)."""

from collections.abc import Sequence

from footfall.application.journal.interface_documents import condition_documents, conditions_of
from footfall.domain.exceptions import Invalid, require_valid
from footfall.domain.sites.segment import Condition
from footfall.domain.sites.standing_exclusions import StandingExclusions
from footfall.domain.traffic.filters import (
    DEFINED_PARAMETERS,
    ExpressionCompiler,
    Filter,
    excluding,
    parse_filters,
    with_expressions,
)

REFUSED = "an exclusion rule of the site has an expression that is not accepted any more: members can disable the rule"


def exclusion_filters(exclusions: StandingExclusions, expressions: ExpressionCompiler) -> tuple[Filter, ...]:
    """Return the filter that leaves out what the enabled rules of a site name; none without such rules.

    Raises:
        Invalid: a rule has an expression that an earlier version accepted; the error names `excluded` and nothing of
            the rule, since any reader sees it.

    """
    try:
        rules = [filters_of(rule.conditions, expressions) for rule in exclusions.enabled]
    except Invalid:
        raise Invalid({"excluded": [REFUSED]}) from None
    return (excluding(rules),) if rules else ()


def filters_of(conditions: Sequence[Condition], expressions: ExpressionCompiler) -> tuple[Filter, ...]:
    """Return the conditions of a rule as filters.

    Raises:
        Invalid: they are not accepted; the errors name `filters` and their parts.

    """
    return with_expressions(parse_filters(condition_documents(conditions)), expressions)


def accepted_conditions(filters: Sequence[Filter], expressions: ExpressionCompiler) -> tuple[Condition, ...]:
    """Return filters as the conditions of a rule.

    Raises:
        Invalid: there are none, one is about a goal or a funnel, or an expression is not accepted; the errors name
            `filters` and their parts.

    """
    if not filters:
        raise Invalid({"filters": ["must have at least one filter"]})
    # What a session reached depends on the period that is asked about, and a rule holds for all history.
    errors = {
        f"filters[{index}].parameter": [
            f"must be none of {', '.join(DEFINED_PARAMETERS)} in an exclusion rule"
        ]
        for index, condition in enumerate(filters)
        if condition.parameter in DEFINED_PARAMETERS
    }
    require_valid(errors)
    with_expressions(filters, expressions)
    return conditions_of(filters)
