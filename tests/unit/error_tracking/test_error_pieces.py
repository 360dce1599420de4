"""A period in pieces: whatever it is, each instant of it lies in exactly one."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.reports.errors.pieces import error_pieces
from footfall.domain.periods.period import Period

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
instants = st.datetimes(datetime.fromisoformat("1999-01-01"), datetime.fromisoformat("2004-01-01")).map(
    lambda at: at.replace(tzinfo=UTC)
)
midnights = st.integers(-400, 1400).map(lambda days: EPOCH + days * DAY)
periods = st.tuples(instants | midnights, instants | midnights).map(lambda two: Period(*sorted(two)))


def spans_of(pieces):
    return list(zip(pieces["span_days"], pieces["span_starts"], pieces["span_ends"], strict=True))


@given(periods)
def test_the_pieces_follow_each_other_from_the_start_to_the_end(period):
    pieces = error_pieces(period)

    edges = [
        pieces[name] for name in ("start", "quarters_start", "days_start", "days_end", "quarters_end", "end")
    ]
    assert edges == sorted(edges)
    assert (edges[0], edges[-1]) == (period.start, period.end)


@given(periods)
def test_the_spans_are_all_whole_days_and_begin_where_such_spans_do(period):
    pieces = error_pieces(period)

    spans = spans_of(pieces)
    met = [pieces["days_start"], *(end for _, _, end in spans)]
    assert [start for _, start, _ in spans] == met[:-1]
    assert met[-1] == pieces["days_end"]
    for days, start, end in spans:
        assert start < end
        assert not (start - EPOCH) % (days * DAY)
        assert not (end - EPOCH) % (days * DAY)


@given(periods)
def test_a_span_is_as_long_as_can_be(period):
    spans = spans_of(error_pieces(period))

    # Three at either end, when a longer one lies between them or nearly fits.
    assert all((end - start) // (days * DAY) <= 6 for days, start, end in spans if days < 64)
