"""Visits of Matomo, and the site that they are of."""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from footfall.adapters.sources.matomo.names import BROWSERS, DEVICES, SYSTEMS
from footfall.adapters.sources.matomo.values import number_in, plain_in, text_in
from footfall.adapters.sources.reading.mysql import Values
from footfall.adapters.sources.reading.values import language_of, screen_of
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType

_OF_CAMPAIGN = 6
# Codes that are no countries: unknown, Europe, Asia and the Pacific, anonymous, satellites.
_NOWHERE = frozenset({"xx", "eu", "ap", "a1", "a2", "o1", "ti"})
_UNKNOWN = frozenset({"UNK", "xx", "unknown"})


@frozen
class MatomoGoal:
    """A goal of the site; `by_code` says that pages report its conversions themselves."""

    name: str
    by_code: bool


@frozen
class MatomoSite:
    """What holds for all rows of a site: its currency and goals, and the properties of columns with dimensions.

    `key` is its number with the second when it was made: each installation has a site 1.
    """

    key: str
    currency: str | None
    goals: Mapping[int, MatomoGoal]
    of_visits: Mapping[str, str]
    of_actions: Mapping[str, str]


@frozen
class MatomoVisit:
    """The visit of an action."""

    visitor: str = field(repr=False)
    began_at: str | None
    referrer: str | None
    campaign: Utm
    dimensions: Mapping[str, str]
    # Values of `SourceRow` by name.
    described: Mapping[str, Any] = field(repr=False)


def goal_of(values: Values) -> MatomoGoal:
    """Return a goal of the site."""
    return MatomoGoal(plain_in(values, "name") or "", values["match_attribute"] == b"manually")


def visit_of(values: Values, site: MatomoSite) -> MatomoVisit:
    """Return a visit.

    Raises:
        ValueError: a value is of another kind.

    """
    width, height = screen_of(text_in(values, "config_resolution"))
    latitude, longitude = number_in(values, "location_latitude"), number_in(values, "location_longitude")
    nowhere = not latitude and not longitude
    country = (text_in(values, "location_country") or "").lower()
    languages = text_in(values, "location_browser_lang") or ""
    device = text_in(values, "config_device_type")
    return MatomoVisit(
        visitor=visitor_of(values),
        began_at=text_in(values, "visit_first_action_time"),
        referrer=text_in(values, "referer_url"),
        campaign=_campaign(values),
        dimensions=dimensions_of(values, site.of_visits),
        described={
            "user_id": plain_in(values, "user_id"),
            "language": language_of(languages.partition(",")[0].strip()),
            "screen_width": width,
            "screen_height": height,
            "browser": _called(text_in(values, "config_browser_name"), BROWSERS),
            "browser_version": _known(text_in(values, "config_browser_version")),
            "operating_system": _called(text_in(values, "config_os"), SYSTEMS),
            "operating_system_version": _known(text_in(values, "config_os_version")),
            "device_type": DEVICES.get(int(device), DeviceType.UNKNOWN) if device else DeviceType.UNKNOWN,
            "country": None if country in _NOWHERE else country.upper() or None,
            "region": _known(text_in(values, "location_region")),
            "city": text_in(values, "location_city"),
            "latitude": None if nowhere else latitude,
            "longitude": None if nowhere else longitude,
        },
    )


def visitor_of(values: Values) -> str:
    """Return the visitor of a visit, or of a row that keeps it, too; a visit without one stands for itself."""
    visitor = values["idvisitor"]
    return visitor.hex() if visitor and any(visitor) else f"visit {text_in(values, 'idvisit')}"


def dimensions_of(values: Values, names: Mapping[str, str]) -> dict[str, str]:
    """Return the values of dimensions, by the names of their columns' properties."""
    return {name: text for column, name in names.items() if (text := plain_in(values, column))}


def _campaign(values: Values) -> Utm:
    """Return the campaign of a visit, from the columns that reporting of campaigns adds, or else from those of all."""
    is_campaign = text_in(values, "referer_type") == str(_OF_CAMPAIGN)
    return Utm(
        source=text_in(values, "campaign_source"),
        medium=text_in(values, "campaign_medium"),
        campaign=text_in(values, "campaign_name")
        or (text_in(values, "referer_name") if is_campaign else None),
        term=text_in(values, "campaign_keyword")
        or (text_in(values, "referer_keyword") if is_campaign else None),
        content=text_in(values, "campaign_content"),
    )


def _known(text: str | None) -> str | None:
    return None if text in _UNKNOWN else text


def _called(code: str | None, names: Mapping[str, str]) -> str | None:
    known_code = _known(code)
    return names.get(known_code, known_code) if known_code else None
