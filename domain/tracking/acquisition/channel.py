"""Channels: by which way a visitor came."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache

from footfall.domain.sites.host import normalize_host, within
from footfall.domain.tracking.acquisition.campaign import (
    DISPLAY_MEDIA,
    MEDIA,
    NO_CAMPAIGN,
    PAID_MEDIA,
    REFERRAL_MEDIA,
    Utm,
    medium_words,
)
from footfall.domain.tracking.acquisition.channel_sources import HOSTS, NAMES, SourceKind
from footfall.domain.tracking.acquisition.click_ids import CLICK_IDS, PAID_CLICK_IDS, click_ids


class Channel(StrEnum):
    """The ways to a site (docs/track/enrichment.md)."""

    DIRECT = "Direct"
    ORGANIC_SEARCH = "Organic Search"
    PAID_SEARCH = "Paid Search"
    ORGANIC_SOCIAL = "Organic Social"
    PAID_SOCIAL = "Paid Social"
    ORGANIC_VIDEO = "Organic Video"
    PAID_VIDEO = "Paid Video"
    ORGANIC_SHOPPING = "Organic Shopping"
    PAID_SHOPPING = "Paid Shopping"
    AI = "AI"
    PAID_AI = "Paid AI"
    EMAIL = "Email"
    SMS = "SMS"
    DISPLAY = "Display"
    AFFILIATE = "Affiliate"
    AUDIO = "Audio"
    PUSH = "Push"
    CROSS_NETWORK = "Cross-Network"
    REFERRAL = "Referral"
    UNKNOWN = "Unknown"


_ORGANIC = {
    SourceKind.SEARCH: Channel.ORGANIC_SEARCH,
    SourceKind.SOCIAL: Channel.ORGANIC_SOCIAL,
    SourceKind.VIDEO: Channel.ORGANIC_VIDEO,
    SourceKind.SHOPPING: Channel.ORGANIC_SHOPPING,
    SourceKind.AI: Channel.AI,
    SourceKind.EMAIL: Channel.EMAIL,
    SourceKind.SMS: Channel.SMS,
    SourceKind.PUSH: Channel.PUSH,
    SourceKind.AUDIO: Channel.AUDIO,
    SourceKind.AFFILIATE: Channel.AFFILIATE,
    SourceKind.DISPLAY: Channel.DISPLAY,
}
# Other kinds keep their name when they are paid for: an advertisement in a podcast is Audio.
_PAID = _ORGANIC | {
    SourceKind.SEARCH: Channel.PAID_SEARCH,
    SourceKind.SOCIAL: Channel.PAID_SOCIAL,
    SourceKind.VIDEO: Channel.PAID_VIDEO,
    SourceKind.SHOPPING: Channel.PAID_SHOPPING,
    SourceKind.AI: Channel.PAID_AI,
}
_KINDS_OF_MEDIA = {**NAMES, **MEDIA}
_MAIL_LABELS = ("mail.", "webmail.", "email.")


def foreign_host(referrer: str | None, own: Iterable[str] = ()) -> str | None:
    """Return the host of the page that led here; None for none, and for one within a domain of `own`."""
    host = _host("/".join(referrer.split("/", 3)[:3])) if referrer else None
    if host is None:
        return None
    for domain in own:
        if within(host, domain):
            return None
    return host


def classify(referrer_host: str | None, querystring: str | None, campaign: Utm) -> Channel:
    """Return the channel of a visit from its source and its link (docs/track/enrichment.md).

    `referrer_host` is what `foreign_host` returns, `campaign` what `parse_utm` reads from the query string. Paid
    click ids decide first, then the kind of the source, then the medium, then whether there is one.
    """
    ids = click_ids(querystring)
    if campaign is NO_CAMPAIGN and not ids:
        return _untagged(referrer_host)
    media = medium_words(campaign.medium)
    if _crosses_networks(media, campaign):
        return Channel.CROSS_NETWORK
    if not DISPLAY_MEDIA.isdisjoint(media):
        return Channel.DISPLAY
    kind = _kind(campaign, media, ids, referrer_host)
    if not PAID_MEDIA.isdisjoint(media) or not PAID_CLICK_IDS.keys().isdisjoint(ids):
        return _PAID[kind] if kind else Channel.UNKNOWN
    if kind:
        return _ORGANIC[kind]
    return Channel.REFERRAL if referrer_host or not REFERRAL_MEDIA.isdisjoint(media) else Channel.DIRECT


# Nearly every visit: the channel of 4,096 hosts, none longer than 253 letters, is a megabyte and a half at most.
@lru_cache(maxsize=4_096)
def _untagged(referrer_host: str | None) -> Channel:
    """Return the channel of a visit whose link says nothing: that of where it came from."""
    if kind := _kind_of_host(referrer_host):
        return _ORGANIC[kind]
    return Channel.REFERRAL if referrer_host else Channel.DIRECT


def _crosses_networks(media: Sequence[str], campaign: Utm) -> bool:
    return "cross-network" in (campaign.campaign or "").lower() or list(media) == ["cross", "network"]


def _kind(campaign: Utm, media: Sequence[str], ids: Sequence[str], host: str | None) -> SourceKind | None:
    """Return the kind of the source: the named one, else that of the referrer."""
    named = _kind_of_source(campaign.source) if campaign.source else _kind_of_host(host)
    return named or _kind_of_media(media) or _kind_of_click_ids(ids) or _kind_of_host(host)


def _kind_of_source(source: str) -> SourceKind | None:
    name = source.strip().lower()
    if kind := NAMES.get(name) or _kind_of_host(name.rpartition("://")[2].partition("/")[0]):
        return kind
    first = medium_words(name)[:1]  # facebook_ads, google-de
    return NAMES.get(first[0]) if first and len(first[0]) > 1 else None


def _kind_of_host(host: str | None) -> SourceKind | None:
    """Return the kind of a host or of the domain that it belongs to, the closest first."""
    if host is None:
        return None
    if host.startswith(_MAIL_LABELS):
        return SourceKind.EMAIL
    while "." in host:
        if kind := HOSTS.get(host):
            return None if kind is SourceKind.NONE else kind
        host = host.partition(".")[2]
    return None


def _kind_of_media(media: Sequence[str]) -> SourceKind | None:
    """Return the kind that a medium names; `organic` alone is said of search, `organic-social` is not."""
    if not media:
        return None
    named = next((_KINDS_OF_MEDIA[word] for word in media if word in _KINDS_OF_MEDIA), None)
    return named or (SourceKind.SEARCH if "organic" in media else None)


def _kind_of_click_ids(ids: Sequence[str]) -> SourceKind | None:
    paid = next((PAID_CLICK_IDS[mark] for mark in ids if mark in PAID_CLICK_IDS), None)
    return paid or (CLICK_IDS[ids[0]] if ids else None)


def _host(origin: str) -> str | None:
    """Return the host of the first part of a URL; `about:blank` and `null` have none."""
    host = normalize_host(origin)
    return host if host and ("." in host or ":" in host) else None
