"""Classes of screens."""

import pytest

from footfall.domain.tracking.screen import BELOW, ScreenClass, screen_class
from tests.histories import hit


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (None, None),
        (0, None),
        (0.0, None),
        (-1, None),
        (0.5, "small"),
        (575.9, "small"),
        (576, "medium"),
        (991.9, "medium"),
        (992, "large"),
        (1439.9, "large"),
        (1440, "very_large"),
        (1.7e308, "very_large"),
    ],
)
def test_screens_have_a_class_by_their_width(width, expected):
    assert screen_class(width) == expected
    assert hit(screen_width=width).screen_class == expected


def test_each_class_has_a_width():
    assert {name for _, name in BELOW} | {ScreenClass.VERY_LARGE} == set(ScreenClass)
