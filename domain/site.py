"""A site: what is tracked, for whom, and under which rules."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from attrs import asdict, evolve, field, fields, frozen

from footfall.domain.embedding import parse_embed_origins
from footfall.domain.errors import Invalid, SiteNotFound
from footfall.domain.exclusion import parse_excluded_countries, parse_excluded_ips
from footfall.domain.host import parse_domain
from footfall.domain.retention import MAX_DAYS
from footfall.domain.text import required_text

MAX_NAME = 100
# Far above every site, far below what numbers of the store and of JSON can hold.
MAX_PAGEVIEWS = 1_000_000_000_000


@frozen(kw_only=True)
class SiteConfig:
    """The settings of a site (interface, section 2.4; defaults of the decisions, section 4).

    `embed_origins` are whose pages may frame what the site shows to others; the interface does not have it.
    """

    public: bool = False
    salt_user_ids: bool = False
    block_bots: bool = True
    excluded_ips: tuple[str, ...] = ()
    excluded_countries: tuple[str, ...] = ()
    session_replay: bool = False
    web_vitals: bool = True
    track_errors: bool = True
    track_outbound: bool = True
    track_url_params: bool = True
    embed_origins: tuple[str, ...] = ()


@frozen(kw_only=True)
class ConfigChanges:
    """The settings that a caller supplied; None is what was not supplied."""

    public: bool | None = None
    salt_user_ids: bool | None = None
    block_bots: bool | None = None
    excluded_ips: tuple[str, ...] | None = None
    excluded_countries: tuple[str, ...] | None = None
    session_replay: bool | None = None
    web_vitals: bool | None = None
    track_errors: bool | None = None
    track_outbound: bool | None = None
    track_url_params: bool | None = None
    embed_origins: tuple[str, ...] | None = None

    def supplied(self) -> dict[str, Any]:
        """Return the supplied settings by their names."""
        return {name: value for name, value in asdict(self, recurse=False).items() if value is not None}


class ListSetting(StrEnum):
    """A setting that is a list, by its name in the configuration."""

    EXCLUDED_IPS = "excluded_ips"
    EXCLUDED_COUNTRIES = "excluded_countries"
    EMBED_ORIGINS = "embed_origins"


_PARSERS = (
    (ListSetting.EXCLUDED_IPS, parse_excluded_ips),
    (ListSetting.EXCLUDED_COUNTRIES, parse_excluded_countries),
    (ListSetting.EMBED_ORIGINS, parse_embed_origins),
)


@frozen(kw_only=True)
class SiteRegistered:
    """A site came into being."""

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
    """The site's name or domain became another."""

    name: str
    domain: str


@frozen
class MonthlyLimitSet:
    """The site may store this many pageviews a month from now on; None lifts the limit."""

    limit: int | None


@frozen
class RetentionSet:
    """What is tracked on the site is kept for this many days from now on; None means for good."""

    days: int | None


@frozen
class PrivateLinkGenerated:
    """The site got a (new) private link key; an older one is dead."""

    key: str = field(repr=False)


@frozen
class PrivateLinkRevoked:
    """The site has no private link any more."""


@frozen
class ErrorResolved:
    """Somebody holds that exceptions with this message are over."""

    message: str


@frozen
class SiteDeleted:
    """The site is gone for good."""


SiteEvent = (
    SiteRegistered
    | SiteConfigured
    | SiteRenamed
    | MonthlyLimitSet
    | RetentionSet
    | PrivateLinkGenerated
    | PrivateLinkRevoked
    | ErrorResolved
    | SiteDeleted
)


@frozen(kw_only=True)
class Site:
    """What later decisions about a site need."""

    site_id: int = 0
    public_id: str = ""
    organization_id: str = ""
    name: str = ""
    domain: str = ""
    created_by: str = ""
    config: SiteConfig = SiteConfig()
    monthly_limit: int | None = None
    retention_days: int | None = None
    private_link_key: str | None = field(default=None, repr=False)
    deleted: bool = False

    @property
    def exists(self) -> bool:
        """Whether the site was registered and not deleted."""
        return bool(self.site_id) and not self.deleted


def register(
    site_id: int,
    *,
    public_id: str,
    organization_id: str,
    name: str,
    domain: str,
    created_by: str,
    changes: ConfigChanges | None = None,
) -> list[SiteEvent]:
    """Decide a new site of an organization.

    Raises:
        Invalid: the name, the domain or a setting breaks a rule (decisions, section 4).

    """
    registered = SiteRegistered(
        site_id=site_id,
        public_id=public_id,
        organization_id=organization_id,
        name=required_text("name", name, maximum=MAX_NAME),
        domain=parse_domain(domain),
        created_by=created_by,
    )
    state = apply(Site(), registered)
    return [registered, *(configure(state, changes) if changes and changes.supplied() else [])]


def configure(state: Site, changes: ConfigChanges) -> list[SiteEvent]:
    """Decide new settings: one event that names only what really changes (decisions, section 4).

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: no setting was supplied, or an exclusion cannot be read.

    """
    _require(state)
    supplied = _normalized(changes).supplied()
    if not supplied:
        raise Invalid({}, "No fields to update")
    current = asdict(state.config, recurse=False)
    changed = {name: value for name, value in supplied.items() if value != current[name]}
    return [SiteConfigured(ConfigChanges(**changed))] if changed else []


def add_entries(state: Site, setting: ListSetting, entries: Sequence[str]) -> list[SiteEvent]:
    """Decide that a list has these entries too; what others have made of the list meanwhile stays.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: an entry cannot be read, or there would be too many.

    """
    changes: dict[str, Any] = {setting.value: (*getattr(state.config, setting), *entries)}
    return configure(state, ConfigChanges(**changes))


def remove_entry(state: Site, setting: ListSetting, entry: str) -> list[SiteEvent]:
    """Decide that a list has this entry no more; the others stay, also those that would be refused by now.

    Raises:
        SiteNotFound: the site does not exist.

    """
    _require(state)
    present: Sequence[str] = getattr(state.config, setting)
    left: dict[str, Any] = {setting.value: tuple(one for one in present if one != entry)}
    return [SiteConfigured(ConfigChanges(**left))] if entry in present else []


def rename(state: Site, *, name: str | None = None, domain: str | None = None) -> list[SiteEvent]:
    """Decide another name or domain; None keeps the present one.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: the name or the domain breaks a rule.

    """
    _require(state)
    new_name = state.name if name is None else required_text("name", name, maximum=MAX_NAME)
    new_domain = state.domain if domain is None else parse_domain(domain)
    if (new_name, new_domain) == (state.name, state.domain):
        return []
    return [SiteRenamed(new_name, new_domain)]


def limit_pageviews(state: Site, limit: int | None) -> list[SiteEvent]:
    """Decide how many pageviews of a month are stored; None means any number.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: the limit is negative, or more than anybody counts to.

    """
    _require(state)
    if limit is not None and not 0 <= limit <= MAX_PAGEVIEWS:
        raise Invalid({"limit": [f"must be a whole number from 0 to {MAX_PAGEVIEWS}"]})
    return [] if limit == state.monthly_limit else [MonthlyLimitSet(limit)]


def retain(state: Site, days: int | None) -> list[SiteEvent]:
    """Decide for how many days what is tracked is kept; None means for good.

    Raises:
        SiteNotFound: the site does not exist.
        Invalid: it is not a number from 1 to 3,650.

    """
    _require(state)
    if days is not None and not 1 <= days <= MAX_DAYS:
        raise Invalid({"days": [f"must be a whole number from 1 to {MAX_DAYS:,}"]})
    return [] if days == state.retention_days else [RetentionSet(days)]


def generate_private_link(state: Site, key: str) -> list[SiteEvent]:
    """Decide a new private link key, whether or not there was one (interface, section 3).

    Raises:
        SiteNotFound: the site does not exist.

    """
    _require(state)
    return [PrivateLinkGenerated(key)]


def revoke_private_link(state: Site) -> list[SiteEvent]:
    """Decide that the site has no private link.

    Raises:
        SiteNotFound: the site does not exist.

    """
    _require(state)
    return [] if state.private_link_key is None else [PrivateLinkRevoked()]


def resolve_error(state: Site, message: str) -> list[SiteEvent]:
    """Decide that exceptions with exactly this message are over, from now on; also when they were before.

    Raises:
        SiteNotFound: the site does not exist.

    """
    _require(state)
    return [ErrorResolved(message)]


def delete(state: Site) -> list[SiteEvent]:
    """Decide that the site goes, for good.

    Raises:
        SiteNotFound: the site does not exist, or is deleted already.

    """
    _require(state)
    return [SiteDeleted()]


def apply(state: Site, event: SiteEvent) -> Site:
    """Fold one event into the state; total, so that history can always be read."""
    match event:
        case SiteRegistered():
            return evolve(
                state,
                site_id=event.site_id,
                public_id=event.public_id,
                organization_id=event.organization_id,
                name=event.name,
                domain=event.domain,
                created_by=event.created_by,
            )
        case SiteConfigured(changes):
            return evolve(state, config=evolve(state.config, **changes.supplied()))
        case SiteRenamed(name, domain):
            return evolve(state, name=name, domain=domain)
        case MonthlyLimitSet(limit):
            return evolve(state, monthly_limit=limit)
        case RetentionSet(days):
            return evolve(state, retention_days=days)
        case PrivateLinkGenerated(key):
            return evolve(state, private_link_key=key)
        case PrivateLinkRevoked():
            return evolve(state, private_link_key=None)
        case ErrorResolved():
            return state
        case SiteDeleted():
            return evolve(state, deleted=True, private_link_key=None)


def config_names() -> tuple[str, ...]:
    """Return the names of all settings, in their order in the interface (section 2.4)."""
    return tuple(attribute.name for attribute in fields(SiteConfig))


def _normalized(changes: ConfigChanges) -> ConfigChanges:
    faults: dict[str, list[str]] = {}
    parsed: dict[str, Any] = {}
    for setting, parse in _PARSERS:
        try:
            if (entries := getattr(changes, setting)) is not None:
                parsed[setting.value] = parse(entries)
        except Invalid as refusal:
            faults |= refusal.faults
    if faults:
        raise Invalid(faults)
    return evolve(changes, **parsed)


def _require(state: Site) -> None:
    if not state.exists:
        raise SiteNotFound
