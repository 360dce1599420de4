"""A row becomes a hit as a tracked event does, or is left out for its reason."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve, fields

from footfall.application.ports.imports import (
    LeftOut,
)
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import ColorScheme, HitType, Sent
from footfall.domain.tracking.visitor import visitor_id
from tests.unit.imports.imported import AT, NOW, conversion, row


@pytest.mark.parametrize(
    ("values", "known", "reason"),
    [
        ({"occurred_at": NOW - timedelta(days=31)}, {"retention_days": 30}, LeftOut.OLD),
        ({"occurred_at": NOW + timedelta(minutes=6)}, {}, LeftOut.FUTURE),
        ({"occurred_at": datetime(1989, 12, 31, 23, 59, tzinfo=UTC)}, {}, LeftOut.EARLY),
        ({"user_agent": "bot"}, {}, LeftOut.BOT),
        ({"address": "192.0.2.9"}, {"excluded_ips": ("192.0.2.0/24",)}, LeftOut.EXCLUDED_ADDRESS),
        ({"address": "192.0.2.9"}, {"excluded_countries": ("NP",)}, LeftOut.EXCLUDED_COUNTRY),
        ({"country": "NP"}, {"excluded_countries": ("NP",)}, LeftOut.EXCLUDED_COUNTRY),
        ({"user_agent": "Old Browser"}, {"excluded_user_agents": ("old*",)}, LeftOut.EXCLUDED_USER_AGENT),
        ({"hostname": "Dev.example"}, {"excluded_hosts": ("dev.*",)}, LeftOut.EXCLUDED_HOST),
        ({"pathname": "admin/a"}, {"excluded_paths": ("/admin/*",)}, LeftOut.EXCLUDED_PATH),
        ({"type": HitType.CUSTOM_EVENT}, {}, LeftOut.NO_NAME),
        ({"pathname": "/" + "x" * 2_048}, {}, LeftOut.TOO_LONG),
        ({"page_title": "a\0"}, {}, LeftOut.UNSTORABLE),
        ({"city": "\ud800"}, {}, LeftOut.UNSTORABLE),
        ({"operating_system": "\ud800"}, {}, LeftOut.UNSTORABLE),
        ({"utm": Utm(source="a\0")}, {}, LeftOut.UNSTORABLE),
        ({"utm": Utm(source="x" * 2_049)}, {}, LeftOut.TOO_LONG),
        ({"latitude": 90.5}, {}, LeftOut.UNSTORABLE),
        ({"longitude": float("nan")}, {}, LeftOut.UNSTORABLE),
        ({"country": " np"}, {"excluded_countries": ("NP",)}, LeftOut.EXCLUDED_COUNTRY),
        ({"lcp": -1.0}, {}, LeftOut.UNSTORABLE),
        ({"lcp": float("nan")}, {}, LeftOut.UNSTORABLE),
        ({"properties": {"a": float("inf")}}, {}, LeftOut.UNSTORABLE),
        ({"properties": {"a": "x" * 8_192}}, {}, LeftOut.TOO_LONG),
    ],
)
def test_a_row_that_breaks_a_rule_is_left_out_by_its_reason(values, known, reason):
    assert conversion(**known).convert(row(**values)) is reason


def test_bots_are_stored_on_a_site_that_does_not_block_them():
    hit = conversion(block_bots=False).convert(row(user_agent="bot"))

    assert hit.browser == "bot"


def test_a_hit_follows_the_rules_of_tracked_ones():
    hit = conversion().convert(
        row(
            pathname="caf%C3%A9",
            querystring="utm_source=news&utm_medium=email",
            referrer="https://www.google.com/",
            user_agent="Firefox",
            address="192.0.2.1",
        )
    )

    assert (hit.pathname, hit.channel, hit.utm_source) == ("/café", "Email", "news")
    assert (hit.browser, hit.country, hit.received_at) == ("Firefox", "DE", NOW)
    assert (hit.network, hit.autonomous_system) == (None, None)


def test_the_address_of_a_row_says_where_and_of_which_network_it_is():
    servers, other = (conversion().convert(row(address=address)) for address in ("192.0.2.9", None))

    assert (servers.location_source, servers.network, servers.autonomous_system) == (
        "database",
        "hosting",
        "AS24940",
    )
    assert (other.location_source, other.network, other.autonomous_system) == (None, None, None)


def test_a_country_that_is_no_code_is_unknown():
    assert conversion().convert(row(country="Germany")).country is None
    assert conversion().convert(row(country="de")).country == "DE"


def test_a_referrer_of_the_own_host_is_none():
    hit = conversion().convert(row(referrer="https://www.shop.example/x"))

    assert (hit.referrer, hit.channel) == (None, "Direct")


def test_campaigns_and_click_ids_beside_the_query_classify_the_visit():
    paid = conversion().convert(row(utm=Utm(source="google"), click_id="gclid"))

    assert (paid.utm_source, paid.channel, paid.querystring) == ("google", "Paid Search", None)


def test_everything_that_was_sent_arrives_in_the_hit():
    kinds = {str | None: "a", float | None: 1.5, ColorScheme | None: ColorScheme.DARK}
    sent = {one.name: kinds.get(one.type, {"a": 1}) for one in fields(Sent)}
    sent |= {"pathname": "/a", "referrer": "https://news.example/"}

    hit = conversion().convert(row(**sent))

    assert {name: getattr(hit, name) for name in sent} == sent


def test_the_query_is_dropped_where_the_site_drops_it():
    hit = conversion(track_url_params=False).convert(row(querystring="a=b"))

    assert hit.querystring is None


def test_only_campaign_parameters_are_imported_where_the_site_wants_no_others():
    hit = conversion(utm_params_only=True).convert(row(querystring="a=b&utm_medium=email"))

    assert (hit.querystring, hit.utm_medium) == ("utm_medium=email", "email")


def test_visitors_are_linked_within_a_source_only():
    one = conversion().convert(row())
    same = conversion().convert(row(occurred_at=AT + timedelta(days=9)))
    elsewhere = conversion("umami 7").convert(row())
    tracked = visitor_id(b"secret", site_id=1, address="v", user_agent="")

    assert one.visitor_id == same.visitor_id
    assert len({one.visitor_id, elsewhere.visitor_id, tracked}) == 3
    assert -(1 << 63) <= one.visitor_id < 1 << 63


def test_a_site_that_salts_visitors_links_no_days_and_keeps_no_user_id():
    salting = conversion(visitor_reach=VisitorReach.DAY)
    one = salting.convert(row(user_id="anna"))
    later = salting.convert(row(user_id="anna", occurred_at=AT + timedelta(days=1)))

    assert one.visitor_id != later.visitor_id
    assert "anna" not in (one.user_id, later.user_id)
    assert one.user_id != later.user_id


def test_nothing_of_a_visitor_is_in_the_representation_of_a_row():
    shown = repr(row(visitor="visitor-7", user_id="anna", address="192.0.2.7", user_agent="Agent"))

    assert not [word for word in ("visitor-7", "anna", "192.0.2.7", "Agent") if word in shown]
    assert evolve(row(), pathname="/b").pathname == "/b"


def test_a_stored_bot_is_verified_by_the_address_of_its_row():
    convert = conversion(block_bots=False).convert

    known, other, person = (
        convert(row(user_agent=agent, address=address))
        for agent, address in (("bot", "192.0.2.9"), ("bot", None), ("Firefox", "192.0.2.9"))
    )

    assert (known.bot, known.bot_verified) == ("bot", "verified")
    assert (other.bot, other.bot_verified) == ("bot", None)
    assert (person.bot, person.bot_verified) == (None, None)
