"""Classes of screens by their width (docs/read/dimensions.md)."""

from collections.abc import Sequence
from enum import StrEnum


class ScreenClass(StrEnum):
    """How wide a screen is."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    VERY_LARGE = "very_large"


# The widths, in pixels of CSS, below which screens are of a class; wider ones are very large.
BELOW: Sequence[tuple[int, ScreenClass]] = (
    (576, ScreenClass.SMALL),
    (992, ScreenClass.MEDIUM),
    (1440, ScreenClass.LARGE),
)


def screen_class(width: float | None) -> ScreenClass | None:
    """Return the class of a screen of a width; None without one."""
    if not width or width < 0:
        return None
    return next((name for below, name in BELOW if width < below), ScreenClass.VERY_LARGE)
