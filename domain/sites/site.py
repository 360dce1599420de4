"""A site: its settings, limits, links and life."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from attrs import asdict, evolve, field, frozen

from footfall.domain.exceptions import Invalid, SiteNotFound, existing
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.timezone import zone_or_utc
from footfall.domain.sites import aliases, report_recipients, segment, standing_exclusions, user_signatures
from footfall.domain.sites.aliases import AliasEvent
from footfall.domain.sites.configuration import ConfigChanges, ListSetting, SiteConfig, normalized
from footfall.domain.sites.currencies import (
    Currencies,
    PropertyCurrencySet,
    decide_currency,
    with_currency,
)
from footfall.domain.sites.host import parse_domain
from footfall.domain.sites.page_groups import PageGroupsArranged
from footfall.domain.sites.report_recipients import RecipientEvent, Recipients
from footfall.domain.sites.retention import MAX_DAYS
from footfall.domain.sites.segment import SegmentEvent, Segments
from footfall.domain.sites.sharing import shared_links
from footfall.domain.sites.sharing.private_link_key import (
    PrivateLinkEvent,
    PrivateLinkGenerated,
    PrivateLinkRevoked,
)
from footfall.domain.sites.sharing.shared_links import SharedLinkEvent, SharedLinks
from footfall.domain.sites.standing_exclusions import ExclusionEvent, StandingExclusions
from footfall.domain.sites.user_signatures import UserSecretEvent, UserSecrets
from footfall.domain.sites.visitor_erasures import VisitorErased
from footfall.domain.text import shown_name

MAX_NAME = 100
# Far more than any site has, and exact in the store and in JSON.
MAX_PAGEVIEWS = 1_000_000_000_000
# Shared by the sites that have no others: a process holds all of them.
_DEFAULTS = SiteConfig()
_NO_SEGMENTS = Segments()
_NO_RECIPIENTS = Recipients()
_NO_USER_SECRETS = UserSecrets()
_NO_EXCLUSIONS = StandingExclusions()
_NO_LINKS = SharedLinks()


@frozen(kw_only=True)
class SiteRegistered:
    """A site was registered."""

    site_id: int
    public_id: str
    organization_id: str
    name: str
    domain: str
    created_by: str


@frozen
class SiteConfigured:
    """Some settings of the site changed; only the changed ones are named."""

    changes: ConfigChanges


@frozen
class SiteRenamed:
    """The site got another name or domain."""

    name: str
    domain: str


@frozen
class MonthlyLimitSet:
    """The site may store this many pageviews a month from now on; None lifts the limit."""

    limit: int | None


@frozen
class RetentionSet:
    """Hits of the site are kept for this many days from now on; None means permanently."""

    days: int | None


@frozen
class ErrorResolved:
    """A member marked exceptions with this message as resolved; former versions wrote this, today's resolve causes."""

    message: str


@frozen
class SitePlaced:
    """The traffic of the site is in this cell."""

    cell: str


@frozen
class SiteDeleted:
    """The site was deleted permanently."""


_OwnEvent = (
    SiteRegistered
    | SiteConfigured
    | SiteRenamed
    | MonthlyLimitSet
    | RetentionSet
    | PrivateLinkEvent
    | ErrorResolved
    | SitePlaced
    | SiteDeleted
)
_PartEvent = (
    PropertyCurrencySet
    | SegmentEvent
    | RecipientEvent
    | UserSecretEvent
    | ExclusionEvent
    | PageGroupsArranged
    | VisitorErased
    | SharedLinkEvent
    | AliasEvent
)
SiteEvent = _OwnEvent | _PartEvent


@frozen(kw_only=True)
class Site:
    """The state of a site that later decisions need; a site that was never registered, or was deleted, is None."""

    site_id: int
    public_id: str
    organization_id: str
    name: str
    domain: str
    created_by: str
    config: SiteConfig = _DEFAULTS
    monthly_limit: int | None = None
    retention_days: int | None = None
    private_link: PrivateLinkGenerated | None = None
    # Beside the private link, which opens what readers outside of the organization see.
    links: SharedLinks = _NO_LINKS
    # The currencies of properties that are money, by the name of the event and the key.
    currencies: Currencies = field(factory=dict, hash=False)
    segments: Segments = _NO_SEGMENTS
    # Addresses outside of the organization that get reports by mail.
    recipients: Recipients = _NO_RECIPIENTS
    # By which its backend signs the users that its pages name.
    user_secrets: UserSecrets = _NO_USER_SECRETS
    # Rules that leave sessions out of reports.
    exclusions: StandingExclusions = _NO_EXCLUSIONS
    # Paths that reports list under one name.
    page_groups: PageGroups = UNGROUPED
    # Names by which scripts of other services call it, which no other site has.
    aliases: tuple[str, ...] = ()
    # By their ids, so that each is told once.
    visitor_erasures: Mapping[str, VisitorErased] = field(factory=dict, hash=False)
    # None is the store of the journal.
    cell: str | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of its days."""
        return zone_or_utc(self.config.time_zone)


def register(
    site_id: int,
    *,
    public_id: str,
    organization_id: str,
    name: str,
    domain: str,
    created_by: str,
    changes: ConfigChanges | None = None,
    cell: str | None = None,
) -> list[SiteEvent]:
    """Decide a new site of an organization, whose traffic is in a cell.

    Raises:
        Invalid: the name, the domain or a setting breaks a rule.

    """
    registered = SiteRegistered(
        site_id=site_id,
        public_id=public_id,
        organization_id=organization_id,
        name=shown_name("name", name, maximum=MAX_NAME),
        domain=parse_domain(domain),
        created_by=created_by,
    )
    return [
        registered,
        *([] if cell is None else [SitePlaced(cell)]),
        *(configure(_new(registered), changes) if changes and changes.supplied() else []),
    ]


def configure(state: Site | None, changes: ConfigChanges) -> list[SiteEvent]:
    """Decide new settings: one event that names only the settings that change.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: no setting was supplied, or an exclusion cannot be read.

    """
    state = existing(state, SiteNotFound)
    supplied = normalized(changes)
    if not supplied.supplied():
        raise Invalid({}, "No fields to update")
    current, after = (
        asdict(config, recurse=False) for config in (state.config, state.config.changed(supplied))
    )
    changed = {name: value for name, value in after.items() if value != current[name]}
    return [SiteConfigured(ConfigChanges(**changed))] if changed else []


def add_entries(state: Site | None, setting: ListSetting, entries: Sequence[str]) -> list[SiteEvent]:
    """Decide that a list has these entries too; concurrent changes of the list are kept.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: an entry cannot be read, or there would be too many.

    """
    state = existing(state, SiteNotFound)
    changes: dict[str, Any] = {setting.value: (*getattr(state.config, setting), *entries)}
    return configure(state, ConfigChanges(**changes))


def remove_entry(state: Site | None, setting: ListSetting, entry: str) -> list[SiteEvent]:
    """Decide that a list loses this entry; the others stay, even if they would be refused now.

    Raises:
        SiteNotFound: the site does not exist.

    """
    state = existing(state, SiteNotFound)
    present: Sequence[str] = getattr(state.config, setting)
    left: dict[str, Any] = {setting.value: tuple(value for value in present if value != entry)}
    return [SiteConfigured(ConfigChanges(**left))] if entry in present else []


def rename(state: Site | None, *, name: str | None = None, domain: str | None = None) -> list[SiteEvent]:
    """Decide another name or domain; None keeps the present one.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: the name or the domain breaks a rule.

    """
    state = existing(state, SiteNotFound)
    new_name = state.name if name is None else shown_name("name", name, maximum=MAX_NAME)
    new_domain = state.domain if domain is None else parse_domain(domain)
    if (new_name, new_domain) == (state.name, state.domain):
        return []
    return [SiteRenamed(new_name, new_domain)]


def limit_pageviews(state: Site | None, limit: int | None) -> list[SiteEvent]:
    """Decide how many pageviews of a month are stored; None means any number.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: the limit is negative or above `MAX_PAGEVIEWS`.

    """
    state = existing(state, SiteNotFound)
    if limit is not None and not 0 <= limit <= MAX_PAGEVIEWS:
        raise Invalid({"limit": [f"must be a whole number from 0 to {MAX_PAGEVIEWS}"]})
    return [] if limit == state.monthly_limit else [MonthlyLimitSet(limit)]


def retain(state: Site | None, days: int | None) -> list[SiteEvent]:
    """Decide for how many days hits are kept; None means permanently.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: it is not a number from 1 to 3,650.

    """
    state = existing(state, SiteNotFound)
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise Invalid({"days": [f"must be a whole number from 1 to {MAX_DAYS:,}"]})
    return [] if days == state.retention_days else [RetentionSet(days)]


def set_currency(
    state: Site | None, event_name: str, property_key: str, currency: str | None
) -> list[SiteEvent]:
    """Mark a property of custom events as money of a currency, or as no money.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: as `decide_currency` does.

    """
    return list(decide_currency(existing(state, SiteNotFound).currencies, event_name, property_key, currency))


def change_part(state: Site | None, decide: Callable[[Site], Sequence[SiteEvent]]) -> list[SiteEvent]:
    """Decide a change of a part: links, segments, recipients, secrets, exclusions, aliases, groups of pages.

    Raises:
        SiteNotFound: the site does not exist; besides, what `decide` raises.

    """
    return list(decide(existing(state, SiteNotFound)))


def delete(state: Site | None) -> list[SiteEvent]:
    """Decide that the site is deleted permanently.

    Raises:
        SiteNotFound: the site does not exist, or is deleted already.

    """
    existing(state, SiteNotFound)
    return [SiteDeleted()]


def apply(state: Site | None, event: SiteEvent) -> Site | None:
    """Return the state after an event; accepts every event of the history."""
    if isinstance(event, SiteRegistered):
        return _new(event)
    if state is None:
        return None
    return _with_part(state, event) if isinstance(event, _PartEvent) else _changed(state, event)


def _new(event: SiteRegistered) -> Site:
    return Site(
        site_id=event.site_id,
        public_id=event.public_id,
        organization_id=event.organization_id,
        name=event.name,
        domain=event.domain,
        created_by=event.created_by,
    )


def _with_part(state: Site, event: _PartEvent) -> Site:
    if isinstance(event, SegmentEvent):
        return evolve(state, segments=segment.apply(state.segments, event))
    if isinstance(event, RecipientEvent):
        return evolve(state, recipients=report_recipients.apply(state.recipients, event))
    if isinstance(event, UserSecretEvent):
        return evolve(state, user_secrets=user_signatures.apply(state.user_secrets, event))
    if isinstance(event, ExclusionEvent):
        return evolve(state, exclusions=standing_exclusions.apply(state.exclusions, event))
    if isinstance(event, SharedLinkEvent):
        return evolve(state, links=shared_links.apply(state.links, event))
    if isinstance(event, AliasEvent):
        return evolve(state, aliases=aliases.apply(state.aliases, event))
    if isinstance(event, PageGroupsArranged):
        return evolve(state, page_groups=PageGroups(event.rules))
    if isinstance(event, VisitorErased):
        return evolve(state, visitor_erasures={**state.visitor_erasures, event.erasure: event})
    return evolve(state, currencies=with_currency(state.currencies, event))


def _changed(state: Site, event: _OwnEvent) -> Site | None:
    match event:
        case SiteConfigured(changes):
            return evolve(state, config=state.config.changed(changes))
        case SiteRenamed(name, domain):
            return evolve(state, name=name, domain=domain)
        case MonthlyLimitSet(limit):
            return evolve(state, monthly_limit=limit)
        case RetentionSet(days):
            return evolve(state, retention_days=days)
        case PrivateLinkGenerated():
            return evolve(state, private_link=event)
        case PrivateLinkRevoked():
            return evolve(state, private_link=None)
        case SitePlaced(cell):
            return evolve(state, cell=cell)
        case SiteDeleted():
            return None
        case SiteRegistered() | ErrorResolved():
            return state
