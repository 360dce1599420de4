"""Pages of long lists."""

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from attrs import frozen

from footfall.domain.exceptions import require_valid

MAX_PAGE_SIZE = 200
# Larger numbers could not be offsets of a store.
MAX_PAGE = 1_000_000_000
_WHOLE_NUMBER = re.compile(r"[0-9]{1,10}")

Item = TypeVar("Item")


@frozen
class Page:
    """The place of a page in a list: its number, from 1, and how many items a page holds."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        """Number of items before the page."""
        return (self.number - 1) * self.size

    def of(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return the items on this page; none when it is past the end."""
        return items[self.offset : self.offset + self.size]

    def count(self, total: int) -> int:
        """Return how many pages hold `total` items; 0 pages hold none."""
        return -(-total // self.size)


def parse_page(
    parameters: Mapping[str, str],
    *,
    size: int,
    size_names: Sequence[str] = ("limit",),
    maximum: int = MAX_PAGE_SIZE,
) -> Page:
    """Return the page of the query parameters `page` and `limit`; the first one of `size` items when absent.

    `size_names` are the names of the size parameter; the first that is present is used.

    Raises:
        Invalid: a number is not whole or out of range; the errors name the accepted values.

    """
    size_name = next((name for name in size_names if name in parameters), size_names[0])
    limits = {"page": (1, MAX_PAGE), size_name: (size, maximum)}
    numbers = {name: _number(parameters.get(name, str(default))) for name, (default, _) in limits.items()}
    errors = {
        name: [f"must be a whole number from 1 to {largest}"]
        for name, (_, largest) in limits.items()
        if not 1 <= numbers[name] <= largest
    }
    require_valid(errors)
    return Page(numbers["page"], numbers[size_name])


def _number(text: str) -> int:
    return int(text) if _WHOLE_NUMBER.fullmatch(text) else 0
