"""The parameters of query strings."""

import pytest

from footfall.domain.tracking.acquisition.query_parameters import query_parameter


@pytest.mark.parametrize(
    ("querystring", "value"),
    [
        ("ref=blog", "blog"),
        ("?ref=blog", "blog"),
        ("a=1&ref=first&ref=second", "first"),
        ("%72ef=blog", "blog"),
        ("ref=a+b%20c%2Bd", "a b c+d"),
        ("ref=a=b", "a=b"),
        ("ref=", ""),
        ("ref", ""),
        ("ref=caf%C3%A9", "café"),
        ("ref=100%", "100%"),
        ("ref=%zz%4", "%zz%4"),
        # No text, or none that can be stored.
        ("ref=%ff+x", "%ff+x"),
        ("ref=a%00b", "a%00b"),
        ("ref=%ED%A0%80", "%ED%A0%80"),
        ("%ff=1&ref=2", "2"),
        ("Ref=x", None),
        ("xref=x", None),
        ("a=ref", None),
        ("", None),
        (None, None),
    ],
)
def test_the_first_value_of_a_parameter_is_decoded(querystring, value):
    assert query_parameter(querystring, "ref") == value


def test_what_stands_between_two_signs_names_no_parameter():
    assert query_parameter("&&=x&a=1", "") is None


def test_names_of_parameters_are_decoded():
    assert query_parameter("filter%5Bsize%5D=xl", "filter[size]") == "xl"
    assert query_parameter("a+b=1", "a b") == "1"
