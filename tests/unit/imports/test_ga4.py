"""Events of Google Analytics 4 and what they become."""

from datetime import UTC, datetime
from functools import partial

import pytest

from footfall.adapters.sources.opening import recognise
from footfall.application.ports.imports import LeftOut, LeftOutRow, SourceRow
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, HitType
from tests.unit.imports import ga4_files
from tests.unit.imports.ga4_files import AT, FORMATS, PAGE, event, opened, read


@pytest.fixture
def written(tmp_path):
    return partial(ga4_files.written, tmp_path)


@pytest.mark.parametrize("name", FORMATS)
def test_a_pageview_keeps_what_the_export_has_in_each_format(written, name):
    params = {
        **PAGE,
        "page_title": "Pricing",
        "page_referrer": "https://www.google.com/",
        "screen_resolution": "1920x1080",
        "engagement_time_msec": 1200,
        "section": "shop",
        "items_shown": 12,
        "share": 0.5,
    }
    device = {
        "category": "mobile",
        "operating_system": "Macintosh",
        "operating_system_version": "Macintosh Intel 10.15",
        "language": "de-at",
        "web_info": {"browser": "Android Webview", "browser_version": "120.0.0.0"},
    }
    geo = {"country": "Germany", "region": "Bavaria", "city": "Munich"}
    path = written(event(params=params, user_id="customer-1", device=device, geo=geo), name=name)

    [row] = read(opened(path))

    assert recognise([str(path)]) == "ga4"
    assert row == SourceRow(
        type=HitType.PAGEVIEW,
        occurred_at=datetime(2023, 12, 31, 23, 59, tzinfo=UTC),
        visitor="123.456",
        user_id="customer-1",
        hostname="shop.example",
        pathname="/pricing",
        querystring="plan=pro",
        page_title="Pricing",
        referrer="https://www.google.com/",
        language="de-AT",
        screen_width=1920,
        screen_height=1080,
        browser="Chrome Mobile WebView",
        browser_version="120.0.0.0",
        operating_system="Mac OS X",
        operating_system_version="10.15",
        device_type=DeviceType.MOBILE,
        country="DE",
        region="BY",
        city="Munich",
        properties={"section": "shop", "items_shown": 12, "share": 0.5},
    )


def test_clicks_and_downloads_are_outbound_clicks_and_other_events_keep_their_names(written):
    link = {
        "link_url": "https://elsewhere.example/a.pdf",
        "link_domain": "elsewhere.example",
        "link_text": "Brochure",
        "outbound": "true",
        "file_name": "a.pdf",
    }
    path = written(
        event("click", at=AT, params={**PAGE, **link}),
        event("file_download", at=AT + 1, params={**PAGE, **link}),
        event("click", at=AT + 2, params={**PAGE, "button": "buy"}),
        event("sign_up", at=AT + 3, params={**PAGE, "method": "mail", "ga_session_number": 3}),
    )

    click, download, button, sign_up = read(opened(path))

    url = {"url": "https://elsewhere.example/a.pdf", "text": "Brochure", "file_name": "a.pdf"}
    assert (click.type, click.event_name, click.properties) == (HitType.OUTBOUND, None, url)
    assert (download.type, download.properties) == (HitType.OUTBOUND, url)
    assert (button.type, button.event_name, button.properties) == (
        HitType.CUSTOM_EVENT,
        "click",
        {"button": "buy"},
    )
    assert (sign_up.event_name, sign_up.properties) == ("sign_up", {"method": "mail"})


@pytest.mark.parametrize("name", ["session_start", "first_visit", "user_engagement", "scroll", "first_open"])
def test_events_that_no_event_here_is_are_left_out_by_name(written, name):
    [row] = read(opened(written(event(name))))

    assert row == LeftOutRow(datetime(2023, 12, 31, 23, 59, tzinfo=UTC), name, LeftOut.NOT_CARRIED)


@pytest.mark.parametrize(
    ("params", "ecommerce", "expected"),
    [
        ({"value": 19, "currency": "EUR"}, None, {"revenue": 19.0, "currency": "EUR"}),
        ({"currency": "EUR"}, {"purchase_revenue": 7.5}, {"revenue": 7.5, "currency": "EUR"}),
        ({"value": 19.5}, {"purchase_revenue": 7.5}, {"value": 19.5}),
        ({"value": "19,90", "currency": "EUR"}, None, {"value": "19,90", "currency": "EUR"}),
        ({"value": "NaN", "currency": "EUR"}, None, {"value": "NaN", "currency": "EUR"}),
        ({"value": "19.90", "currency": "EUR"}, None, {"revenue": 19.9, "currency": "EUR"}),
        (
            {"value": 0, "currency": "EUR", "transaction_id": "T1"},
            {"purchase_revenue": 7.5},
            {"revenue": 0.0, "currency": "EUR", "transaction_id": "T1"},
        ),
    ],
)
def test_a_purchase_has_revenue_where_it_has_an_amount_and_a_currency(written, params, ecommerce, expected):
    [row] = read(opened(written(event("purchase", params=params, ecommerce=ecommerce))))

    assert (row.type, row.event_name, row.properties) == (HitType.CUSTOM_EVENT, "purchase", expected)


@pytest.mark.parametrize(
    ("params", "collected", "utm", "click_id"),
    [
        ({"page_location": "https://shop.example/?utm_source=a"}, {"manual_source": "b"}, None, None),
        ({"page_location": "https://shop.example/?utm_id=1"}, {"manual_source": "b"}, Utm("b"), None),
        (
            PAGE,
            {"manual_source": "b", "manual_medium": "email", "manual_campaign_name": "May", "gclid": "x"},
            Utm(source="b", medium="email", campaign="May"),
            "gclid",
        ),
        (PAGE, {"manual_source": "google", "manual_medium": "organic"}, None, None),
        ({**PAGE, "source": "news", "medium": "email", "dclid": "x"}, None, Utm("news", "email"), "dclid"),
        ({**PAGE, "source": "(direct)", "medium": "(none)"}, {}, None, None),
    ],
)
def test_a_campaign_is_that_of_the_address_or_else_the_collected_one(
    written, params, collected, utm, click_id
):
    [row] = read(opened(written(event(params=params, collected_traffic_source=collected))))

    assert (row.utm, row.click_id) == (utm, click_id)


@pytest.mark.parametrize(
    ("geo", "expected"),
    [
        ({"country": "Türkiye", "region": "(not set)", "city": ""}, ("TR", None, None)),
        ({"country": "Hong Kong", "region": "Hong Kong", "city": "(not set)"}, ("HK", None, None)),
        ({"country": "United States", "region": "California", "city": "Oakland"}, ("US", "CA", "Oakland")),
        ({"country": "Atlantis", "region": "California", "city": "Oakland"}, (None, None, "Oakland")),
        ({"country": "France", "region": "Ile-de-France", "city": "Paris"}, ("FR", "IDF", "Paris")),
    ],
)
def test_places_are_found_by_their_names(written, geo, expected):
    [row] = read(opened(written(event(geo=geo))))

    assert (row.country, row.region, row.city) == expected


def test_what_the_export_calls_by_words_for_none_is_unknown(written):
    device = {
        "category": "smart tv",
        "operating_system": "<Other>",
        "operating_system_version": "Web",
        "web_info": {"browser": "(not set)", "hostname": "shop.example"},
    }
    [row] = read(opened(written(event(params={"page_location": "http://[bad"}, device=device))))

    assert (row.hostname, row.pathname) == ("shop.example", None)
    assert (row.browser, row.operating_system, row.operating_system_version) == (None, None, None)
    assert row.device_type is DeviceType.TV


def test_events_without_a_visitor_are_visitors_of_their_own(written):
    path = written(event(user_pseudo_id=None), event(user_pseudo_id=None, at=AT + 1))

    first, second = read(opened(path))

    assert first.visitor != second.visitor


def test_events_of_one_time_are_in_the_order_of_their_request(written):
    path = written(
        event("last", batch_page_id=AT, batch_ordering_id=2, batch_event_index=1),
        event("second", batch_page_id=AT, batch_ordering_id=1, batch_event_index=10),
        event("first", batch_page_id=AT, batch_ordering_id=1, batch_event_index=9),
    )

    assert [row.event_name for row in read(opened(path))] == ["first", "second", "last"]


def test_integers_keep_all_of_their_64_bits(written):
    params = {"least": -(2**63), "most": 2**63 - 1, "odd": 2**53 + 1}
    path, packed = (
        written(event("e", params=params), name=name) for name in ("events.json", "events.parquet")
    )

    assert [row.properties for row in read(opened(path)) + read(opened(packed))] == [params, params]
