"""Campaigns: the parameters of a link that describe where its visitor comes from."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_plus

from attrs import frozen

from footfall.domain.text import UNSTORABLE
from footfall.domain.tracking.acquisition.channel_sources import SourceKind

MAX_UTM = 255


@frozen
class Utm:
    """The campaign parameters of a link; None stands for a missing one."""

    source: str | None = None
    medium: str | None = None
    campaign: str | None = None
    term: str | None = None
    content: str | None = None


NO_CAMPAIGN = Utm()
_WORD = re.compile(r"paid|[a-z0-9]+")
# The fields of a campaign by their parameters.
UTM_FIELDS = {f"utm_{name}": name for name in ("source", "medium", "campaign", "term", "content")}

PAID_MEDIA = frozenset(
    {
        "ads",
        "adwords",
        "cpa",
        "cpc",
        "cpi",
        "cpl",
        "cpm",
        "cpv",
        "paid",
        "pla",
        "ppc",
        "promoted",
        "remarketing",
        "retargeting",
        "sem",
        "sponsored",
    }
)
DISPLAY_MEDIA = frozenset(("banner", "banners", "display", "expandable", "interstitial", "programmatic"))
REFERRAL_MEDIA = frozenset(("link", "partner", "referral", "referrer"))
# Media that are not the names of sources too, as "email" and "podcast" are.
MEDIA: Mapping[str, SourceKind] = {
    "adwords": SourceKind.SEARCH,
    "ai": SourceKind.AI,
    "cpm": SourceKind.DISPLAY,
    "cpv": SourceKind.VIDEO,
    "llm": SourceKind.AI,
    "mobile": SourceKind.PUSH,
    "pla": SourceKind.SHOPPING,
    "search": SourceKind.SEARCH,
    "sem": SourceKind.SEARCH,
    "seo": SourceKind.SEARCH,
    "sm": SourceKind.SOCIAL,
    "video": SourceKind.VIDEO,
}


def parse_utm(querystring: str | None) -> Utm:
    """Return the campaign parameters of a query string, decoded, each at most 255 characters.

    Where there is none, that is NO_CAMPAIGN itself.
    """
    if not querystring or "utm_" not in querystring:
        return NO_CAMPAIGN
    parameters: dict[str, str] = {}
    for pair in querystring.removeprefix("?").split("&"):
        key, _, value = pair.partition("=")
        if (field := UTM_FIELDS.get(key)) and field not in parameters and (text := _decoded(value)):
            parameters[field] = text
    return Utm(**parameters) if parameters else NO_CAMPAIGN


def utm_part(querystring: str | None) -> str | None:
    """Return the campaign parameters of a query string as they are written; None where there is none."""
    pairs = (querystring or "").removeprefix("?").split("&")
    return "&".join(pair for pair in pairs if pair.partition("=")[0] in UTM_FIELDS) or None


def medium_words(medium: str | None) -> Sequence[str]:
    """Return the words of a medium: those of `paid-social` and of `PaidSocial` are `paid` and `social`."""
    return _WORD.findall(medium.lower()) if medium else ()


def _decoded(value: str) -> str:
    if "%" in value or "+" in value:
        value = unquote_plus(value, errors="replace")
    return UNSTORABLE.sub("", value).strip()[:MAX_UTM]
