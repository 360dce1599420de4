"""Refusals of questions about the past (docs/read/programs/citations.md#refusals)."""

from datetime import datetime

from footfall.domain.exceptions import DomainError, Invalid


class ErasedSince(DomainError):
    """Hits that the answer was made from have been erased since; the message says which."""


def retention_since(until: datetime) -> ErasedSince:
    """Return the refusal after the retention of a site erased its hits before an instant."""
    return ErasedSince(
        f"The retention of this site has erased events before {_shown(until)} since: this answer cannot be given again"
    )


def import_since(since: datetime, until: datetime) -> ErasedSince:
    """Return the refusal after an import with hits of a stretch of time was taken back."""
    return ErasedSince(
        f"An import with events from {_shown(since)} to {_shown(until)} has been taken back since: this answer cannot "
        "be given again"
    )


def visitor_since() -> ErasedSince:
    """Return the refusal after a visitor with visits in the time of the answer was erased, which it does not name."""
    return ErasedSince("A visitor has been erased since: this answer cannot be given again")


def site_since(deleted_at: datetime) -> ErasedSince:
    """Return the refusal after a site was deleted."""
    return ErasedSince(f"This site was deleted on {_shown(deleted_at)}, with its events")


def other_site(site_id: int) -> Invalid:
    """Return the refusal of positions that an answer of another site named."""
    return _refusal(
        f"names positions of site {site_id}; accepted are positions that an answer of this site named"
    )


def other_log(log: str) -> Invalid:
    """Return the refusal of positions in the traffic log of a cell that does not hold the site."""
    return _refusal(f"names a position of another traffic log; accepted for this site is traffic.{log}")


def in_the_future(journal: int, traffic: int, log: str) -> Invalid:
    """Return the refusal of positions that no answer can have named yet."""
    return _refusal(
        f"names positions of the future; accepted are journal up to {journal} and traffic.{log} up to {traffic}"
    )


def never_together(journal: int, traffic: int, log: str) -> Invalid:
    """Return the refusal of positions that had been passed before the moment that is named with them."""
    return _refusal(
        f"names positions that no answer had at its moment; accepted at that moment are journal from {journal} and "
        f"traffic.{log} from {traffic} on"
    )


def later_than_now(now: datetime) -> Invalid:
    """Return the refusal of an instant that has not come yet."""
    return _refusal(f"lies in the future; accepted are instants up to {_shown(now)}")


def before_first_hit(first: int | None) -> Invalid:
    """Return the refusal of positions before the first hit of a site; None when it has no hits."""
    if first is None:
        return _refusal("cannot be asked of a site without events: accepted after its first event")
    # The position itself would tell the readers of links how many events of other sites came before.
    return _refusal("names a state before the first event of this site; accepted are later ones")


def before_registration() -> Invalid:
    """Return the refusal of a journal position at which the site did not exist."""
    return _refusal("names a position of the journal before the site was registered; accepted are later ones")


def before_records(first: datetime | None) -> Invalid:
    """Return the refusal of an instant whose positions are not known."""
    if first is None:
        return _refusal(
            "lies before the first recorded positions; accepted are positions that an answer named"
        )
    return _refusal(
        f"lies before the first recorded positions; accepted are instants from {_shown(first)} on"
    )


def too_many_hits(limit: int) -> Invalid:
    """Return the refusal of a question for which more hits would have to be counted than the limit."""
    return _refusal(
        f"would count more than {limit:,} events that came later or share sessions with those; accepted are shorter "
        "periods"
    )


def _refusal(text: str) -> Invalid:
    return Invalid({"as_of": [text]})


def _shown(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
