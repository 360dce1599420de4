"""Hosts of targets that are written as addresses: which are refused before anything is resolved."""

from ipaddress import ip_network

import pytest

from footfall.domain.alerts.addresses import is_refused

LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0X7F.1",
        "0177.0.0.1",
        "017700000001",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "3232235777",
        "169.254.169.254",
        "0xa9.0xfe.0xa9.0xfe",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "localhost",
        "LocalHost.",
        "hooks.localhost",
        "::",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::ffff:8.8.8.8",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
    ],
)
def test_addresses_outside_of_the_public_internet_are_refused_in_every_form(host):
    assert is_refused(host, ())


@pytest.mark.parametrize(
    "host",
    [
        "1.1.1.1",
        "134744072",
        "2606:4700:4700::1111",
        "hooks.example.com",
        "localhost.example.com",
        "7f.example",
        "-",
        "",
    ],
)
def test_public_addresses_and_names_are_not_refused(host):
    assert not is_refused(host, ())


def test_networks_that_the_operator_allows_are_not_refused():
    hosts = ("127.0.0.1", "2130706433", "localhost", "10.0.0.1", "::1")

    assert [is_refused(host, LOOPBACK) for host in hosts] == [False, False, False, True, True]
