"""When a rule fires, and when that is over: by its judged windows, one after the other, also in the backtest.

See docs/alerts/alerts.md.
"""

from collections.abc import Iterable
from enum import Enum

from attrs import frozen

from footfall.domain.alerts.judged_windows import Judged

# A firing ends after this number of windows in a row that do not meet the condition.
CALM_WINDOWS = 2


class Transition(Enum):
    """The effect of a window on a rule."""

    OPENS = "a firing opens"
    ENDS = "the firing is over"


@frozen
class Progress:
    """The state of a rule after a window: whether it is firing, and how many calm windows ended the row."""

    firing: bool = False
    calm: int = 0


def step(progress: Progress, judged: Judged) -> tuple[Progress, Transition | None]:
    """Return where a rule stands after one more window, and what the window makes of it.

    A firing opens with the first window that meets the condition, and is over with the second window in a row that does
    not. A window that is not judged changes nothing.
    """
    match judged.meets, progress.firing:
        case None, _:
            return progress, None
        case True, firing:
            return Progress(firing=True), None if firing else Transition.OPENS
        case False, True if progress.calm + 1 >= CALM_WINDOWS:
            return Progress(), Transition.ENDS
        case False, True:
            return Progress(firing=True, calm=progress.calm + 1), None
        case _:
            return Progress(), None


@frozen
class FiredSpan:
    """A firing of a backtest: the window that opened it, and the one with which it was over, if it was."""

    opened: Judged
    ended: Judged | None = None


def backtest(judged: Iterable[Judged]) -> list[FiredSpan]:
    """Return the firings of a rule over judged windows, from a state in which it is not firing."""
    progress, firings = Progress(), list[FiredSpan]()
    for judgement in judged:
        progress, transition = step(progress, judgement)
        if transition is Transition.OPENS:
            firings.append(FiredSpan(judgement))
        elif transition is Transition.ENDS:
            firings[-1] = FiredSpan(firings[-1].opened, judgement)
    return firings
