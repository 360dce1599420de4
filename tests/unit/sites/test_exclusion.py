"""Excluded addresses and countries."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.sites.excluded_addresses import (
    canonical_address,
    compile_excluded_ips,
    parse_address,
    parse_excluded_countries,
    parse_excluded_ips,
)


@pytest.mark.parametrize(
    ("entry", "canonical"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.7/24 ", "192.0.2.0/24"),
        ("192.0.2.1 - 192.0.2.9", "192.0.2.1-192.0.2.9"),
        ("192.0.2.1-192.0.2.1", "192.0.2.1-192.0.2.1"),
        ("2001:DB8::0001", "2001:db8::1"),
        ("2001:db8::/32", "2001:db8::/32"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
        ("::ffff:0:0/96", "0.0.0.0/0"),
        ("::ffff:0:0/95", "::fffe:0:0/95"),
        ("::/0", "::/0"),
        ("::ffff:192.0.2.1-::ffff:c000:209", "192.0.2.1-192.0.2.9"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_an_entry_is_kept_in_its_canonical_form(entry, canonical):
    assert parse_excluded_ips([entry]) == (canonical,)


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "x",
        "192.0.2",
        "192.0.2.1/33",
        "192.0.2.9-192.0.2.1",
        "2001:db8::1-2001:db8::2",
        "192.0.2.1-2001:db8::1",
        "2001:db8::1-192.0.2.1",
        "1.2.3.4-",
    ],
)
def test_what_cannot_be_read_is_named(entry):
    with pytest.raises(Invalid) as caught:
        parse_excluded_ips(["192.0.2.1", entry])

    assert caught.value.field_errors == {
        "excludedIPs": [f"{entry!r} is not an IP address, a CIDR network or an IPv4 range a-b"]
    }


def test_there_are_at_most_100_addresses_and_250_countries():
    with pytest.raises(Invalid, match="100"):
        parse_excluded_ips([f"10.0.0.{number}" for number in range(101)])
    with pytest.raises(Invalid, match="250"):
        parse_excluded_countries(["DE"] * 251)


def test_countries_are_upper_case_codes_once_each():
    assert parse_excluded_countries(["de", "FR", "DE"]) == ("DE", "FR")
    with pytest.raises(Invalid, match="Germany"):
        parse_excluded_countries(["Germany"])


@pytest.mark.parametrize("code", ["UK", "XX", "QQ", "EU", "D", ""])
def test_a_code_that_no_country_has_is_named(code):
    with pytest.raises(Invalid) as refused:
        parse_excluded_countries(["GB", code, "xk"])

    assert refused.value.field_errors == {
        "excludedCountries": [f"{code!r} is not an ISO 3166 alpha-2 country code"]
    }


@pytest.mark.parametrize(
    ("address", "excluded"),
    [
        ("192.0.2.200", True),
        ("::ffff:192.0.2.200", True),
        ("198.51.100.5", True),
        ("198.51.100.6", False),
        ("203.0.113.9", True),
        ("2001:db8::5", True),
        ("2001:db9::5", False),
        ("fe80::1", True),
        ("fe80::1%eth0", True),
        ("fe80::2%eth0", False),
    ],
)
def test_addresses_are_found_in_networks_ranges_and_alone(address, excluded):
    entries = parse_excluded_ips(
        ["192.0.2.0/24", "198.51.100.1-198.51.100.5", "203.0.113.9", "2001:db8::/32", "fe80::1"]
    )

    assert (parse_address(address) in compile_excluded_ips(entries)) is excluded


@given(st.ip_addresses(v=4), st.ip_addresses(v=4), st.ip_addresses(v=4))
def test_a_range_holds_what_lies_between(one, other, asked):
    first, last = sorted([one, other])

    compiled = compile_excluded_ips(parse_excluded_ips([f"{first}-{last}"]))

    assert (asked in compiled) == (first <= asked <= last)


@given(st.lists(st.ip_addresses().map(str), max_size=100))
def test_canonical_entries_stay_as_they_are(entries):
    canonical = parse_excluded_ips(entries)

    assert parse_excluded_ips(canonical) == canonical
    assert all(ipaddress.ip_address(entry) in compile_excluded_ips(canonical) for entry in canonical)


@pytest.mark.parametrize(
    "text", ["::ffff:198.51.100.7", "0:0:0:0:0:ffff:c633:6407", "::ffff:198.51.100.7%" + "z" * 1_000]
)
def test_spellings_of_one_address_have_one_canonical_text(text):
    assert [canonical_address(text), canonical_address(text)] == ["198.51.100.7"] * 2


@pytest.mark.parametrize("text", ["", "198.51.100", "example.com"])
def test_a_text_that_is_no_address_has_no_canonical_text(text):
    for _ in range(2):
        with pytest.raises(ValueError, match="does not appear to be"):
            canonical_address(text)
