"""The time that patterns and expressions of users have to be compared with what visitors sent."""

from collections.abc import Iterable, Iterator
from time import thread_time
from typing import TypeVar

from footfall.domain.exceptions import Invalid

# Time of the processor for all expressions of an answer.
MATCHING_SECONDS = 2.0

Item = TypeVar("Item")


def within_seconds(items: Iterable[Item], seconds: float, too_slow: Invalid) -> Iterator[Item]:
    """Return the items one by one while the thread has used at most so many seconds since the call.

    Raises:
        Invalid: what was done since then took longer; `too_slow` itself.

    """
    return _in_time(items, thread_time() + seconds, too_slow)


def _in_time(items: Iterable[Item], end: float, too_slow: Invalid) -> Iterator[Item]:
    for item in items:
        yield item
        if thread_time() > end:
            raise too_slow
