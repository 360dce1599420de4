"""Campaigns: what the address of a page says about how its visitor was brought there."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote_plus

from attrs import frozen

from footfall.domain.channel_sources import Kind
from footfall.domain.text import UNSTORABLE

MAX_UTM = 255


@frozen
class Utm:
    """What a link says about the campaign that it belongs to; None where it says nothing."""

    source: str | None = None
    medium: str | None = None
    campaign: str | None = None
    term: str | None = None
    content: str | None = None


NO_CAMPAIGN = Utm()
_WORD = re.compile(r"paid|[a-z0-9]+")
_UTM_FIELDS = {f"utm_{name}": name for name in ("source", "medium", "campaign", "term", "content")}

# What advertising networks add to the links of advertisements, with the kind that a network is by default.
PAID_MARKS: Mapping[str, Kind] = {
    "gclid": Kind.SEARCH,
    "gbraid": Kind.SEARCH,
    "wbraid": Kind.SEARCH,
    "gad_source": Kind.SEARCH,
    "msclkid": Kind.SEARCH,
    "yclid": Kind.SEARCH,
    "dclid": Kind.DISPLAY,
    "ttclid": Kind.VIDEO,
    "twclid": Kind.SOCIAL,
    "li_fat_id": Kind.SOCIAL,
    "rdt_cid": Kind.SOCIAL,
}
# Identifiers that tell the source, paid or not.
MARKS: Mapping[str, Kind] = {
    "fbclid": Kind.SOCIAL,
    "igsh": Kind.SOCIAL,
    "igshid": Kind.SOCIAL,
    "mc_cid": Kind.EMAIL,
    "mc_eid": Kind.EMAIL,
    "_hsenc": Kind.EMAIL,
    "mkt_tok": Kind.EMAIL,
    "srsltid": Kind.SHOPPING,
}
_MARK = re.compile(rf"(?:^\??|&)({'|'.join([*PAID_MARKS, *MARKS])})=[^&]")

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
MEDIA: Mapping[str, Kind] = {
    "adwords": Kind.SEARCH,
    "ai": Kind.AI,
    "cpm": Kind.DISPLAY,
    "cpv": Kind.VIDEO,
    "llm": Kind.AI,
    "mobile": Kind.PUSH,
    "pla": Kind.SHOPPING,
    "search": Kind.SEARCH,
    "sem": Kind.SEARCH,
    "seo": Kind.SEARCH,
    "sm": Kind.SOCIAL,
    "video": Kind.VIDEO,
}


def utm(querystring: str | None) -> Utm:
    """Return the campaign parameters of a query string, decoded, each at most 255 characters.

    Where there is none, that is NO_CAMPAIGN itself.
    """
    if not querystring or "utm_" not in querystring:
        return NO_CAMPAIGN
    found: dict[str, str] = {}
    for pair in querystring.removeprefix("?").split("&"):
        key, _, value = pair.partition("=")
        if (field := _UTM_FIELDS.get(key)) and field not in found and (text := _decoded(value)):
            found[field] = text
    return Utm(**found) if found else NO_CAMPAIGN


def marks(querystring: str | None) -> Sequence[str]:
    """Return which of the known identifiers a query string carries, in its order."""
    return _MARK.findall(querystring) if querystring else ()


def words(medium: str | None) -> Sequence[str]:
    """Return the words of a medium: those of `paid-social` and of `PaidSocial` are `paid` and `social`."""
    return _WORD.findall(medium.lower()) if medium else ()


def _decoded(value: str) -> str:
    if "%" in value or "+" in value:
        value = unquote_plus(value, errors="replace")
    return UNSTORABLE.sub("", value).strip()[:MAX_UTM]
