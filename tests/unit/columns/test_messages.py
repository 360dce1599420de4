"""Messages between workers and the reading process come back as what they were."""

from datetime import UTC, datetime, timedelta

import pytest

from footfall.adapters.columns.queries import SiteQuestion
from footfall.adapters.columns.reader.frames import Malformed, decode, encode
from footfall.adapters.columns.reader.messages import of_question, of_wanted, question_of, wanted_of
from footfall.application.ports.reports.fresh_rows import Earlier, Wanted
from footfall.domain.periods.period import Period

DAY = datetime(2026, 3, 28, tzinfo=UTC)
# Where no hit is later.
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted(),
        Wanted([DAY], 7, Period(DAY, DAY + timedelta(days=1)), 1 << 40),
        Wanted([], 1 << 62),
        Wanted(earlier=True),
    ],
)
def test_what_is_wanted_comes_back_as_it_was(wanted):
    assert wanted_of(_sent(of_wanted(wanted))) == wanted


@pytest.mark.parametrize(
    "earlier", [None, Earlier(LATEST, [1, (1 << 63) - 1], [-(1 << 63)]), Earlier(DAY, [], [])]
)
def test_a_question_comes_back_as_it_was(earlier):
    question = SiteQuestion(1, 1 << 62, "epoch", {DAY: "version", LATEST: None}, [1 << 62], [DAY], earlier)

    assert question_of(_sent(of_question(question))) == question


@pytest.mark.parametrize("earlier", [[DAY, []], [1, [], []], [DAY, [], None], {}])
def test_a_past_that_is_none_is_malformed(earlier):
    message = of_question(SiteQuestion(1, 1, "epoch", {}, []))

    with pytest.raises(Malformed):
        question_of(_sent({**message, "earlier": earlier}))


@pytest.mark.parametrize("near", [[DAY], [1, 2], "near"])
def test_a_stretch_of_time_that_is_none_is_malformed(near):
    with pytest.raises(Malformed):
        wanted_of(_sent({**of_wanted(Wanted()), "near": near}))


def _sent(message):
    return decode(encode(message)[4:])
