"""Networks: which are those of servers, what is kept of the others, and the files that tell."""

import pytest

from footfall.adapters.geoip.database import MaxMindNetworks
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.domain.tracking.hit import NetworkKind
from footfall.domain.tracking.networks.hosting_networks import HOSTING
from footfall.domain.tracking.networks.network import UNKNOWN_NETWORK, KeptNetwork, kept_network
from tests.servers.location_files import IPV4, IPV6, MAXMIND_CITY, build

HETZNER = KeptNetwork(kind=NetworkKind.HOSTING, autonomous_system="AS24940")
# Networks that bring homes, telephones and offices to the Internet: of each continent some of the largest.
OF_PEOPLE = (
    *(7018, 7922, 20115, 22773, 701, 21928, 812, 577, 8151, 28573, 26599, 7303, 6147),
    *(3320, 3209, 3215, 12322, 5089, 2856, 3269, 12479, 3352, 1136, 6830, 8708, 12389, 25513),
    *(4134, 4837, 9808, 4766, 4713, 17676, 2516, 55836, 24560, 9829, 45899, 7713, 9299, 4788),
    *(1221, 4764, 9790, 36992, 37457, 29465, 36903, 37282, 8452),
)


@pytest.mark.parametrize(
    "number", [16509, 14618, 15169, 8075, 24940, 16276, 14061, 20473, 63949, 12876, 51167]
)
def test_the_large_clouds_are_hosting_networks(number):
    assert kept_network(number) == KeptNetwork(kind=NetworkKind.HOSTING, autonomous_system=f"AS{number}")


@pytest.mark.parametrize("number", [*OF_PEOPLE, 0, 4294967295, None])
def test_nothing_is_kept_of_another_network(number):
    assert kept_network(number) == UNKNOWN_NETWORK == KeptNetwork()


def test_the_table_has_numbers_of_autonomous_systems():
    assert len(HOSTING) > 800
    assert all(0 < number < 1 << 32 for number in HOSTING)


@pytest.mark.parametrize(
    "record",
    [
        {"autonomous_system_number": 24940, "autonomous_system_organization": "Hetzner Online GmbH"},
        {"asn": "AS24940", "name": "Hetzner Online GmbH"},
        {"as_number": "24940"},
    ],
)
@pytest.mark.parametrize("address", [IPV4, IPV6, f"::ffff:{IPV4}"])
def test_databases_of_several_makers_are_read(tmp_path, record, address):
    networks = MaxMindNetworks(build(tmp_path / "networks.mmdb", record, "DBIP-ASN-Lite"))

    assert networks.network(address) == HETZNER
    assert networks.source().credit == "IP Geolocation by DB-IP"


@pytest.mark.parametrize(
    "record",
    [
        MAXMIND_CITY,
        {"autonomous_system_number": 64496},
        {"asn": "twenty"},
        {"asn": ["AS24940"]},
        {"asn": ""},
        {"asn": "AS99999999999"},
        "AS24940",
    ],
)
def test_records_without_a_known_number_say_nothing(tmp_path, record):
    networks = MaxMindNetworks(build(tmp_path / "networks.mmdb", record))

    assert networks.network(IPV4) == UNKNOWN_NETWORK


@pytest.mark.parametrize("address", ["192.0.2.1", "no address", "", "\ud800"])
def test_other_addresses_have_no_network(tmp_path, address):
    networks = MaxMindNetworks(build(tmp_path / "networks.mmdb", {"autonomous_system_number": 24940}))

    assert networks.network(address) == UNKNOWN_NETWORK


def test_without_a_file_nothing_is_known_until_there_is_one(tmp_path):
    path = tmp_path / "networks.mmdb"
    networks = MaxMindNetworks(path, check_every=0.0)
    before = networks.network(IPV4), networks.source()

    build(path, {"autonomous_system_number": 24940})

    assert before == (UNKNOWN_NETWORK, None)
    assert networks.network(IPV4) == HETZNER


def test_a_database_of_locations_is_none_of_networks(tmp_path):
    database = NetworkDatabase(build(tmp_path / "networks.mmdb", MAXMIND_CITY))

    with pytest.raises(DatabaseUnreadable, match="it knows no autonomous systems"):
        database.verify()
