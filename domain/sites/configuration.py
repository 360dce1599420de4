"""The settings of a site: their names, defaults and accepted values (docs/share/administration.md)."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from attrs import asdict, evolve, field, fields, frozen

from footfall.domain.exceptions import Invalid, VisitsTurnedOff, noting, renaming, require_valid
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.excluded_addresses import parse_excluded_countries, parse_excluded_ips
from footfall.domain.sites.excluded_patterns import (
    parse_excluded_hosts,
    parse_excluded_paths,
    parse_excluded_user_agents,
)
from footfall.domain.sites.sharing.embedding import parse_embed_origins
from footfall.domain.sites.visitor_reach import VisitorReach


@frozen(kw_only=True)
class Setting:
    """A setting: its names, and the parts of the service that obey it.

    `name` is that of the HTTP interface, `label` that of the dashboard. A setting with a `hint` is a switch among the
    tracking options of the dashboard. Ingestion stores other hits, or stores hits in another way, by one
    `of_ingestion`; the tracking script reads one `of_script`.
    """

    name: str
    label: str
    hint: str = ""
    of_ingestion: bool = False
    of_script: bool = False


def _setting(name: str, label: str, *, default: Any, **more: Any) -> Any:
    return field(default=default, metadata={"setting": Setting(name=name, label=label, **more)})


@frozen(kw_only=True)
class SiteConfig:
    """The settings of a site with their defaults (docs/share/administration.md).

    `embed_origins` are the origins of pages that may embed the site's public report, `share_details` tells whether
    readers who are not members see errors and sessions, `show_visits` whether members see sessions one by one. Days on
    the dashboard begin at the midnights of `time_zone`.
    """

    public: bool = _setting("public", "Public", default=False)
    salt_user_ids: bool = _setting("saltUserIds", "Rotate visitor IDs daily", default=False)
    visitor_reach: VisitorReach = _setting(  # noqa: RUF009 - a field
        "visitorReach", "Visitors are recognized", default=VisitorReach.FOREVER
    )
    block_bots: bool = _setting(
        "blockBots",
        "Reject bots",
        default=True,
        hint="Crawlers, libraries and headless browsers are not counted.",
        of_ingestion=True,
    )
    excluded_ips: tuple[str, ...] = _setting(
        "excludedIPs", "Excluded IP addresses", default=(), of_ingestion=True
    )
    excluded_countries: tuple[str, ...] = _setting(
        "excludedCountries", "Excluded countries", default=(), of_ingestion=True
    )
    excluded_paths: tuple[str, ...] = _setting(
        "excludedPaths", "Excluded paths", default=(), of_ingestion=True
    )
    excluded_hosts: tuple[str, ...] = _setting(
        "excludedHosts", "Excluded hosts", default=(), of_ingestion=True
    )
    excluded_user_agents: tuple[str, ...] = _setting(
        "excludedUserAgents", "Excluded user agents", default=(), of_ingestion=True
    )
    session_replay: bool = _setting("sessionReplay", "Session replay", default=False, of_script=True)
    web_vitals: bool = _setting(
        "webVitals",
        "Web vitals",
        default=True,
        hint="Measure page speed for real visitors.",
        of_ingestion=True,
        of_script=True,
    )
    track_errors: bool = _setting(
        "trackErrors",
        "JavaScript errors",
        default=True,
        hint="Record exceptions in visitors' browsers.",
        of_ingestion=True,
        of_script=True,
    )
    track_outbound: bool = _setting(
        "trackOutbound",
        "Outbound links",
        default=True,
        hint="Count clicks on links to other sites.",
        of_ingestion=True,
        of_script=True,
    )
    track_url_params: bool = _setting(
        "trackUrlParams",
        "Query strings",
        default=True,
        hint="Store the part of page addresses after the ?, including UTM parameters.",
        of_ingestion=True,
        of_script=True,
    )
    utm_params_only: bool = _setting(
        "utmParamsOnly",
        "UTM parameters only",
        default=False,
        hint="Of query strings store UTM parameters only: others can hold personal data.",
        of_ingestion=True,
    )
    accept_plausible: bool = _setting(
        "acceptPlausible",
        "Events by Plausible",
        default=False,
        hint="Accept what scripts and libraries of Plausible send.",
        of_ingestion=True,
    )
    accept_umami: bool = _setting(
        "acceptUmami",
        "Events by Umami",
        default=False,
        hint="Accept what scripts and libraries of Umami send.",
        of_ingestion=True,
    )
    accept_sentry: bool = _setting(
        "acceptSentry",
        "Events by Sentry",
        default=False,
        hint="Accept errors from SDKs of Sentry. Nothing else of what they send is stored.",
        of_ingestion=True,
    )
    embed_origins: tuple[str, ...] = _setting("embedOrigins", "Embedding origins", default=())
    share_details: bool = _setting("shareDetails", "Errors and sessions shared", default=False)
    show_visits: bool = _setting("showVisits", "Lists of visits", default=True)
    time_zone: str = _setting("timeZone", "Time zone", default="UTC")

    def require_visits(self) -> None:
        """Refuse lists of sessions and pages of single ones, to all readers, where the site has turned them off.

        Raises:
            VisitsTurnedOff: it has.

        """
        if not self.show_visits:
            raise VisitsTurnedOff

    def changed(self, changes: "ConfigChanges") -> Self:
        """Return the settings after changes; `salt_user_ids` is true exactly for a reach of a day.

        Where a caller changes both, the reach counts.
        """
        config, reach = evolve(self, **changes.supplied()), self.visitor_reach
        if changes.visitor_reach not in (None, reach):
            reach = config.visitor_reach
        elif config.salt_user_ids != self.salt_user_ids:
            reach = VisitorReach.DAY if config.salt_user_ids else VisitorReach.FOREVER
        return evolve(config, visitor_reach=reach, salt_user_ids=reach is VisitorReach.DAY)


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {attribute.name: attribute.metadata["setting"] for attribute in fields(SiteConfig)}
)


@frozen(kw_only=True, repr=False)
class ConfigChanges:
    """The settings that a caller supplied; the others are None."""

    public: bool | None = None
    salt_user_ids: bool | None = None
    visitor_reach: VisitorReach | None = None
    block_bots: bool | None = None
    excluded_ips: tuple[str, ...] | None = None
    excluded_countries: tuple[str, ...] | None = None
    excluded_paths: tuple[str, ...] | None = None
    excluded_hosts: tuple[str, ...] | None = None
    excluded_user_agents: tuple[str, ...] | None = None
    session_replay: bool | None = None
    web_vitals: bool | None = None
    track_errors: bool | None = None
    track_outbound: bool | None = None
    track_url_params: bool | None = None
    utm_params_only: bool | None = None
    accept_plausible: bool | None = None
    accept_umami: bool | None = None
    accept_sentry: bool | None = None
    embed_origins: tuple[str, ...] | None = None
    share_details: bool | None = None
    show_visits: bool | None = None
    time_zone: str | None = None

    def supplied(self) -> dict[str, Any]:
        """Return the supplied settings by their names."""
        return {name: value for name, value in asdict(self, recurse=False).items() if value is not None}

    def __repr__(self) -> str:
        """Return the supplied settings as they are written."""
        return f"ConfigChanges({', '.join(f'{name}={value!r}' for name, value in self.supplied().items())})"


class ListSetting(StrEnum):
    """A setting that is a list, by its name in the configuration."""

    EXCLUDED_IPS = "excluded_ips"
    EXCLUDED_COUNTRIES = "excluded_countries"
    EXCLUDED_PATHS = "excluded_paths"
    EXCLUDED_HOSTS = "excluded_hosts"
    EXCLUDED_USER_AGENTS = "excluded_user_agents"
    EMBED_ORIGINS = "embed_origins"


def normalized(changes: ConfigChanges) -> ConfigChanges:
    """Return the changes with the values that are stored.

    Raises:
        Invalid: a value cannot be read; the errors name the settings as the HTTP interface does.

    """
    errors: dict[str, list[str]] = {}
    parsed: dict[str, Any] = {}
    for setting, parse in _PARSERS:
        with noting(errors):
            if (value := getattr(changes, setting)) is not None:
                parsed[setting] = parse(value)
    require_valid(errors)
    return evolve(changes, **parsed)


def _time_zone(name: str) -> str:
    with renaming({"time_zone": "timeZone"}):
        return parse_zone(name).key


def _visitor_reach(name: str) -> VisitorReach:
    try:
        return VisitorReach(name)
    except ValueError:
        raise Invalid({"visitorReach": [f"must be one of {', '.join(VisitorReach)}"]}) from None


_PARSERS: Sequence[tuple[str, Callable[[Any], Any]]] = (
    (ListSetting.EXCLUDED_IPS, parse_excluded_ips),
    (ListSetting.EXCLUDED_COUNTRIES, parse_excluded_countries),
    (ListSetting.EXCLUDED_PATHS, parse_excluded_paths),
    (ListSetting.EXCLUDED_HOSTS, parse_excluded_hosts),
    (ListSetting.EXCLUDED_USER_AGENTS, parse_excluded_user_agents),
    (ListSetting.EMBED_ORIGINS, parse_embed_origins),
    ("time_zone", _time_zone),
    ("visitor_reach", _visitor_reach),
)
