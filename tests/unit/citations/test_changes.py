"""The difference of two answers: its parts add up, whatever came in between."""

from datetime import timedelta

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.citations.changes import Figure, Origin, Part, first_hits, split
from footfall.domain.goals.goal import PathRule
from footfall.domain.periods.period import Period
from footfall.domain.traffic.conversion import count_conversions
from footfall.domain.traffic.overview import overview
from footfall.domain.traffic.session import visits
from tests import histories
from tests.histories import RULES, START, after, hit, record


@given(
    log=histories.histories(max_size=40).filter(bool),
    places=st.lists(st.floats(0, 1), min_size=2, max_size=5).map(sorted),
    period=histories.periods(),
    rules=st.lists(RULES, min_size=2, max_size=3),
    chosen=st.lists(st.integers(-1, 1), min_size=4, max_size=4),
    imported=st.sets(st.integers(1, 40)),
)
def test_the_parts_add_up_to_the_difference(log, places, period, rules, chosen, imported):
    cuts = [round(place * log[-1].position) for place in places]
    in_force = [None if one < 0 else one for one in chosen[: len(cuts) - 1]]

    found = first_hits(visits(log), period, rules, cuts, imported)
    parts = split(found, in_force)

    def figures(cut, rule):
        past = [one for one in log if one.position <= cut]
        traffic = overview(past, period)
        converted = 0 if rule is None else count_conversions([rules[rule]], past, period)[0].conversions
        return {
            Figure.VISITORS: traffic.visitors,
            Figure.SESSIONS: traffic.sessions,
            Figure.PAGEVIEWS: traffic.pageviews,
            Figure.EVENTS: traffic.events,
            Figure.CONVERSIONS: converted,
        }

    before, now = figures(cuts[0], in_force[0]), figures(cuts[-1], in_force[-1])
    sums = {figure: sum(part.difference.get(figure, 0) for part in parts) for figure in Figure}
    assert sums == {figure: now[figure] - before[figure] for figure in Figure}


def test_each_part_belongs_to_what_made_it():
    late = evolve(hit(visitor_id=2, pathname="/a"), received_at=after(days=1))
    log = record(hit(pathname="/a"), hit(visitor_id=3, pathname="/b"), late, hit(visitor_id=4, pathname="/b"))
    day = Period(START - timedelta(hours=1), after(hours=1))

    found = first_hits(visits(log), day, [PathRule("/a"), PathRule("/*")], [1, 3, 4], imported={2})

    assert split(found, [0, 1]) == [
        Part(Origin.IN_TIME, _figures(1, pageviews=1, conversions=1)),
        Part(Origin.LATE, _figures(1, pageviews=1, conversions=1)),
        Part(Origin.IMPORT, _figures(1, pageviews=1)),
        Part(1, {Figure.CONVERSIONS: 1}),
    ]


def _figures(count, **others):
    return {
        Figure.VISITORS: count,
        Figure.SESSIONS: count,
        **{Figure(name): value for name, value in others.items()},
    }
