"""What a site stores of its visitors, and texts about it for people who have to say so (docs/share/privacy.md)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.site import Site
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.text import Say, in_english

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


def stored_data(config: SiteConfig, *, locates: bool, say: Say = in_english) -> Sequence[StoredData]:
    """Return what a site stores of its visitors with its present settings.

    The texts are in the language that `say` writes. With a database of locations the installation `locates`
    addresses. Data from before a change of a setting is what the setting of then stored.
    """
    query = _query(config, say)
    return (
        StoredData(
            say("Pages"),
            say(
                "Time, host, path and title of each page, the page that led to it, {query}; the release of the"
                " site's code, and the properties that the page names",
                query=query,
            ),
            say("Counting visits, pages and where visitors come from"),
            say(
                "the time, the address ({query}) and the title of each page, and the page that led to it",
                query=query,
            ),
        ),
        StoredData(
            say("Visitor number"),
            _number(config.visitor_reach, say),
            say("Counting visitors, and joining pages to visits"),
            "",
        ),
        StoredData(say("Location"), *_location(say, locates=locates)),
        StoredData(
            say("Device"),
            say(
                "Names and versions of browser and operating system, kind of device, language, size of the screen,"
                " dark or light color scheme, and signs that a program controls the browser"
            ),
            say("Knowing which devices the site has to serve, and telling programs from people"),
            say(
                "the browser, the operating system and the kind of your device, its language and the size of its screen"
            ),
        ),
        StoredData(
            say("Network"),
            say("Which network of servers the address belongs to; nothing of any other network"),
            say("Telling programs from people"),
            "",
        ),
        StoredData(
            say("Reading"),
            say("How long each page was looked at, and how far it was scrolled"),
            say("Knowing which pages are read"),
            say("how long you looked at each page, and how far you scrolled"),
        ),
        StoredData(
            say("Events"),
            say("Names and properties of what the pages and servers of the site report"),
            say("Measuring what visitors do on the site"),
            say("[what your site reports as events, such as purchases]"),
        ),
        StoredData(
            say("Outbound links"),
            _from_pages(
                say("address and text of links to other sites and to files"),
                say,
                accepted=config.track_outbound,
            ),
            say("Knowing which links and files are used"),
            say("the links to other sites and to files that you open") if config.track_outbound else "",
        ),
        StoredData(
            say("Errors"),
            _from_pages(
                say("message, place in the code and call stack of errors in the browser"),
                say,
                accepted=config.track_errors,
            ),
            say("Finding and mending faults of the site"),
            say("errors of our pages in your browser") if config.track_errors else "",
        ),
        StoredData(
            say("Web vitals"),
            _from_pages(
                say("how fast pages load, respond and come to rest"), say, accepted=config.web_vitals
            ),
            say("Making the site faster"),
            say("how fast our pages load and respond") if config.web_vitals else "",
        ),
        StoredData(
            say("User ids"),
            say("Only where pages or servers of the site name their users: the id as sent")
            if config.visitor_reach is VisitorReach.FOREVER
            else say(
                "Only where pages or servers of the site name their users: the id, as a hash like that of visitors"
            ),
            say("Counting a user once on several devices"),
            "",
        ),
    )


def kept(site: Site, *, say: Say = in_english) -> str:
    """Return how long data of visitors is kept, as a part of a sentence."""
    if site.retention_days is None:
        return say("until the site is deleted")
    if site.retention_days == 1:
        return say("for 1 day")
    return say("for {days} days", days=f"{site.retention_days:,}")


def readers(site: Site, organization: str, *, say: Say = in_english) -> Sequence[str]:
    """Return who may read the reports of a site, of an organization with this name."""
    config = site.config
    shown = (
        say("counts, errors and sessions without user ids") if config.share_details else say("counts alone")
    )
    members = (
        say("members and viewers of {organization}, also visits one by one", organization=organization)
        if config.show_visits
        else say("members and viewers of {organization}", organization=organization)
    )
    return [
        members,
        *([say("holders of a private link: {shown}", shown=shown)] if site.private_link is not None else []),
        *([say("holders of other links: counts of the panels of each")] if site.links.present else []),
        *([say("readers of the public dashboard: {shown}", shown=shown)] if config.public else []),
    ]


def privacy_notice(site: Site, *, locates: bool, say: Say = in_english) -> str:
    """Return a text for the privacy notice of a site; what only its owner knows stands in square brackets."""
    reach = site.config.visitor_reach
    stored = [
        stored.noticed for stored in stored_data(site.config, locates=locates, say=say) if stored.noticed
    ]
    forgotten = (
        say("It is the same for all of your visits with this device and address.")
        if reach is VisitorReach.FOREVER
        else say(
            "It changes {each_time}; after that, what was stored can be linked to no person any more.",
            each_time=say(_SALTS[reach]),
        )
    )
    return _text(
        say(
            "We measure how {domain} is used with Footfall, an analytics service that [we run ourselves, on servers"
            " in …]. It sets no cookies and does not store anything in your browser.",
            domain=site.domain,
        ),
        say("Of each visit we store: {stored}.", stored="; ".join(stored)),
        say(
            "Your IP address and the name by which your browser introduces itself are used in the moment of each"
            " request to compute a number, from which they cannot be found again, and are not stored. {forgotten}",
            forgotten=forgotten,
        ),
        say(
            "We do this to understand and improve our site. The legal basis is [our legitimate interest in this,"
            " Article 6(1)(f) GDPR]. We keep this data {kept}. Recipients: [none].",
            kept=kept(site, say=say),
        ),
        say(
            "You have the right to access, rectification, erasure and restriction, and the right to object [by …]."
            " Please write to [contact]. You can complain to a supervisory authority."
        ),
    )


def processing_record(site: Site, organization: str, *, locates: bool, say: Say = in_english) -> str:
    """Return an entry for a record of processing activities (Article 30 GDPR), with brackets as in the notice."""
    data = stored_data(site.config, locates=locates, say=say)
    return _text(
        say("Processing activity: measurement of the use of {domain}", domain=site.domain),
        say(
            "Controller: {organization}, [address, contact, data protection officer]",
            organization=organization,
        ),
        say("Purposes: {purposes}", purposes="; ".join(dict.fromkeys(entry.purpose for entry in data))),
        say("Legal basis: [legitimate interest, Article 6(1)(f) GDPR]"),
        say("Data subjects: visitors of {domain}", domain=site.domain),
        say("Categories of data: {data}", data="; ".join(f"{entry.name}: {entry.holds}" for entry in data)),
        say("Not stored: {data}", data="; ".join(map(say, NEVER_STORED))),
        say(
            "Recipients: {readers}; [the operator of the servers]",
            readers="; ".join(readers(site, organization, say=say)),
        ),
        say("Transfers to third countries: [none]"),
        say(
            "Time limits: the data is kept {kept}. Counts of accepted, rejected and automatic requests, without"
            " visitors, are kept for {days} days. [Backups: …]",
            kept=kept(site, say=say),
            days=COUNTS_KEPT_DAYS,
        ),
        say(
            "Technical and organizational measures: no storage of addresses; keyed hashes with {salts}; access by"
            " roles, which an audit log records; encrypted connections; [access to the servers, backups]",
            salts=_salts(site.config.visitor_reach, say),
        ),
    )


def _query(config: SiteConfig, say: Say) -> str:
    if not config.track_url_params:
        return say("without the part of its address after the ?")
    if config.utm_params_only:
        return say("of the part of its address after the ? only the names of campaigns (UTM)")
    return say("with the part of its address after the ?")


def _number(reach: VisitorReach, say: Say) -> str:
    return say(
        "64 bits of a hash of the address and the user agent, keyed with {salts}; of users that the site signs,"
        " another one of their id",
        salts=_salts(reach, say),
    )


def _salts(reach: VisitorReach, say: Say) -> str:
    if reach is VisitorReach.FOREVER:
        return say("the secret of the server")
    return say(
        "the secret of the server and a random salt of {each_time}, destroyed 24 hours after its end",
        each_time=say(_SALTS[reach]),
    )


def _location(say: Say, *, locates: bool) -> tuple[str, str, str]:
    purpose = say("Knowing where visitors are")
    if locates:
        place = say("Country, region and city, with the coordinates of the city, by a database on the server")
        return place, purpose, say("the country, the region and the city of your connection")
    return (
        say("Country of the time zone that the browser names"),
        purpose,
        say("the country of your browser's time zone"),
    )


def _from_pages(holds: str, say: Say, *, accepted: bool) -> str:
    """Return what is stored, which is given as a part of a sentence."""
    if accepted:
        return holds[0].upper() + holds[1:]
    return say("Nothing from pages. From servers with an API key: {data}", data=holds)


def _text(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs)
