"""`footfall bench` where no service runs."""

from tests.ports import free_port


def test_address_without_a_service_is_named_and_no_site_stays(footfall, answered):
    answered("init", "--organization", "Acme", "--site", "Shop", "--domain", "shop.example")

    refused = footfall("bench", "--port", free_port())

    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "no service answers at 127.0.0.1" in refused.stderr
    assert [site["domain"] for site in answered("site", "list")] == ["shop.example"]
