"""What a site stores of its visitors, and texts about it for people who have to say so (docs/share/privacy.md)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.site import Site
from footfall.domain.sites.visitor_reach import VisitorReach

# Counts without visitors: accepted and rejected events, and bots.
COUNTS_KEPT_DAYS = 400
NEVER_STORED = (
    "IP addresses",
    "user agents, the names by which browsers introduce themselves",
    "the time zone of the browser",
    "cookies, or anything else in the browser, but for the mark of a browser that is not to be counted",
)
_SALTS: Mapping[VisitorReach, str] = MappingProxyType(
    {
        VisitorReach.DAY: "each day",
        VisitorReach.WEEK: "each week",
        VisitorReach.MONTH: "each month",
        VisitorReach.YEAR: "each year",
    }
)


@frozen
class StoredData:
    """A kind of data of visitors.

    `name` is its heading, `holds` what is stored, `purpose` what for. `noticed` is what visitors are told, as a part of
    a sentence, or empty.
    """

    name: str
    holds: str
    purpose: str
    noticed: str


def stored_data(config: SiteConfig, *, locates: bool) -> Sequence[StoredData]:
    """Return what a site stores of its visitors with its present settings.

    With a database of locations the installation `locates` addresses. Data from before a change of a setting is what
    the setting of then stored.
    """
    return (
        StoredData(
            "Pages",
            f"Time, host, path and title of each page, the page that led to it, {_query(config)}; the release of the"
            " site's code, and the properties that the page names",
            "Counting visits, pages and where visitors come from",
            f"the time, the address ({_query(config)}) and the title of each page, and the page that led to it",
        ),
        StoredData(
            "Visitor number",
            _number(config.visitor_reach),
            "Counting visitors, and joining pages to visits",
            "",
        ),
        StoredData("Location", *_location(locates=locates)),
        StoredData(
            "Device",
            "Names and versions of browser and operating system, kind of device, language, size of the screen, dark or"
            " light color scheme, and signs that a program controls the browser",
            "Knowing which devices the site has to serve, and telling programs from people",
            "the browser, the operating system and the kind of your device, its language and the size of its screen",
        ),
        StoredData(
            "Network",
            "Which network of servers the address belongs to; nothing of any other network",
            "Telling programs from people",
            "",
        ),
        StoredData(
            "Reading",
            "How long each page was looked at, and how far it was scrolled",
            "Knowing which pages are read",
            "how long you looked at each page, and how far you scrolled",
        ),
        StoredData(
            "Events",
            "Names and properties of what the pages and servers of the site report",
            "Measuring what visitors do on the site",
            "[what your site reports as events, such as purchases]",
        ),
        StoredData(
            "Outbound links",
            _from_pages(
                "Address and text of links to other sites and to files", accepted=config.track_outbound
            ),
            "Knowing which links and files are used",
            "the links to other sites and to files that you open" if config.track_outbound else "",
        ),
        StoredData(
            "Errors",
            _from_pages(
                "Message, place in the code and call stack of errors in the browser",
                accepted=config.track_errors,
            ),
            "Finding and mending faults of the site",
            "errors of our pages in your browser" if config.track_errors else "",
        ),
        StoredData(
            "Web vitals",
            _from_pages("How fast pages load, respond and come to rest", accepted=config.web_vitals),
            "Making the site faster",
            "how fast our pages load and respond" if config.web_vitals else "",
        ),
        StoredData(
            "User ids",
            "Only where pages or servers of the site name their users: the id"
            + (
                " as sent"
                if config.visitor_reach is VisitorReach.FOREVER
                else ", as a hash like that of visitors"
            ),
            "Counting a user once on several devices",
            "",
        ),
    )


def kept(site: Site) -> str:
    """Return how long data of visitors is kept, as a part of a sentence."""
    if site.retention_days is None:
        return "until the site is deleted"
    return f"for {site.retention_days:,} day{'s' if site.retention_days != 1 else ''}"


def readers(site: Site, organization: str) -> Sequence[str]:
    """Return who may read the reports of a site, of an organization with this name."""
    config = site.config
    shown = "counts, errors and sessions without user ids" if config.share_details else "counts alone"
    return [
        f"members and viewers of {organization}{', also visits one by one' if config.show_visits else ''}",
        *([f"holders of a private link: {shown}"] if site.private_link is not None else []),
        *(["holders of other links: counts of the panels of each"] if site.links.present else []),
        *([f"readers of the public dashboard: {shown}"] if config.public else []),
    ]


def privacy_notice(site: Site, *, locates: bool) -> str:
    """Return a text for the privacy notice of a site; what only its owner knows stands in square brackets."""
    reach = site.config.visitor_reach
    stored = [one.noticed for one in stored_data(site.config, locates=locates) if one.noticed]
    forgotten = (
        "It is the same for all of your visits with this device and address."
        if reach is VisitorReach.FOREVER
        else f"It changes {_SALTS[reach]}; after that, what was stored can be linked to no person any more."
    )
    return _text(
        f"We measure how {site.domain} is used with Footfall, an analytics service that [we run ourselves, on servers"
        " in …]. It sets no cookies and does not store anything in your browser.",
        f"Of each visit we store: {'; '.join(stored)}.",
        "Your IP address and the name by which your browser introduces itself are used in the moment of each request"
        f" to compute a number, from which they cannot be found again, and are not stored. {forgotten}",
        f"We do this to understand and improve our site. The legal basis is [our legitimate interest in this, Article"
        f" 6(1)(f) GDPR]. We keep this data {kept(site)}. Recipients: [none].",
        "You have the right to access, rectification, erasure and restriction, and the right to object [by …]. Please"
        " write to [contact]. You can complain to a supervisory authority.",
    )


def processing_record(site: Site, organization: str, *, locates: bool) -> str:
    """Return an entry for a record of processing activities (Article 30 GDPR), with brackets as in the notice."""
    data = stored_data(site.config, locates=locates)
    return _text(
        f"Processing activity: measurement of the use of {site.domain}",
        f"Controller: {organization}, [address, contact, data protection officer]",
        f"Purposes: {'; '.join(dict.fromkeys(one.purpose for one in data))}",
        "Legal basis: [legitimate interest, Article 6(1)(f) GDPR]",
        f"Data subjects: visitors of {site.domain}",
        f"Categories of data: {'; '.join(f'{one.name}: {one.holds}' for one in data)}",
        f"Not stored: {'; '.join(NEVER_STORED)}",
        f"Recipients: {'; '.join(readers(site, organization))}; [the operator of the servers]",
        "Transfers to third countries: [none]",
        f"Time limits: the data is kept {kept(site)}. Counts of accepted, rejected and automatic requests, without"
        f" visitors, are kept for {COUNTS_KEPT_DAYS} days. [Backups: …]",
        "Technical and organizational measures: no storage of addresses; keyed hashes with"
        f" {_salts(site.config.visitor_reach)}; access by roles, which an audit log records; encrypted connections;"
        " [access to the servers, backups]",
    )


def _query(config: SiteConfig) -> str:
    if not config.track_url_params:
        return "without the part of its address after the ?"
    if config.utm_params_only:
        return "of the part of its address after the ? only the names of campaigns (UTM)"
    return "with the part of its address after the ?"


def _number(reach: VisitorReach) -> str:
    return (
        f"64 bits of a hash of the address and the user agent, keyed with {_salts(reach)}; of users that the site"
        " signs, another one of their id"
    )


def _salts(reach: VisitorReach) -> str:
    if reach is VisitorReach.FOREVER:
        return "the secret of the server"
    return f"the secret of the server and a random salt of {_SALTS[reach]}, destroyed 24 hours after its end"


def _location(*, locates: bool) -> tuple[str, str, str]:
    purpose = "Knowing where visitors are"
    if locates:
        place = "Country, region and city, with the coordinates of the city, by a database on the server"
        return place, purpose, "the country, the region and the city of your connection"
    return (
        "Country of the time zone that the browser names",
        purpose,
        "the country of your browser's time zone",
    )


def _from_pages(holds: str, *, accepted: bool) -> str:
    return (
        holds
        if accepted
        else f"Nothing from pages. From servers with an API key: {holds[0].lower()}{holds[1:]}"
    )


def _text(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs)
