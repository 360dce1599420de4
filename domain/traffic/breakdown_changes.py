"""Changes of a breakdown from one period to another (docs/read/breakdowns.md#comparison)."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from footfall.domain.traffic.breakdown import BreakdownRow


@frozen
class Movement:
    """The counts of a value in a period and in the one that it is compared with."""

    value: str
    count: int
    before: int

    @property
    def difference(self) -> int:
        """The share of the value in the change of the total."""
        return self.count - self.before

    @property
    def change(self) -> float | None:
        """The difference by the count before, not rounded; None for a value that was not there before."""
        return self.difference / self.before if self.before else None


def movements(rows: Iterable[BreakdownRow], before: Iterable[BreakdownRow]) -> list[Movement]:
    """Return the values of two breakdowns with both counts, also of those that did not move.

    The sum of the differences is the change of the total.
    """
    now, earlier = ({row.value: row.count for row in side} for side in (rows, before))
    return [Movement(value, now.get(value, 0), earlier.get(value, 0)) for value in {**now, **earlier}]


def movers(rows: Iterable[BreakdownRow], before: Iterable[BreakdownRow]) -> list[Movement]:
    """Return the values whose counts differ between two breakdowns: largest difference first, ties by value."""
    changed = (movement for movement in movements(rows, before) if movement.difference)
    return sorted(changed, key=lambda movement: (-abs(movement.difference), movement.value))


def certain_movers(
    sides: tuple[Sequence[BreakdownRow], Sequence[BreakdownRow]], others: int, limit: int
) -> list[Movement] | None:
    """Return the largest movers if they are certain from a part of all values, else None.

    The sides hold the counts of the same values in both periods; every other value has at most `others` in either.
    """
    largest = movers(*sides)[:limit]
    certain = not others or (len(largest) == limit and abs(largest[-1].difference) > others)
    return largest if certain else None
