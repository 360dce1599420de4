"""What a typed text means among the values that sessions have."""

import pytest

from footfall.adapters.web.reports.filters.value_matching import (
    KnownValue,
    containing,
    known,
    named,
    similar,
    spellings,
)

COUNTRIES = {
    "DE": "Germany",
    "US": "United States",
    "GB": "United Kingdom",
    "CI": "Côte d\u2019Ivoire",
    "NE": "Niger",
}


def of(by, *values):
    return known(values, by, {})


def found(text, by, *values):
    known_values = of(by, *values)
    return [one.value for one in named(text, by, known_values) or containing(text, by, known_values)]


@pytest.mark.parametrize(
    ("by", "text", "value"),
    [
        ("country", "germany", "DE"),
        ("country", "DE", "DE"),
        ("country", "de", "DE"),
        ("country", "USA", "US"),
        ("country", "uk", "GB"),
        ("country", "cote d'ivoire", "CI"),
        ("country", "niger", "NE"),
        ("language", "german", "de"),
        ("browser", "firefox", "Firefox"),
        ("device_type", "phone", "mobile"),
        ("device_type", "Mobile", "mobile"),
        ("device_type", "computer", "desktop"),
        ("operating_system", "MACOS", "Mac OS X"),
        ("operating_system", "mac", "Mac OS X"),
        ("pathname", "pricing", "/pricing"),
        ("pathname", "/Pricing/", "/pricing"),
        ("pathname", "https://example.com/pricing?x=1#top", "/pricing"),
        ("pathname", "caf%C3%A9", "/café"),
        ("event_name", "Order", "order"),
        ("event_name", "add to cart", "add_to_cart"),
        ("referrer_host", "https://Google.com/search", "google.com"),
        ("referrer_host", "direct", ""),
        ("utm_source", "none", ""),
    ],
)
def test_names_codes_labels_case_and_slashes_are_understood(by, text, value):
    values = {
        "country": ["FR", "DE", "US", "GB", "CI", "NE", "NG"],
        "language": ["en-GB", "de", "de-AT"],
        "browser": ["Chrome", "Firefox", "Firefox Mobile"],
        "device_type": ["desktop", "mobile", "tablet"],
        "operating_system": ["Windows", "Mac OS X", "Android"],
        "pathname": ["/", "/pricing/enterprise", "/pricing", "/café", "/blog/pricing"],
        "event_name": ["order_completed", "order", "add_to_cart"],
        "referrer_host": ["", "google.com", "directory.example"],
        "utm_source": ["", "nonesuch"],
    }[by]

    assert found(text, by, *values) == [value]


def test_exact_value_is_meant_before_one_in_another_case():
    assert found("order", "event_name", "Order", "order", "ORDER") == ["order"]


def test_values_that_are_the_text_but_for_case_are_offered_without_those_that_contain_it():
    assert found("oRDER", "event_name", "Order", "order", "reorder") == ["Order", "order"]


def test_values_that_contain_the_text_are_meant_last():
    assert found("pric", "pathname", "/pricing", "/about", "/blog/prices") == ["/pricing", "/blog/prices"]
    assert found("pric", "pathname", "/about", "/pricing") == ["/pricing"]


def test_missing_value_is_not_named_by_a_slash():
    assert found("/", "pathname", "", "/") == ["/"]
    assert found("//", "pathname", "", "/") == ["/"]


def test_text_of_no_value_has_no_meaning():
    assert found("xyz", "country", *COUNTRIES) == []


@pytest.mark.parametrize(
    ("text", "by", "values", "nearest"),
    [
        ("germny", "country", list(COUNTRIES), ["DE"]),
        ("pricng", "pathname", ["/", "/pricing", "/about"], ["/pricing"]),
        ("zzz", "pathname", ["/", "/pricing"], []),
    ],
)
def test_values_that_resemble_the_text_come_nearest_first(text, by, values, nearest):
    assert [one.value for one in similar(text, by, of(by, *values))] == nearest


def test_at_most_five_values_resemble_a_text():
    assert len(similar("page1", "pathname", of("pathname", *(f"/page{number}" for number in range(20))))) == 5


def test_labels_that_are_given_are_names():
    [bavaria] = named("bavaria", "region", known(["BY", "BE"], "region", {"BY": "Bavaria", "BE": "Berlin"}))

    assert bavaria == KnownValue("BY", "Bavaria")


def test_containing_values_keep_their_order():
    assert [one.value for one in containing("O", "browser", of("browser", "Fox", "Opera", "Edge"))] == [
        "Fox",
        "Opera",
    ]


def test_spellings_include_the_missing_value_by_its_name_only():
    assert "" in spellings("Direct", "referrer_host")
    assert "" not in spellings("Direct", "utm_source")
    assert {"/pricing", "/pricing/", "/Pricing"} <= set(spellings("Pricing", "pathname"))
