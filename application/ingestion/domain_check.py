"""The domain check of events without a key (docs/track/ingestion.md#with-and-without-a-key)."""

from footfall.application.ingestion.draft import Draft
from footfall.domain.sites.host import normalize_host, within


def domain_mismatch(event: Draft) -> str | None:
    """Return the values compared, as a sentence, when the event does not come from the site's domain."""
    origin, domain = event.origin, event.record.site.domain
    compared = (("Origin", origin.origin), ("Referer", origin.referer), ("hostname", event.request.hostname))
    for source, text in compared:
        # Browsers send the origin "null" for pages that hide theirs: there is nothing to compare.
        if text and text != "null":
            host = normalize_host(text)
            if host is not None and within(host, domain):
                return None
            return f"{source} {text[:200]} does not belong to {domain}"
    return f"Origin, Referer and hostname all name no host; one of them must belong to {domain}"
