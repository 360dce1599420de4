"""Messages between workers and the reading process: what is wanted comes back as it was."""

from datetime import UTC, datetime, timedelta

import pytest

from footfall.adapters.columns.reader.frames import Malformed, decode, encode
from footfall.adapters.columns.reader.messages import of_wanted, wanted_of
from footfall.application.ports.reports.fresh_rows import Wanted
from footfall.domain.periods.period import Period

DAY = datetime(2026, 3, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    "wanted",
    [Wanted(), Wanted([DAY], 7, Period(DAY, DAY + timedelta(days=1)), 1 << 40), Wanted([], 1 << 62)],
)
def test_what_is_wanted_comes_back_as_it_was(wanted):
    assert wanted_of(_sent(of_wanted(wanted))) == wanted


@pytest.mark.parametrize("near", [[DAY], [1, 2], "near"])
def test_a_stretch_of_time_that_is_none_is_malformed(near):
    with pytest.raises(Malformed):
        wanted_of(_sent({**of_wanted(Wanted()), "near": near}))


def _sent(message):
    return decode(encode(message)[4:])
