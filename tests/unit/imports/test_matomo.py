"""Rows of Matomo and what they become."""

from datetime import UTC, datetime

import pytest
from device_detector.parser import settings

from footfall.adapters.sources.matomo.names import BROWSERS, SYSTEMS
from footfall.adapters.sources.matomo.rows import References, action_row, conversion_row, name_of
from footfall.adapters.sources.matomo.source import _moment as moment
from footfall.adapters.sources.matomo.visits import MatomoSite, goal_of, visit_of
from footfall.application.ports.imports import LeftOut, LeftOutRow, SourceRow, UnreadableRow
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType

AT = 1_704_067_140_000_000
TIME = b"2023-12-31 23:59:00"
VISITOR = bytes.fromhex("00ff8000deadbeef")
SITE = MatomoSite(
    key="1",
    currency="EUR",
    goals={
        1: goal_of({"name": b"Paid", "match_attribute": b"url"}),
        2: goal_of({"name": b"Call &amp; meet", "match_attribute": b"manually"}),
    },
    of_visits={"custom_dimension_1": "kind"},
    of_actions={"custom_dimension_1": "section"},
)
NAMES = {
    1: (b"shop.example/pricing?plan=pro#top", 1, 2),
    2: (b"shop.example/?mtm_campaign=summer&mtm_kwd=shoes&pk_source=mail", 1, 3),
    3: (b"shop.example/?utm_content=top", 1, 0),
    4: (b"shop.example/\xff", 1, 1),
    5: (b"app://start", 1, None),
    6: (b"[bad", 1, 2),
    10: (b"&lt;Pricing&gt; &amp;amp; &quot;more&quot; &#039;x&#039;", 4, None),
    20: (b"https://elsewhere.example/?a=1&amp=2", 2, None),
    21: (b"https://shop.example/a.pdf", 3, None),
    30: (b"red &amp; blue", 8, None),
    40: (b"Videos", 10, None),
    41: (b"Play", 11, None),
    42: (b"intro.mp4", 12, None),
    43: (b"shop.example/video", 10, 2),
    50: (b"Banner", 13, None),
    60: (b"Red shoes", 6, None),
    61: (b"RS-1", 5, None),
    62: (b"Shoes", 7, None),
    70: (None, 99, None),
    71: (b"x", 14, None),
}
VISIT = {
    "idvisit": b"5",
    "idvisitor": VISITOR,
    "visit_first_action_time": TIME,
    "user_id": b"jane&amp;co",
    "referer_type": b"3",
    "referer_name": b"news.example",
    "referer_keyword": None,
    "referer_url": b"https://news.example/a?b=1",
    "config_browser_name": b"MF",
    "config_browser_version": b"17.1",
    "config_os": b"MAC",
    "config_os_version": b"10.15",
    "config_device_type": b"2",
    "config_resolution": b"1920x1080",
    "location_browser_lang": b"de-at,de",
    "location_country": b"de",
    "location_region": b"BY",
    "location_city": "München".encode(),
    "location_latitude": b"48.137000",
    "location_longitude": b"11.575000",
    "custom_dimension_1": b"dealer",
}


def references(**visit):
    names = {
        str(number).encode(): name_of(
            {
                "name": text,
                "type": str(kind).encode(),
                "url_prefix": None if prefix is None else str(prefix).encode(),
            }
        )
        for number, (text, kind, prefix) in NAMES.items()
    }
    return References(SITE, {b"5": visit_of(VISIT | visit, SITE)}, names)


def action(*, visit=None, **columns):
    written = {
        name: value if value is None or isinstance(value, bytes) else str(value).encode()
        for name, value in columns.items()
    }
    values = {"idlink_va": b"9", "idvisit": b"5", "idvisitor": VISITOR, "server_time": TIME, **written}
    return action_row(AT, values, references(**(visit or {})))


def conversion(**columns):
    written = {name: None if value is None else str(value).encode() for name, value in columns.items()}
    values = {"idvisit": b"5", "idvisitor": VISITOR, "server_time": TIME, **written}
    return conversion_row(AT, values, references())


def test_a_pageview_has_what_matomo_keeps_of_it_and_of_its_visit():
    row = action(idaction_url=1, idaction_name=10, custom_dimension_1=b"prices &amp; plans")

    assert row == SourceRow(
        type=HitType.PAGEVIEW,
        occurred_at=datetime(2023, 12, 31, 23, 59, tzinfo=UTC),
        visitor="00ff8000deadbeef",
        user_id="jane&co",
        hostname="shop.example",
        pathname="/pricing",
        querystring="plan=pro",
        page_title="<Pricing> &amp; \"more\" 'x'",
        referrer="https://news.example/a?b=1",
        language="de-AT",
        screen_width=1920,
        screen_height=1080,
        browser="Mobile Safari",
        browser_version="17.1",
        operating_system="Mac OS X",
        operating_system_version="10.15",
        device_type=DeviceType.TABLET,
        country="DE",
        region="BY",
        city="München",
        latitude=48.137,
        longitude=11.575,
        properties={"kind": "dealer", "section": "prices & plans"},
    )


@pytest.mark.parametrize(
    ("number", "hostname", "pathname"),
    [
        (1, "shop.example", "/pricing"),
        (2, "www.shop.example", "/"),
        (3, "shop.example", "/"),
        (4, "www.shop.example", "/\ufffd"),
        (5, None, None),
        (6, None, None),
    ],
)
def test_an_address_has_the_host_of_its_prefix(number, hostname, pathname):
    row = action(idaction_url=number)

    assert (row.type, row.hostname, row.pathname) == (HitType.PAGEVIEW, hostname, pathname)


@pytest.mark.parametrize(
    ("columns", "title"),
    [
        ({"idaction_url": None, "idaction_name": 10}, "<Pricing> &amp; \"more\" 'x'"),
        ({"idaction_url": 0, "idaction_name": 0}, None),
        ({"idaction_url": 0, "idaction_name": None}, None),
    ],
)
def test_a_page_without_an_address_is_a_pageview(columns, title):
    row = action(**columns)

    assert (row.type, row.pathname, row.page_title) == (HitType.PAGEVIEW, None, title)


@pytest.mark.parametrize("number", [20, 21])
def test_outlinks_and_downloads_are_outbound_clicks_of_the_page_before(number):
    row = action(idaction_url=number, idaction_url_ref=1, idaction_name_ref=10)

    assert (row.type, row.pathname, row.page_title[:9]) == (HitType.OUTBOUND, "/pricing", "<Pricing>")
    assert row.properties == {"kind": "dealer", "url": NAMES[number][0].decode()}


def test_a_search_is_an_event_on_the_page_before():
    row = action(
        idaction_url=None,
        idaction_name=30,
        idaction_url_ref=1,
        search_cat=b"men &amp; women",
        search_count=0,
    )

    assert (row.type, row.event_name, row.pathname) == (HitType.CUSTOM_EVENT, "site_search", "/pricing")
    assert row.properties == {
        "kind": "dealer",
        "keyword": "red & blue",
        "category": "men & women",
        "results": 0,
    }


@pytest.mark.parametrize(
    ("value", "expected"), [(b"3", 3), (b"2.5", 2.5), (b"-1", -1), (None, None), (b"1e+308", 1e308)]
)
def test_an_event_has_the_name_of_its_action(value, expected):
    row = action(
        idaction_url=43,
        idaction_name=42,
        idaction_event_category=40,
        idaction_event_action=41,
        custom_float=value,
    )

    assert (row.type, row.event_name, row.pathname) == (HitType.CUSTOM_EVENT, "Play", "/video")
    number = {} if expected is None else {"value": expected}
    assert row.properties == {"kind": "dealer", "category": "Videos", "name": "intro.mp4", **number}
    assert type(row.properties.get("value")) is type(expected)


def test_a_product_that_a_page_shows_is_in_its_properties():
    row = action(
        idaction_url=1,
        idaction_product_name=60,
        idaction_product_sku=61,
        idaction_product_cat=62,
        product_price=19.9,
    )

    assert row.properties == {
        "kind": "dealer",
        "product": "Red shoes",
        "product_sku": "RS-1",
        "product_category": "Shoes",
        "product_price": 19.9,
    }


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"idaction_content_name": 50, "idaction_url": 1}, "content"),
        ({"idaction_url": 71}, "action type 14"),
        ({"idaction_url": 70}, "another type"),
        ({"idaction_url": None, "idaction_name": None}, "another type"),
        ({"idaction_url": None, "idaction_name": 71}, "action type 14"),
    ],
)
def test_actions_of_other_kinds_are_left_out_by_their_kind(columns, kind):
    assert action(**columns) == LeftOutRow(
        datetime(2023, 12, 31, 23, 59, tzinfo=UTC), kind, LeftOut.NOT_CARRIED
    )


def test_an_action_whose_address_is_gone_is_unreadable():
    assert action(idaction_url=999) == UnreadableRow(
        "action 9", "the row of its address is missing in log_action"
    )


def test_only_the_first_action_of_a_visit_has_its_referrer_and_campaign():
    campaign = {"referer_type": b"6", "referer_name": b"news", "referer_keyword": b"june"}

    first = action(idaction_url=1, visit=campaign)
    later = action(idaction_url=1, visit={**campaign, "visit_first_action_time": b"2023-12-31 23:58:59"})

    assert first.utm == Utm(campaign="news", term="june")
    assert (later.referrer, later.utm) == (None, None)


@pytest.mark.parametrize(
    ("number", "visit", "expected"),
    [
        (1, {}, None),
        (1, {"referer_type": b"2", "referer_name": b"Google", "referer_keyword": b"x"}, None),
        (1, {"campaign_source": b"mail", "campaign_name": b"june"}, Utm(source="mail", campaign="june")),
        (2, {}, Utm(source="mail", campaign="summer", term="shoes")),
        (
            2,
            {"referer_type": b"6", "referer_name": b"Summer"},
            Utm(source="mail", campaign="summer", term="shoes"),
        ),
        (3, {}, None),
        (3, {"referer_type": b"6", "referer_name": b"summer"}, Utm(campaign="summer", content="top")),
    ],
)
def test_a_campaign_is_that_of_the_address_completed_by_the_visit(number, visit, expected):
    assert action(idaction_url=number, visit=visit).utm == expected


@pytest.mark.parametrize(
    ("columns", "name", "expected"),
    [
        ({"config_browser_name": b"XX"}, "browser", "XX"),
        ({"config_browser_name": b"UNK"}, "browser", None),
        ({"config_os": None}, "operating_system", None),
        ({"config_device_type": b"0"}, "device_type", DeviceType.DESKTOP),
        ({"config_device_type": b"7"}, "device_type", DeviceType.UNKNOWN),
        ({"config_device_type": None}, "device_type", DeviceType.UNKNOWN),
        ({"config_resolution": b"unknown"}, "screen_width", None),
        ({"location_browser_lang": b""}, "language", None),
        ({"location_country": b"xx"}, "country", None),
        ({"location_country": None}, "country", None),
        ({"location_latitude": b"0.000000", "location_longitude": b"0.000000"}, "latitude", None),
        ({"location_city": b"M\xfcnchen"}, "city", "M\ufffdnchen"),
        ({"idvisitor": b"\0" * 8}, "visitor", "visit 5"),
    ],
)
def test_unknown_values_of_a_visit_stay_unknown(columns, name, expected):
    assert getattr(action(idaction_url=1, visit=columns), name) == expected


def test_an_action_whose_visit_is_gone_keeps_its_visitor():
    row = action(idaction_url=1, idvisit=6)

    assert (row.visitor, row.browser, row.properties) == ("00ff8000deadbeef", None, None)


def test_an_order_is_an_event_with_its_amounts_in_the_currency_of_the_site():
    row = conversion(
        idgoal=0, url="https://shop.example/thanks?nr=1", revenue=19.9, revenue_tax=3, items=2, idorder="A-1"
    )

    assert (row.type, row.event_name, row.pathname, row.querystring) == (
        HitType.CUSTOM_EVENT,
        "ecommerceOrder",
        "/thanks",
        "nr=1",
    )
    assert row.properties == {
        "kind": "dealer",
        "revenue": 19.9,
        "currency": "EUR",
        "tax": 3,
        "items": 2,
        "order": "A-1",
    }


@pytest.mark.parametrize(
    ("revenue", "expected"), [(5, {"revenue": 5, "currency": "EUR"}), (0, {}), (None, {})]
)
def test_a_conversion_that_a_page_reported_is_an_event_of_the_name_of_its_goal(revenue, expected):
    row = conversion(idgoal=2, url="", revenue=revenue)

    assert (row.event_name, row.pathname, row.properties) == (
        "Call & meet",
        None,
        {"kind": "dealer", **expected},
    )


@pytest.mark.parametrize("goal", [1, 7])
def test_conversions_of_pages_are_left_out(goal):
    row = conversion(idgoal=goal, url="https://shop.example/", revenue=1)

    assert (row.type, row.reason) == ("conversion", LeftOut.NOT_CARRIED)


@pytest.mark.parametrize(
    ("text", "expected", "is_date"),
    [
        ("2023-12-31 23:59:00", datetime(2023, 12, 31, 23, 59, tzinfo=UTC), True),
        ("2023-12-31 23:59:00.250000", datetime(2023, 12, 31, 23, 59, 0, 250_000, tzinfo=UTC), True),
        ("0001-01-01 00:00:00", datetime(1, 1, 1, tzinfo=UTC), True),
        ("9999-12-31 23:59:59", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), True),
        ("2024-00-00 00:00:00", datetime(2024, 1, 1, tzinfo=UTC), False),
        ("2024-05-00 12:00:00", datetime(2024, 5, 1, tzinfo=UTC), False),
        ("2024-02-31 12:00:00", datetime(2024, 3, 1, tzinfo=UTC), False),
        ("2023-11-31 12:00:00", datetime(2023, 12, 1, tzinfo=UTC), False),
    ],
)
def test_a_day_that_is_none_stands_before_the_next_one(text, expected, is_date):
    at = (expected - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1_000_000

    assert moment(text) == (int(at), is_date)


def test_year_0_has_no_time():
    assert moment("0000-00-00 00:00:00") == (None, False)
    assert moment("0000-12-31 23:59:59") == (None, False)


@pytest.mark.parametrize(
    ("codes", "known"),
    [(BROWSERS, settings.AVAILABLE_BROWSERS), (SYSTEMS, settings.OPERATING_SYSTEMS)],
    ids=["browsers", "systems"],
)
def test_codes_are_those_of_the_detector_that_matomo_uses(codes, known):
    assert codes.keys() <= known.keys()
