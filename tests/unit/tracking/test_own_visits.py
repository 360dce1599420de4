"""The part of an address that asks a browser not to be counted: it is stored nowhere, and its token is kept nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.application.access.own_visits import OwnVisits
from footfall.domain.tracking.own_visits import address_without_mark, query_without_mark


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("footfall=ignore.ab", ""),
        ("?footfall=ignore.ab", ""),
        ("a=1&footfall=ignore.ab", "a=1"),
        ("footfall=count.ab&a=1", "a=1"),
        ("a=%20+b&footfall=count.&&c", "a=%20+b&&c"),
        ("footfall=ignore.a&footfall=count.b", ""),
        ("footfall=ignore%2Eab&a", "a"),
        ("footfall=ignore", "footfall=ignore"),
        ("footfall=other.ab", "footfall=other.ab"),
        ("myfootfall=ignore.ab", "myfootfall=ignore.ab"),
        ("a=footfall=ignore.ab", "a=footfall=ignore.ab"),
        ("", ""),
    ],
)
def test_a_query_string_loses_what_asks_and_nothing_else(query, kept):
    assert query_without_mark(query) == kept


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://a.example/?footfall=ignore.ab", "https://a.example/"),
        ("https://a.example/x?a=1&footfall=count.ab#part", "https://a.example/x?a=1#part"),
        ("https://a.example/?footfall=ignore.ab#part?b", "https://a.example/#part?b"),
        ("https://a.example/footfall=ignore.ab", "https://a.example/footfall=ignore.ab"),
        ("https://a.example/?a=1", "https://a.example/?a=1"),
        ("android-app://footfall=", "android-app://footfall="),
    ],
)
def test_an_address_loses_what_asks_and_nothing_else(address, kept):
    assert address_without_mark(address) == kept


@given(st.text("a=&?#.footfignrecu", max_size=60))
def test_what_is_left_asks_nothing_and_is_left_the_second_time(text):
    once = query_without_mark(text)

    assert query_without_mark(once) == once
    assert "&footfall=ignore." not in f"&{once}"


def test_each_site_has_a_token_of_its_own_that_another_secret_changes():
    one, other = OwnVisits(b"one secret" * 20), OwnVisits(b"another")

    tokens = {one.token(1), one.token(2), other.token(1)}

    assert len(tokens) == 3
    assert all(len(token) == 32 for token in tokens)
    assert (one.is_token(1, one.token(1)), one.is_token(2, one.token(1))) == (True, False)
    assert not any(one.is_token(1, text) for text in ("", "é\ud800", one.token(1).upper() + "0"))
