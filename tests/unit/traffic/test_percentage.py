"""Percentages are rounded half up to two decimals."""

import pytest

from footfall.domain.percentage import percentage


@pytest.mark.parametrize(
    ("part", "whole", "written"),
    [
        (0, 3, 0.0),
        (1, 3, 33.33),
        (2, 3, 66.67),
        (17, 32, 53.13),
        (1, 32, 3.13),
        (1, 2_000_000, 0.0),
        (3, 3, 100.0),
    ],
)
def test_half_of_a_hundredth_rounds_up(part, whole, written):
    assert percentage(part, whole) == written
