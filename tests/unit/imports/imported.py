"""Rows of a source, and the conversion that makes hits of them."""

from datetime import UTC, datetime

from footfall.application.imports.conversion import Conversion
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.enrichment import Device, Location
from footfall.application.ports.imports import (
    SourceRow,
)
from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.excluded_patterns import matches_any
from footfall.domain.sites.site import Site
from footfall.domain.tracking.hit import BotVerification, DeviceType, HitType
from footfall.domain.tracking.networks.network import kept_network

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
AT = datetime(2024, 2, 29, 23, 59, tzinfo=UTC)


class Lookups:
    """User agents and locations by name."""

    def parse(self, user_agent):
        return Device(
            browser=user_agent,
            device_type=DeviceType.DESKTOP,
            bot_name="bot" if user_agent == "bot" else None,
        )

    def locates(self):
        return True

    def locate(self, address):
        return Location(country="NP" if address == "192.0.2.9" else "DE")

    def verify(self, bot, address):
        return BotVerification.VERIFIED if (bot, address) == ("bot", "192.0.2.9") else None

    def network(self, address):
        return kept_network(24940 if address == "192.0.2.9" else None)

    def source(self):
        return None


def row(**known):
    return SourceRow(
        **{"type": HitType.PAGEVIEW, "occurred_at": AT, "visitor": "v", "pathname": "/", **known}
    )


def site(*, retention_days=None, **config):
    return Site(
        site_id=1,
        public_id="0" * 12,
        organization_id="1",
        name="Shop",
        domain="shop.example",
        created_by="1",
        retention_days=retention_days,
        config=SiteConfig(**config),
    )


def conversion(source="access-log ", **known):
    return Conversion(
        SiteRecord(site(**known), NOW, NOW),
        source,
        b"secret",
        *(Lookups() for _ in range(4)),
        matches_any,
        NOW,
    )
