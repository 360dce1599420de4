"""The measure that an event brings: what a page reports of one of its pageviews (docs/track/engagement.md)."""

from footfall.application.ingestion.draft import Draft
from footfall.domain.paths.pathname import stored_path
from footfall.domain.tracking.engagement import EngagementReport, Measure, NamelessPages, pageview_key
from footfall.domain.tracking.foreign_protocol import ForeignProtocol
from footfall.domain.tracking.hit import HitType

_PAGEVIEW = HitType.PAGEVIEW
# Protocols whose pages name none of their pageviews, and report the time since their last report.
NAMELESS = frozenset({ForeignProtocol.PLAUSIBLE})


def measure_of(event: Draft, secret: bytes) -> Measure:
    """Return the measure of a message that is nothing else."""
    request, site_id = event.request, event.record.site.site_id
    return Measure(
        site_id=site_id,
        pageview_key=pageview_key(secret, site_id=site_id, name=request.pageview_id or ""),
        received_at=event.received_at,
        engaged_ms=request.engaged_ms,
        scroll_percent=request.scroll_percent,
    )


def pages_of(event: Draft, visitor_id: int, secret: bytes) -> NamelessPages:
    """Return the keys of the pageviews of a page by a visitor, where the page names none."""
    return NamelessPages.of(
        secret,
        site_id=event.record.site.site_id,
        visitor_id=visitor_id,
        hostname=event.request.hostname,
        pathname=stored_path(event.request.pathname),
    )


def report_of(event: Draft, key: int) -> EngagementReport:
    """Return the measure of a message that says how long the page of a pageview was looked at since the last one."""
    request = event.request
    return EngagementReport(
        site_id=event.record.site.site_id,
        pageview_key=key,
        received_at=event.received_at,
        engaged_ms=request.engaged_ms,
        scroll_percent=request.scroll_percent,
    )


def measure_beside(event: Draft, secret: bytes) -> Measure | None:
    """Return the measure that comes along with web vitals, if any."""
    request = event.request
    reports = request.engaged_ms is not None or request.scroll_percent is not None
    return measure_of(event, secret) if reports else None


def key_of_pageview(event: Draft, visitor_id: int, secret: bytes) -> int | None:
    """Return what stands for the name of a pageview, which its measures give; None where it has none.

    Its place in a named batch is no name that others could give.
    """
    request = event.request
    if event.protocol in NAMELESS:
        pages = pages_of(event, visitor_id, secret)
        return pages.key(event.received_at) if request.type is _PAGEVIEW else None
    name = request.event_id
    if name is None and event.batch is None:
        name = event.origin.idempotency_key
    if name is None or request.type is not _PAGEVIEW:
        return None
    return pageview_key(secret, site_id=event.record.site.site_id, name=name)


def host_and_path(event: Draft) -> tuple[str | None, str | None]:
    """Return host and path of an event that was built, as they are stored, or would be."""
    built = event.pending.hit
    if isinstance(built, Measure):
        return event.request.hostname, stored_path(event.request.pathname)
    return built.hostname, built.pathname
