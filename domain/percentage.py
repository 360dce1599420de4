"""Percentages of reports: with two decimals, halves rounded up."""


def percentage(part: int, whole: int) -> float:
    """Return a part as a percentage of the whole with two decimals; half of a hundredth is rounded up."""
    return (20_000 * part + whole) // (2 * whole) / 100
