"""Numbers of sessions that exclusion rules leave out: counted once of a state, for some seconds."""

from datetime import timedelta

from attrs import define, evolve

from footfall.adapters.memory.clock import ManualClock
from footfall.application.reports.exclusions import COUNTS_KEPT, MOST_COUNTS, ExcludedCounts
from footfall.domain.citations.positions import Positions
from footfall.domain.examples import NOON
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import EXCLUSION, Filter, FilterType, excluding

DAY = Period(NOON, NOON + timedelta(days=1))
GERMAN = (excluding([[Filter("country", FilterType.EQUALS, ("DE",))]]),)
STATE = Positions(1, NOON, 5, 70)


@define
class Traffic:
    """Counts how often it is asked with the rules, and answers that they leave out as many sessions."""

    asked: int = 0

    async def count_sessions(self, _site_id, query):
        if not query.filters:
            return 100
        assert [one.parameter for one in query.filters] == [EXCLUSION]
        self.asked += 1
        return 100 - self.asked


async def test_a_state_is_counted_once_for_some_seconds():
    clock, traffic = ManualClock(NOON), Traffic()
    counts = ExcludedCounts(clock)

    found = [await counts.of(STATE, DAY, GERMAN, traffic) for _ in range(2)]
    clock.advance(COUNTS_KEPT)
    found.append(await counts.of(STATE, DAY, GERMAN, traffic))
    clock.advance(timedelta(microseconds=1))
    found.append(await counts.of(STATE, DAY, GERMAN, traffic))

    assert found == [1, 1, 1, 2]


async def test_another_state_period_or_rule_is_another_count():
    traffic, counts = Traffic(), ExcludedCounts(ManualClock(NOON))
    other = (excluding([[Filter("country", FilterType.EQUALS, ("NP",))]]),)
    states = [
        (STATE, DAY, GERMAN),
        (evolve(STATE, site_id=2), DAY, GERMAN),
        (evolve(STATE, journal=6), DAY, GERMAN),
        (evolve(STATE, traffic=71), DAY, GERMAN),
        (evolve(STATE, log="eu"), DAY, GERMAN),
        (STATE, Period(NOON, NOON + timedelta(days=2)), GERMAN),
        (STATE, DAY, other),
    ]

    found = [await counts.of(*state, traffic) for state in states * 2]

    assert found == [*range(1, 8), *range(1, 8)]


async def test_a_site_without_rules_is_not_counted():
    traffic, counts = Traffic(), ExcludedCounts(ManualClock(NOON))

    assert await counts.of(STATE, DAY, (), traffic) == 0
    assert traffic.asked == 0


async def test_only_so_many_counts_are_kept():
    traffic, counts = Traffic(), ExcludedCounts(ManualClock(NOON))
    for position in range(MOST_COUNTS + 1):
        await counts.of(evolve(STATE, traffic=position), DAY, GERMAN, traffic)

    await counts.of(evolve(STATE, traffic=1), DAY, GERMAN, traffic)
    await counts.of(evolve(STATE, traffic=0), DAY, GERMAN, traffic)

    assert traffic.asked == MOST_COUNTS + 2
