"""Filters in addresses of the dashboard."""

import pytest

from footfall.adapters.web.reports.filters.filter_texts import (
    as_written,
    fields_of,
    filter_parts,
    filter_text,
    with_key,
)
from footfall.domain.traffic.filters import Filter, FilterType


@pytest.mark.parametrize(
    ("parameter", "text"),
    [
        ("country", "country,equals,a,b"),
        ("property:plan", "property:plan,equals,a,b"),
        ("property:a,b", "property:a%2Cb,equals,a,b"),
        ("property:100%", "property:100%25,equals,a,b"),
        ("query:%2C", "query:%252C,equals,a,b"),
        ("property:a:b", "property:a:b,equals,a,b"),
    ],
)
def test_a_filter_in_an_address_is_read_as_it_was_written(parameter, text):
    assert filter_text(parameter, "equals", "a,b") == text
    assert filter_parts(text) == [parameter, "equals", "a,b"]
    assert as_written(text) == text


def test_a_key_that_is_escaped_in_another_way_is_the_same():
    assert as_written("property:pl%61n,equals,%61") == "property:plan,equals,%61"
    assert as_written("country,x") == "country,x"


def test_a_form_names_a_key_beside_its_family():
    assert with_key("property", "plan") == "property:plan"
    assert with_key("query", "") == "query:"
    assert with_key("country", "plan") == "country"


def test_a_filter_goes_back_into_the_fields_of_its_form():
    assert fields_of(Filter("property:a:b", FilterType.EQUALS, ("x",))) == {
        "add_parameter": "property",
        "add_key": "a:b",
        "add_type": "equals",
        "add_value": "x",
    }
    assert fields_of(Filter("country", FilterType.NOT_EQUALS, ("DE",)))["add_key"] == ""
