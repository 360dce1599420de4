"""Example values for tests and the demonstration."""

from datetime import UTC, datetime
from typing import Any

from attrs import evolve

from footfall.domain.tracking.hit import (
    BotVerification,
    ColorScheme,
    DeviceType,
    Hit,
    HitType,
    LocatedBy,
    NetworkKind,
)

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def a_hit(**changes: Any) -> Hit:
    """Return a pageview at noon on one site by one visitor, with the given attributes changed."""
    hit = Hit(
        site_id=1,
        type=HitType.PAGEVIEW,
        occurred_at=NOON,
        received_at=NOON,
        visitor_id=7,
        hostname="example.com",
        pathname="/",
        device_type=DeviceType.DESKTOP,
    )
    return evolve(hit, **changes)


def a_full_hit(**changes: Any) -> Hit:
    """Return a hit in which every attribute has a value, some of them hard to encode."""
    return evolve(
        a_hit(),
        **{
            "type": HitType.CUSTOM_EVENT,
            "visitor_id": -(2**63),
            "user_id": "user\t1",
            "signed_visitor_id": 2**63 - 1,
            "querystring": "?a=\\N&b=%20",
            "page_title": "Zeile 1\nZeile 2\r\\. „Ende“",
            "referrer": "https://news.example.org/a?b=c",
            "channel": "Referral",
            "utm_source": "newsletter",
            "utm_medium": "email",
            "utm_campaign": "spring",
            "utm_term": "shoes",
            "utm_content": "top",
            "language": "de-DE",
            "color_scheme": ColorScheme.DARK,
            "automation": "no_language,webdriver",
            "bot": "GPTBot",
            "bot_verified": BotVerification.VERIFIED,
            "screen_width": 1920.5,
            "screen_height": 1080.0,
            "browser": "Firefox",
            "browser_version": "140.0",
            "operating_system": "Linux",
            "operating_system_version": "6",
            "country": "DE",
            "region": "BE",
            "city": "Berlin",
            "latitude": 52.52,
            "longitude": -13.405,
            "location_source": LocatedBy.DATABASE,
            "network": NetworkKind.HOSTING,
            "autonomous_system": "AS64496",
            "event_name": "sign up",
            "properties": {
                "plan": "pro",
                "seats": 3,
                "price": 9.99,
                "nested": {"a": [1, None, True]},
                "text": "\\\t\n",
            },
            "lcp": 1200.25,
            "cls": 0.0,
            "inp": 80.0,
            "fcp": 600.0,
            "ttfb": 0.5,
            **changes,
        },
    )
