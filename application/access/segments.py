"""Access to segments: personal ones are their owner's; readers use those of the site, and members change them."""

from footfall.domain.exceptions import AccessDenied, SegmentNotFound, existing
from footfall.domain.sites.segment import Segment
from footfall.domain.sites.site import Site


def visible_segments(site: Site, user_id: str | None) -> dict[int, Segment]:
    """Return the segments of a site that a user may use, by their numbers; None is a reader who is not signed in."""
    segments = site.segments.present.items()
    return {number: segment for number, segment in segments if segment.owner in (None, user_id)}


def changeable_segment(site: Site, number: int, user_id: str | None, *, edits: bool) -> Segment:
    """Return a segment that a user may change; `edits` tells whether it is a member of the organization.

    Raises:
        SegmentNotFound: the user sees no such segment.
        AccessDenied: it is one of the site, and the user is a viewer.

    """
    segment = existing(visible_segments(site, user_id).get(number), SegmentNotFound)
    if segment.owner is None and not edits:
        raise AccessDenied
    return segment
