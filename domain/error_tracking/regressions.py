"""Regressions: when a cause of errors that was resolved has returned (docs/errors/error-groups.md#status)."""

from collections.abc import Iterable

from footfall.domain.error_tracking.decisions import GroupDecision
from footfall.domain.error_tracking.resolution_grace import is_after_grace
from footfall.domain.tracking.hit import Hit


def returns(hits: Iterable[Hit], decision: GroupDecision) -> list[Hit]:
    """Return the occurrences of a group, among its `hits`, by which it has returned after it was resolved.

    In another release than those seen before it returns at once. In one of these, or without a release, it does so
    when ten minutes are over; one that was resolved in the next release can go on in those seen before.
    """
    at = decision.resolved_at
    if at is None:
        return []
    hits = list(hits)
    seen = {hit.release for hit in hits if hit.occurred_at <= at}

    def has_returned(hit: Hit) -> bool:
        if hit.release is not None and hit.release not in seen:
            return hit.occurred_at > at
        may_go_on = decision.next_release and hit.release is not None
        return not may_go_on and is_after_grace(hit.occurred_at, at)

    return [hit for hit in hits if has_returned(hit)]
