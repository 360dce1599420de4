"""Revenue by source: each conversion is given to one visit of its visitor, by a model (docs/goals/revenue.md).

Here every hit that satisfies the goal is a conversion; in the reports of goals a session is one, once.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from enum import StrEnum

from attrs import frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.goals.matching import matcher
from footfall.domain.number import identifier
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.tracking.acquisition.channel import Channel
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.filters import Filter, exclusions_of
from footfall.domain.traffic.properties import Sum, add_up, number_of
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Session

# The attributes of a visit by which revenue is counted.
DIMENSIONS = (
    *("channel", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
    *("referrer_host", "referrer", "entry_page", "country"),
)
DEFAULT_DAYS, MOST_DAYS = 30, 90


class Model(StrEnum):
    """Which visit of a visitor a conversion is given to; the last one of all is that of the conversion, as a rule."""

    FIRST = "first"
    LAST = "last"
    # The last one whose channel is known, and not `Direct`; the last one when there is none.
    LAST_NOT_DIRECT = "last_not_direct"


@frozen
class RevenuePlan:
    """What is asked: the conversions of a goal in a period, by an attribute of visits, and by one or two models.

    With a property they are the events that have a number as it, and the numbers are their money; without one all
    count, and have no money. Visits count that begin within so many times 24 hours before a conversion. Rows are of the
    values that are `named`, of all without these.
    """

    goal: GoalQuery
    property_key: str | None
    period: Period
    by: str
    models: tuple[Model, ...]
    days: int = DEFAULT_DAYS
    named: tuple[str, ...] | None = None

    @property
    def lookback(self) -> timedelta:
        """How long before a conversion visits begin that count."""
        return timedelta(days=self.days)

    @property
    def around(self) -> Period:
        """The time of all visits that count."""
        return Period(self.period.start - self.lookback, self.period.end)


@frozen
class RevenueRow:
    """A value of the attribute with the conversions, and the money of these, by each model."""

    value: str
    sums: tuple[Sum, ...]


@frozen
class Revenue:
    """A page of the values, the largest sums of the first model first, and all conversions: each model adds up to them.

    `values` is the number of values on all pages, and `signed` that of conversions of signed users.
    """

    rows: Sequence[RevenueRow]
    values: int
    total: Sum
    signed: int


@frozen
class _Conversion:
    hit: RecordedHit
    session: Session
    money: Decimal


def parse_revenue_dimension(text: str | None) -> str:
    """Return the attribute of the query parameter `by`; the default is the channel.

    Raises:
        Invalid: it is none of them; the error names them.

    """
    if text is not None and text not in DIMENSIONS:
        raise Invalid({"by": [f"must be one of {', '.join(DIMENSIONS)}"]})
    return DIMENSIONS[0] if text is None else text


def parse_models(model: str | None, compared: str | None) -> tuple[Model, ...]:
    """Return the models of the query parameters `model`, which skips `Direct` by default, and `compare_model`.

    Raises:
        Invalid: one of them is no model; the errors name the models.

    """
    named = {"model": Model.LAST_NOT_DIRECT if model is None else model}
    if compared is not None:
        named["compare_model"] = compared
    models = {str(model) for model in Model}
    if errors := {
        name: [f"must be one of {', '.join(Model)}"] for name, text in named.items() if text not in models
    }:
        raise Invalid(errors)
    return tuple(map(Model, named.values()))


def parse_lookback(text: str | None) -> int:
    """Return the days of the query parameter `lookback`, 30 by default.

    Raises:
        Invalid: it is no number from 1 to 90; the error names the limits.

    """
    days = DEFAULT_DAYS if text is None else identifier(text)
    if days is None or not 1 <= days <= MOST_DAYS:
        raise Invalid({"lookback": [f"must be a number of days from 1 to {MOST_DAYS}"]})
    return days


def revenue(
    plan: RevenuePlan, hits: Iterable[RecordedHit], page: Page, filters: Sequence[Filter] = ()
) -> Revenue:
    """Return the money of the conversions of a period by a page of the values of an attribute, from all hits of a site.

    Conversions are hits that satisfy the rule of the goal, in sessions that the filters select. Each is given to one
    visit of its visitor: of those that begin up to its time, within the days before, and of its own. Visits that
    standing exclusions leave out are none; the other filters regard the conversions alone.
    """
    log = list(hits)
    visits = defaultdict[int, list[Session]](list)
    for visit in select_visits(log, plan.around, exclusions_of(filters)):
        visits[visit.session.counted_visitor].append(visit.session)
    conversions = list(_conversions(plan, log, filters))
    money = [defaultdict[str, list[Decimal]](list) for _ in plan.models]
    for conversion in conversions:
        touches = _touches(plan, conversion, visits[conversion.session.counted_visitor])
        for model, of_model in zip(plan.models, money, strict=True):
            of_model[str(getattr(_touch(model, touches), plan.by) or "")].append(conversion.money)
    rows = [
        RevenueRow(value, tuple(Sum(len(of_model[value]), add_up(of_model[value])) for of_model in money))
        for value in {value: None for of_model in money for value in of_model}
        if plan.named is None or value in plan.named
    ]
    ranked = sorted(rows, key=lambda row: (-row.sums[0].sum, -row.sums[0].count, row.value))
    total = Sum(len(conversions), add_up(conversion.money for conversion in conversions))
    signed = sum(conversion.session.signed_visitor_id is not None for conversion in conversions)
    return Revenue(page.of(ranked), len(ranked), total, signed)


def _conversions(
    plan: RevenuePlan, log: Sequence[RecordedHit], filters: Sequence[Filter]
) -> Iterator[_Conversion]:
    matches = matcher(plan.goal.rule)
    for visit in select_visits(log, plan.period, filters):
        for recorded in hits_in_period(visit, plan.period):
            money = _money_of(plan, recorded.hit)
            if money is not None and matches(recorded.hit):
                yield _Conversion(recorded, visit.session, money)


def _money_of(plan: RevenuePlan, hit: Hit) -> Decimal | None:
    if plan.property_key is None:
        return Decimal(0)
    return number_of((hit.properties or {}).get(plan.property_key))


def _touches(plan: RevenuePlan, conversion: _Conversion, visits: Iterable[Session]) -> list[Session]:
    """Return the visits that a conversion can be given to, in the order of their beginnings."""
    at = conversion.hit.hit.occurred_at
    touches = [session for session in visits if at - plan.lookback <= session.start <= at]
    return sorted(touches, key=lambda session: (session.start, session.session_id))


def _touch(model: Model, touches: Sequence[Session]) -> Session:
    match model:
        case Model.FIRST:
            return touches[0]
        case Model.LAST:
            return touches[-1]
    named = [session for session in touches if session.channel not in (None, Channel.DIRECT)]
    return (named or touches)[-1]
