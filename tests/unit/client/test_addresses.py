"""Whose word counts about an address."""

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.client.event.addresses import behind_hops, behind_networks, parse_address

PRIVATE = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]
CLAIMED = st.lists(st.ip_addresses().map(str) | st.sampled_from(["", "unknown", "_hidden", "10.1.1.1"])).map(
    ", ".join
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1 ", "192.0.2.1"),
        ("192.0.2.1:5678", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ('"[2001:db8::1]:443"', "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "None"),
        ("unknown", "None"),
        ("192.0.2.999", "None"),
        ("/run/app.sock", "None"),
    ],
)
def test_an_address_is_read_with_and_without_a_port(text, address):
    assert str(parse_address(text)) == address


@pytest.mark.parametrize(
    ("hops", "forwarded", "address"),
    [
        (0, "203.0.113.7", "10.0.0.1"),
        (1, "203.0.113.7", "203.0.113.7"),
        (1, "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (2, "198.51.100.1, 203.0.113.7", "198.51.100.1"),
        (2, "192.0.2.66, 198.51.100.1, 203.0.113.7", "198.51.100.1"),
        (2, "203.0.113.7", "10.0.0.1"),
        (1, "", "10.0.0.1"),
        (1, "unknown", "None"),
    ],
)
def test_as_many_entries_are_believed_as_there_are_trusted_hops(hops, forwarded, address):
    assert str(behind_hops("10.0.0.1", forwarded, hops)) == address


def test_a_forged_list_of_trusted_proxies_is_not_read_to_its_end():
    forged = ", ".join(["203.0.113.7", *["fd00::1"] * 32])

    assert str(behind_networks("10.0.0.1", forged, PRIVATE)) == "fd00::1"


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.7", "192.0.2.66", "203.0.113.7"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "192.0.2.66, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "192.0.2.66, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        ("fd00::1", "2001:db8::7", "2001:db8::7"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "203.0.113.7, nonsense", "None"),
        ("", "203.0.113.7", "None"),
    ],
)
def test_proxies_in_trusted_networks_are_believed_and_nobody_beyond_them(peer, forwarded, address):
    assert str(behind_networks(peer, forwarded, PRIVATE)) == address


@given(CLAIMED)
def test_what_a_visitor_claims_changes_nothing_behind_one_trusted_proxy(claimed):
    forwarded = f"{claimed}, 203.0.113.7"

    assert str(behind_hops("10.0.0.1", forwarded, 1)) == "203.0.113.7"
    assert str(behind_networks("10.0.0.1", forwarded, PRIVATE)) == "203.0.113.7"


@given(CLAIMED)
def test_what_a_visitor_claims_changes_nothing_without_a_proxy(claimed):
    assert str(behind_hops("203.0.113.7", claimed, 0)) == "203.0.113.7"
    assert str(behind_networks("203.0.113.7", claimed, PRIVATE)) == "203.0.113.7"
