"""What a site says that it stores of visitors: it follows from the settings, and leaves nothing out."""

import re
from pathlib import Path

import pytest
from attrs import evolve, fields

from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.privacy import (
    NEVER_STORED,
    kept,
    privacy_notice,
    processing_record,
    readers,
    stored_data,
)
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedLink, SharedLinks
from footfall.domain.sites.site import PrivateLinkGenerated, Site
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.hit import Engagement, Hit

SITE = Site(site_id=1, public_id="s", organization_id="1", name="Shop", domain="shop.example", created_by="1")
# The kind of data that each attribute of a hit is part of; what all hits need, and no visitor has, has none.
KINDS = {
    "Pages": (
        "occurred_at received_at hostname pathname querystring page_title referrer release properties channel"
        " utm_source utm_medium utm_campaign utm_term utm_content pageview_key"
    ),
    "Visitor number": "visitor_id signed_visitor_id",
    "Location": "country region city latitude longitude location_source",
    "Device": (
        "browser browser_version operating_system operating_system_version device_type automation bot bot_verified"
        " language screen_width screen_height color_scheme"
    ),
    "Network": "network autonomous_system",
    "Reading": "engaged_ms scroll_percent",
    "Events": "event_name",
    "Outbound links": "",
    "Errors": "",
    "Web vitals": "lcp cls inp fcp ttfb",
    "User ids": "user_id",
}
OF_NO_VISITOR = {"site_id", "type"}


def told(config=SITE.config, *, locates=False):
    return {one.name: one for one in stored_data(config, locates=locates)}


def test_every_attribute_of_a_hit_belongs_to_a_kind_that_is_told():
    attributes = {one.name for kind in (Hit, Engagement) for one in fields(kind)}

    assert set(told()) == set(KINDS)
    assert {name for names in KINDS.values() for name in names.split()} | OF_NO_VISITOR == attributes


@pytest.mark.parametrize(
    ("setting", "name"),
    [("track_outbound", "Outbound links"), ("track_errors", "Errors"), ("web_vitals", "Web vitals")],
)
def test_what_pages_do_not_send_is_told_of_servers_alone_and_not_in_the_notice(setting, name):
    off = evolve(SITE, config=evolve(SITE.config, **{setting: False}))
    noticed = told()[name].noticed

    assert told(off.config)[name].holds.startswith("Nothing from pages.")
    assert noticed in privacy_notice(SITE, locates=False)
    assert noticed not in privacy_notice(off, locates=False)


def test_query_strings_are_told_as_they_are_stored():
    assert "with the part of its address" in told()["Pages"].holds
    assert "(UTM)" in told(SiteConfig(utm_params_only=True))["Pages"].holds
    assert "without the part" in told(SiteConfig(track_url_params=False, utm_params_only=True))["Pages"].holds


def test_places_are_those_of_a_database_or_of_the_time_zone():
    assert "coordinates" in told(locates=True)["Location"].holds
    assert "time zone" in told()["Location"].holds


@pytest.mark.parametrize("reach", VisitorReach)
def test_how_far_a_visitor_is_recognized_is_told_everywhere(reach):
    site = evolve(SITE, config=evolve(SITE.config, visitor_reach=reach))
    texts = [told(site.config)["Visitor number"].holds, privacy_notice(site, locates=False)]
    texts.append(processing_record(site, "Acme", locates=False))

    assert all((f"each {reach}" in text) is (reach is not VisitorReach.FOREVER) for text in texts)
    assert (": the id as sent" in told(site.config)["User ids"].holds) is (reach is VisitorReach.FOREVER)


@pytest.mark.parametrize(
    ("days", "text"), [(None, "until the site is deleted"), (1, "for 1 day"), (3650, "for 3,650 days")]
)
def test_the_time_is_that_of_retention(days, text):
    site = evolve(SITE, retention_days=days)

    assert kept(site) == text
    assert f"We keep this data {text}." in privacy_notice(site, locates=False)
    assert f"the data is kept {text}." in processing_record(site, "Acme", locates=False)


def test_readers_are_those_who_may_read():
    shared = evolve(
        SITE,
        private_link=PrivateLinkGenerated(digest="digest", sealed="sealed"),
        links=SharedLinks({1: SharedLink(LinkTerms(name="Agency"), "digest", "sealed")}, 1),
        config=evolve(SITE.config, public=True, share_details=True, show_visits=False),
    )

    assert readers(SITE, "Acme") == ["members and viewers of Acme, also visits one by one"]
    assert [reader.split(":")[0] for reader in readers(shared, "Acme")] == [
        "members and viewers of Acme",
        "holders of a private link",
        "holders of other links",
        "readers of the public dashboard",
    ]
    assert "public dashboard" in processing_record(shared, "Acme", locates=False)


def test_the_documentation_has_every_kind_and_what_is_never_stored():
    page = Path("docs/share/privacy.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| \*\*(.+?)\*\* \|", page, re.MULTILINE) == list(KINDS)
    assert all(one in page for one in NEVER_STORED)
