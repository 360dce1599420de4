"""Erasures of visitors, as the history of a site knows them: that they took place, and not of whom."""

from collections.abc import Mapping, Sequence

from attrs import frozen


@frozen
class VisitorErased:
    """All that was stored of a visitor was erased: so many visits, and hits with the errors among them."""

    erasure: str
    visits: int
    hits: int
    errors: int


def decide_erased(erasures: Mapping[str, VisitorErased], erased: VisitorErased) -> Sequence[VisitorErased]:
    """Decide that an erasure took place, each once however often it is said."""
    return [] if erased.erasure in erasures else [erased]
