"""Patterns of paths, hosts and user agents that a site excludes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.regular_expressions import compile_patterns
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.excluded_patterns import (
    MAX_PATTERNS,
    anywhere,
    compared_host,
    compared_user_agent,
    matches_any,
    parse_excluded_hosts,
    parse_excluded_paths,
    parse_excluded_user_agents,
)

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0 Safari/537.36"
COMPARED = {
    parse_excluded_paths: str,
    parse_excluded_hosts: compared_host,
    parse_excluded_user_agents: compared_user_agent,
}
PATTERNS = st.text(alphabet="/ab*%2é\n", min_size=1, max_size=12).filter(lambda text: text.strip())


def as_compiled(parse):
    return anywhere if parse is parse_excluded_user_agents else str


def test_entries_are_kept_as_they_are_compared():
    assert parse_excluded_paths([" admin/* ", "/admin/*", "/a"]) == ("/admin/*", "/a")
    assert parse_excluded_hosts(["Staging.Example.com"]) == ("staging.example.com",)
    assert parse_excluded_user_agents(["*HeadlessChrome*"]) == ("*headlesschrome*",)


@pytest.mark.parametrize(
    ("parse", "pattern", "text"),
    [
        (parse_excluded_paths, "/admin*", "/admin/users/7"),
        (parse_excluded_paths, "/*/edit", "/posts/edit"),
        (parse_excluded_paths, "/**/edit", "/posts/7/edit"),
        (parse_excluded_paths, "/%C3%A9", "/é"),
        (parse_excluded_hosts, "*.example.dev", "a.b.Example.dev"),
        (parse_excluded_hosts, "*.müller.de", "staging.xn--mller-kva.de"),
        (parse_excluded_hosts, "*.müller.de", "Staging.Müller.de:8080"),
        (parse_excluded_hosts, "staging.example.com", "staging.example.com."),
        (parse_excluded_user_agents, "*headlesschrome/*", CHROME),
        (parse_excluded_user_agents, "*(KHTML, like Gecko) Headless*", CHROME),
        (parse_excluded_user_agents, "bot%2Fx", "bot%2fx"),
    ],
)
def test_a_text_that_a_pattern_matches_is_excluded(parse, pattern, text):
    compared = COMPARED[parse](text)

    one, other = (
        tuple(map(as_compiled(parse), parse(entries))) for entries in (["/other", pattern], ["/other"])
    )

    for compiled in (matches_any, compile_patterns):
        assert compiled(one)(compared)
        assert not compiled(other)(compared)


@pytest.mark.parametrize("entry", ["", "x" * 2_049, "a*" * 21 + "b", "a\0", "\ud800"])
def test_an_entry_beyond_the_limits_is_named(entry):
    with pytest.raises(Invalid) as caught:
        parse_excluded_paths(["/a", entry])

    expected = "is not a pattern of 1 to 2,048 characters within the limits of those of goals"
    assert caught.value.field_errors == {"excludedPaths": [f"{entry[:100]!r} {expected}"]}


def test_a_label_outside_of_ascii_has_no_wildcard():
    with pytest.raises(Invalid, match=r"'m\*ü\.de' is not a pattern"):
        parse_excluded_hosts(["m*ü.de"])


def test_a_list_has_a_limit_of_entries_and_of_states():
    assert len(parse_excluded_paths([f"/{number}" for number in range(MAX_PATTERNS)])) == MAX_PATTERNS
    with pytest.raises(Invalid, match="must have at most 50 entries"):
        parse_excluded_paths([f"/{number}" for number in range(MAX_PATTERNS + 1)])
    with pytest.raises(Invalid, match="must need at most 1,000 states together, not 1,240"):
        parse_excluded_hosts([f"*{'a' * 118}{letter}" for letter in "abcdefghij"])


@given(st.lists(PATTERNS, min_size=1, max_size=4), st.text(alphabet="/ab*%2éA\n", max_size=16))
def test_expressions_say_what_the_domain_says(entries, text):
    patterns = tuple(map(anywhere, parse_excluded_user_agents(entries))) + parse_excluded_paths(entries)

    assert compile_patterns(patterns)(text) == matches_any(patterns)(text)


LONG = [
    (parse_excluded_paths, "x" * 2_048),
    (parse_excluded_hosts, ".".join(["ü" * 20] * 12)),
    (parse_excluded_user_agents, "İ" * 500),
]


@pytest.mark.parametrize(("parse", "entry"), LONG)
def test_an_entry_that_is_too_long_as_it_is_kept_is_refused(parse, entry):
    with pytest.raises(Invalid, match="is not a pattern"):
        parse([entry])


@given(
    st.sampled_from([*COMPARED]),
    st.lists(PATTERNS | st.text(min_size=1, max_size=20), min_size=1, max_size=4),
)
def test_entries_that_were_accepted_are_accepted_again(parse, entries):
    try:
        kept = parse(entries)
    except Invalid:
        return

    assert parse(kept) == kept
