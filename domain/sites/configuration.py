"""The settings of a site: their names, defaults and accepted values (docs/administration.md)."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from attrs import asdict, evolve, fields, frozen

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.sites.embedding import parse_embed_origins
from footfall.domain.sites.exclusions import parse_excluded_countries, parse_excluded_ips


@frozen(kw_only=True)
class SiteConfig:
    """The settings of a site with their defaults (docs/administration.md).

    `embed_origins` are the origins of pages that may embed the site's public report, `share_details` tells whether
    readers who are not members see errors and sessions. Days on the dashboard begin at the midnights of `time_zone`.
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
    share_details: bool = False
    time_zone: str = "UTC"


@frozen(kw_only=True)
class ConfigChanges:
    """The settings that a caller supplied; the others are None."""

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
    share_details: bool | None = None
    time_zone: str | None = None

    def supplied(self) -> dict[str, Any]:
        """Return the supplied settings by their names."""
        return {name: value for name, value in asdict(self, recurse=False).items() if value is not None}


class ListSetting(StrEnum):
    """A setting that is a list, by its name in the configuration."""

    EXCLUDED_IPS = "excluded_ips"
    EXCLUDED_COUNTRIES = "excluded_countries"
    EMBED_ORIGINS = "embed_origins"


def config_names() -> tuple[str, ...]:
    """Return the names of all settings, in their order in the interface."""
    return tuple(attribute.name for attribute in fields(SiteConfig))


def normalized(changes: ConfigChanges) -> ConfigChanges:
    """Return the changes with the values that are stored.

    Raises:
        Invalid: a value cannot be read; the errors name the settings as the HTTP interface does.

    """
    errors: dict[str, list[str]] = {}
    parsed: dict[str, Any] = {}
    for setting, parse in _PARSERS:
        try:
            if (value := getattr(changes, setting)) is not None:
                parsed[setting] = parse(value)
        except Invalid as refusal:
            errors |= refusal.field_errors
    if errors:
        raise Invalid(errors)
    return evolve(changes, **parsed)


def _time_zone(name: str) -> str:
    try:
        return parse_zone(name).key
    except Invalid as refusal:
        raise Invalid({"timeZone": refusal.field_errors["time_zone"]}) from None


_PARSERS: Sequence[tuple[str, Callable[[Any], Any]]] = (
    (ListSetting.EXCLUDED_IPS, parse_excluded_ips),
    (ListSetting.EXCLUDED_COUNTRIES, parse_excluded_countries),
    (ListSetting.EMBED_ORIGINS, parse_embed_origins),
    ("time_zone", _time_zone),
)
