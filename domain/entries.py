"""Settings that are lists: each entry is read by itself, and a fault names the entry."""

from collections.abc import Callable, Iterable

from footfall.domain.errors import Invalid

# A fault names what was typed, and nobody needs more than this of it.
_SHOWN = 100


def parse_entries(
    field: str, entries: Iterable[str], parse: Callable[[str], str], *, maximum: int, expected: str
) -> tuple[str, ...]:
    """Return what `parse` makes of each entry, each once, in their order.

    Raises:
        Invalid: `parse` raised ValueError for an entry (it is named), or there are more than `maximum`.

    """
    entries = list(entries)
    if len(entries) > maximum:
        raise Invalid({field: [f"must have at most {maximum} entries"]})
    parsed: dict[str, None] = {}
    faults = []
    for entry in entries:
        try:
            parsed[parse(entry.strip())] = None
        except ValueError:
            faults.append(f"{entry[:_SHOWN]!r} is not {expected}")
    if faults:
        raise Invalid({field: faults})
    return tuple(parsed)
