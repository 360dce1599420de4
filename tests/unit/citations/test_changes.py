"""The rows of an explanation: which ones differ, by how much, and in which order."""

from datetime import timedelta
from decimal import Decimal

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.citations.changes import ChangedRow, Origin, changed_rows, origin_of
from tests.histories import START, hit

_NUMBERS = st.none() | st.integers(-(10**8), 10**8) | st.floats(-1e8, 1e8).map(lambda one: round(one, 6))
_STATES = st.lists(
    st.dictionaries(
        st.sampled_from([(), ("a",), ("b",)]),
        st.fixed_dictionaries({"count": _NUMBERS, "rate": _NUMBERS}),
    ),
    min_size=1,
    max_size=5,
)


@given(states=_STATES)
def test_the_parts_of_each_figure_add_up_as_decimals(states):
    rows = {row.key: row for row in changed_rows(states)}

    for key in {key for state in states for key in state}:
        first, last = states[0].get(key, {}), states[-1].get(key, {})
        for name in ("count", "rate"):
            expected = _exact(last.get(name)) - _exact(first.get(name))
            parts = rows[key].parts if key in rows else []
            assert sum((_exact(part[name]) for part in parts), Decimal(0)) == expected


def test_rows_that_differ_are_there_the_largest_difference_first():
    before = {("a",): {"count": 3}, ("b",): {"count": 4}, ("c",): {"count": 1}, ("e",): {"count": 1}}
    between = {**before, ("d",): {"count": 1}}
    after = {("a",): {"count": 1}, ("b",): {"count": 4}, ("c",): {"count": 6}, ("e",): {"count": 2}}

    rows = changed_rows([before, between, after])

    assert [row.key for row in rows] == [("c",), ("a",), ("e",), ("d",)]
    assert rows[3] == ChangedRow(("d",), {"count": 0}, {"count": 0}, [{"count": 1}, {"count": -1}])


def test_the_row_of_a_report_of_one_row_is_always_there():
    assert changed_rows([{(): {"count": 1}}]) == [ChangedRow((), {"count": 1}, {"count": 1}, [])]


def test_a_hit_is_late_more_than_five_minutes_after_its_time():
    late = [evolve(hit(), received_at=START + timedelta(minutes=5, seconds=more)) for more in (0, 1)]

    assert [origin_of(one, imported=False) for one in late] == [Origin.IN_TIME, Origin.LATE]
    assert origin_of(late[1], imported=True) is Origin.IMPORT


def _exact(number):
    return Decimal(str(number or 0))
