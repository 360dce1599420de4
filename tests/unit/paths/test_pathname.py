"""Paths in one spelling."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.paths.pathname import decoded_path, stored_path


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("/checkout", "/checkout"),
        ("checkout", "/checkout"),
        ("%2Fcheckout", "/%2Fcheckout"),
        ("/Caf%C3%A9", "/Café"),
        ("/Caf%c3%a9", "/Café"),
        ("/Café", "/Café"),
        ("/my%20page", "/my page"),
        ("/%F0%9F%98%80", "/\N{GRINNING FACE}"),
        ("/%41%2e%7E", "/A.~"),
        ("", None),
        (None, None),
    ],
)
def test_a_path_is_stored_with_a_slash_and_without_needless_escapes(sent, stored):
    assert stored_path(sent) == stored


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("/a%2Fb%2fc", "/a%2Fb%2Fc"),
        ("/%2541", "/%2541"),
        ("/%2a%3f%23", "/%2A%3F%23"),
        ("/%00%0a%7f%C2%80", "/%00%0A%7F%C2%80"),
        ("/%ff%C3", "/%FF%C3"),
        ("/%C3%28", "/%C3("),
        ("/%ED%A0%80", "/%ED%A0%80"),
        ("/%C0%AF", "/%C0%AF"),
        ("/%e2%82%zz", "/%E2%82%zz"),
        ("/100%", "/100%"),
        ("/%C3%A9%C3%C3%A9", "/é%C3é"),
    ],
)
def test_delimiters_control_characters_and_what_is_no_utf8_stay_escaped(sent, stored):
    assert stored_path(sent) == stored


READABLE = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="%*?#"))


@given(READABLE)
def test_a_readable_path_has_one_spelling_escaped_or_not(path):
    assert decoded_path(quote(path, safe="/")) == path == decoded_path(path)


@given(st.text(st.sampled_from("/aé%234AFCfc*?")))
def test_decoding_makes_no_path_longer_and_no_delimiter_out_of_an_escape(text):
    decoded = decoded_path(text)

    assert len(decoded) <= len(text)
    assert [decoded.count(one) for one in "/*?"] == [text.count(one) for one in "/*?"]


@given(st.binary(max_size=40))
def test_any_octets_make_a_path_that_can_be_stored_and_is_decoded_once(octets):
    path = decoded_path("".join(f"%{octet:02x}" for octet in octets))

    path.encode("utf-8")
    assert decoded_path(path) == path
    assert all(ord(character) >= 32 for character in path)
