"""Origins whose pages may frame what a site shows."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.sites.sharing.embedding import MAX_ORIGINS, parse_embed_origins


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        (" https://Blog.example/a/page?q#f ", "https://blog.example"),
        ("https://www.blog.example", "https://www.blog.example"),
        ("https://blog.example:443", "https://blog.example"),
        ("http://blog.example:80", "http://blog.example"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("https://*.blog.example:8443", "https://*.blog.example:8443"),
        ("http://192.0.2.1", "http://192.0.2.1"),
        ("https://m\u00fcnchen.de", "https://xn--mnchen-3ya.de"),
        ("*", "*"),
    ],
)
def test_an_origin_is_kept_as_a_policy_names_it(typed, origin):
    assert parse_embed_origins([typed]) == (origin,)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "no host",
        "blog.example",
        "*.blog.example",
        "//blog.example",
        "localhost:3000",
        "ftp://blog.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://blog.example; script-src *",
        "https://a.example,https://b.example",
        "https://user@blog.example",
        "https://[2001:db8::1]",
        "https://blog.example:port",
        "https://blog.example:99999",
        "https://*",
        "https://blog.*",
        "'self'",
        "https://",
    ],
)
def test_what_is_no_origin_is_refused_by_name(typed):
    with pytest.raises(Invalid) as caught:
        parse_embed_origins(["https://blog.example", typed])

    [fault] = caught.value.field_errors["embedOrigins"]
    assert repr(typed) in fault


@given(st.text() | st.from_regex(r"(https?://)?(\*\.)?[\w.-]{1,20}(:[0-9]{1,5})?[/;, ]?.*", fullmatch=True))
def test_whatever_is_typed_nothing_but_an_origin_gets_into_a_policy(typed):
    try:
        origins = parse_embed_origins([typed])
    except Invalid:
        return

    assert re.fullmatch(r"\*|https?://(\*\.)?[a-z0-9_.-]+(:[0-9]{1,5})?", origins[0])
    assert parse_embed_origins(origins) == origins


def test_an_origin_that_is_named_twice_is_kept_once():
    assert parse_embed_origins(["https://Blog.example", "https://blog.example/"]) == ("https://blog.example",)


def test_there_are_not_too_many_origins():
    with pytest.raises(Invalid, match="at most 20"):
        parse_embed_origins(f"{number}.example" for number in range(MAX_ORIGINS + 1))
