"""The estimate of lost conversions: by hand on small numbers, and against the truth in simulated traffic."""

import random
from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.error_tracking.lost_conversions import (
    LostMoney,
    Stratum,
    estimate_loss,
    money_lost,
)

SEEDS = 1_000
FEWER_SEEDS = 300
SESSIONS = 500


def simulated(seed, loss):
    """Return strata of sessions whose rate of conversion an error lowers by `loss`, and the truth.

    Day, entry page and device decide about the rate, and about who meets the error.
    """
    chance, strata, rates = random.Random(seed), {}, {}
    for _ in range(SESSIONS):
        cell = chance.randrange(7), chance.choice("aab"), chance.choice("dmm")
        rate = rates.setdefault(cell, (0.35 if cell[1] == "b" else 0.2) * chance.uniform(0.8, 1.2))
        met = chance.random() < (0.25 if cell[1] == "b" else 0.1)
        converted = chance.random() < rate - loss * met
        strata.setdefault(cell, [0, 0, 0, 0])[2 * (not met)] += 1
        strata[cell][2 * (not met) + 1] += converted
    found = [Stratum(*counts) for counts in strata.values()]
    return found, loss * sum(one.met for one in found if one.met and one.others)


def rare(seed, met, others, rate, loss=0.0):
    """Return strata of four days with a few sessions that met an error, and the truth."""
    chance, strata = random.Random(seed), {}
    for number in range(met + others):
        day, is_met = chance.randrange(4), number < met
        converted = chance.random() < rate - loss * is_met
        strata.setdefault(day, [0, 0, 0, 0])[2 * (not is_met)] += 1
        strata[day][2 * (not is_met) + 1] += converted
    found = [Stratum(*counts) for counts in strata.values()]
    return found, loss * sum(one.met for one in found if one.met and one.others)


def estimated(strata):
    return estimate_loss(Counter(strata))


def test_one_stratum_is_the_difference_of_its_rates():
    loss = estimated([Stratum(met=100, met_converted=10, others=400, others_converted=80)])

    assert (loss.compared, loss.lost) == (100, pytest.approx(10))
    assert loss.low < 10 < loss.high
    # The variance of one large stratum is near that of two proportions.
    assert (loss.high - loss.low) / 2 == pytest.approx(
        1.96 * 100 * (0.1 * 0.9 / 100 + 0.2 * 0.8 / 400) ** 0.5, rel=0.03
    )


def test_strata_without_sessions_of_both_kinds_tell_nothing():
    one = Stratum(10, 1, 20, 8)

    assert estimated([one, Stratum(5, 5, 0, 0), Stratum(0, 0, 7, 7)]) == estimated([one])
    assert estimated([Stratum(5, 5, 0, 0), Stratum(0, 0, 7, 7)]) is None
    assert estimated([]) is None


def test_equal_strata_count_as_often_as_they_occur_in_any_order():
    one, other = Stratum(3, 1, 9, 4), Stratum(1, 0, 2, 1)

    found = estimate_loss({one: 2, other: 3})

    assert found == estimate_loss({other: 3, one: 2})
    assert (found.compared, found.others) == (9, 24)
    assert found.lost == pytest.approx(9 * (2 * 3 / 12 + 3 * 1 / 3) / (2 * 27 / 12 + 3 * 2 / 3))


def test_a_confounder_of_entry_page_and_error_costs_nothing():
    # Those who meet the error come by the page that converts less; in each stratum the rates are equal.
    loss = estimated([Stratum(80, 8, 40, 4), Stratum(20, 10, 160, 80)])

    assert loss.lost == pytest.approx(0)
    assert not loss.is_costly


@pytest.mark.parametrize("strata", [[Stratum(1, 0, 1, 0)], [Stratum(1, 1, 1, 1)], [Stratum(1, 0, 1, 1)] * 3])
def test_strata_in_which_all_do_the_same_have_an_interval(strata):
    loss = estimated(strata)

    assert loss.low <= loss.lost <= loss.high


def test_the_interval_holds_a_planted_loss_in_at_least_93_of_100_runs():
    held = 0
    for seed in range(SEEDS):
        strata, truth = simulated(seed, 0.1)
        loss = estimated(strata)
        held += loss.low <= truth <= loss.high

    assert held >= 0.93 * SEEDS


def test_a_harmless_error_is_called_costly_in_at_most_5_of_100_runs():
    costly = sum(estimated(simulated(seed, 0.0)[0]).is_costly for seed in range(SEEDS))

    assert costly <= 0.05 * SEEDS


# How many sessions met the error, how many did not, and the rate at which they convert.
FEW = [(4, 100, 0.2), (12, 200, 0.2), (20, 400, 0.05), (50, 1_000, 0.01), (100, 1_000, 0.02)]


@pytest.mark.parametrize(("met", "others", "rate"), [(1, 50, 0.2), *FEW])
def test_a_harmless_error_of_few_sessions_is_called_costly_in_at_most_5_of_100_runs(met, others, rate):
    costly = sum(estimated(rare(seed, met, others, rate)[0]).is_costly for seed in range(FEWER_SEEDS))

    assert costly <= 0.05 * FEWER_SEEDS


@pytest.mark.parametrize(("met", "others", "rate"), FEW)
def test_the_interval_of_few_sessions_holds_a_planted_loss_in_at_least_93_of_100_runs(met, others, rate):
    held = 0
    for seed in range(FEWER_SEEDS):
        strata, truth = rare(seed, met, others, rate, loss=rate / 2)
        loss = estimated(strata)
        held += loss.low <= truth <= loss.high

    assert held >= 0.93 * FEWER_SEEDS


def test_an_interval_stays_within_all_and_none_of_the_sessions():
    loss = estimated([Stratum(met=2, met_converted=0, others=50, others_converted=25)])

    assert -2 <= loss.low < 0 < loss.lost <= loss.high <= 2


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 30), st.integers(0, 30)).map(
            lambda one: Stratum(one[0] + one[1], one[0], one[2] + one[3], one[2])
        ),
        st.integers(1, 5),
        max_size=8,
    )
)
def test_the_estimate_lies_in_its_interval(strata):
    loss = estimate_loss(strata)

    assert loss is None or -loss.compared <= loss.low <= loss.lost <= loss.high <= loss.compared


@pytest.mark.parametrize("total", ["90", "-90", "0"])
def test_a_lost_conversion_is_worth_the_mean_of_others(total):
    loss = estimate_loss({Stratum(4, 1, 4, 3): 1})
    each = float(total) / 3

    money = money_lost(loss, Decimal(total), 3)

    low, high = sorted([loss.low * each, loss.high * each])
    assert money == LostMoney(lost=loss.lost * each, low=low, high=high)
    assert money.low <= money.lost <= money.high


def test_without_conversions_nothing_is_known_of_their_worth():
    assert money_lost(estimate_loss({Stratum(4, 0, 4, 0): 1}), Decimal(0), 0) is None


def test_the_mean_of_the_largest_sums_is_exact_to_a_double():
    loss = estimate_loss({Stratum(2, 0, 2, 2): 1})

    money = money_lost(loss, Decimal("29999999999999999973.703703670"), 30)

    assert money.lost == loss.lost * 999999999999999999.123456789
