"""The positions of an answer, and what a question may name."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.citations.definitions import PRESENT, Definition, Definitions
from footfall.domain.citations.positions import AS_OF_RULE, Positions, parse_as_of, whole_milliseconds
from footfall.domain.exceptions import Invalid

NUMBERS = st.integers(0, 10**15 - 1)
INSTANTS = st.datetimes(datetime(1970, 1, 1), datetime(2199, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001


LOGS = st.from_regex(r"\A[a-z][a-z0-9_]{0,30}\Z")


DEFINITIONS = st.builds(Definitions, **{one.value: st.integers(1, PRESENT[one]) for one in Definition})


@given(site=NUMBERS, at=INSTANTS, journal=NUMBERS, traffic=NUMBERS, log=LOGS, definitions=DEFINITIONS)
def test_positions_are_read_as_they_are_written(site, at, journal, traffic, log, definitions):
    positions = Positions(site, whole_milliseconds(at), journal, traffic, log, definitions)

    assert parse_as_of(str(positions)) == positions


def test_positions_that_name_no_definition_are_by_the_first_one():
    found = parse_as_of("site=1, at=2, journal=3, traffic.main=4")

    assert isinstance(found, Positions)
    assert found.definitions == Definitions(**{one.value: 1 for one in Definition})


@pytest.mark.parametrize("number", [0, PRESENT.vitals + 1, 10**15 - 1])
def test_definitions_that_no_answer_had_are_refused_with_those_that_one_had(number):
    with pytest.raises(Invalid) as refusal:
        parse_as_of(f"site=1, at=2, journal=3, traffic.main=4, vitals={number}")

    assert refusal.value.field_errors == {
        "as_of": [f"names definition {number} of web vitals; accepted is vitals from 1 to {PRESENT.vitals}"]
    }


def test_every_definition_has_a_number_and_a_subject():
    assert [one for one, _ in PRESENT] == list(Definition)
    assert all(one.subject for one in Definition)


@pytest.mark.parametrize(
    "text", ["2026-11-22T10:15:00Z", "2026-11-22T11:15:00+01:00", "2026-11-22T10:15:00.000999Z"]
)
def test_an_instant_with_a_zone_is_read_to_the_millisecond(text):
    assert parse_as_of(text) == datetime(2026, 11, 22, 10, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-11-22",
        "2026-11-22T10:15:00",
        "2026-11-22T10:15:00 01:00",
        "0001-01-01T00:00:00+14:00",
        "site=1",
        "site=1, at=2, journal=3",
        "site=1, at=2, journal=3, traffic=4",
        "site=1, at=2, journal=3, traffic.main=4, traffic.main=4",
        "site=1, site=1, at=2, journal=3, traffic.main=4",
        "site=1, at=2, journal=3, traffic.main=4, traffic.west=4",
        "at=2, journal=3, traffic.main=4, traffic.west=4",
        "site=1, at=2, journal=3, traffic.=4",
        "site=1, at=2, journal=3, traffic.West=4",
        "site=1, at=2, journal=3, traffic.west-1=4",
        "site=-1, at=2, journal=3, traffic.main=4",
        "site=1, at=2, journal=3, traffic.main=9999999999999999",
        "site=1, at=999999999999999, journal=3, traffic.main=4",
        "site=1, at=2, journal=3, traffic.main=4, vitals=2, vitals=2",
        "site=1, at=2, journal=3, traffic.main=4, sessions=",
        "site=1, at=2, journal=3, vitals=2",
        "site=\u0661, at=2, journal=3, traffic.main=4",
    ],
)
def test_everything_else_is_refused_with_what_is_accepted(text):
    with pytest.raises(Invalid) as refusal:
        parse_as_of(text)

    assert refusal.value.field_errors == {"as_of": [AS_OF_RULE]}
