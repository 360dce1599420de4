"""The configuration."""

from pathlib import Path

import pytest

from footfall.domain.rate_limit import RateLimit
from footfall.entrypoints.secret import SecretUnreadable, server_secret
from footfall.entrypoints.settings import InvalidSettings, read_settings


def test_everything_has_a_default():
    settings = read_settings({})

    assert (settings.host, settings.port, settings.database_url) == ("127.0.0.1", 8000, None)
    assert 1 <= settings.workers <= 4
    assert settings.rate_limit == RateLimit(500, 600)


def test_every_setting_can_be_given():
    settings = read_settings(
        {
            "FOOTFALL_DATABASE_URL": "postgresql://u:hidden@db/footfall",
            "FOOTFALL_DATA_DIR": "/var/lib/footfall",
            "FOOTFALL_SECRET": "0123456789abcdef-hidden",
            "FOOTFALL_HOST": "0.0.0.0",
            "FOOTFALL_PORT": "80",
            "FOOTFALL_WORKERS": "3",
            "FOOTFALL_GEOIP_DATABASE": "/geo.mmdb",
            "FOOTFALL_TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.1",
            "FOOTFALL_RATE_LIMIT": "off",
            "FOOTFALL_LOG_FORMAT": "json",
            "FOOTFALL_LOG_LEVEL": "debug",
        }
    )

    assert settings.data_dir == Path("/var/lib/footfall")
    assert (settings.port, settings.workers, settings.rate_limit) == (80, 3, None)
    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.0/8", "192.0.2.1/32"]
    assert "hidden" not in repr(settings)


def test_every_fault_is_reported_at_once_and_no_secret_with_it():
    with pytest.raises(InvalidSettings) as caught:
        read_settings(
            {
                "FOOTFALL_DATABASE_URL": "mysql://hidden",
                "FOOTFALL_SECRET": "hidden",
                "FOOTFALL_PORT": "http",
                "FOOTFALL_WORKERS": "0",
                "FOOTFALL_TRUSTED_PROXIES": "everybody",
                "FOOTFALL_RATE_LIMIT": "many",
                "FOOTFALL_LOG_FORMAT": "xml",
                "FOOTFALL_LOG_LEVEL": "loud",
            }
        )

    assert len(caught.value.faults) == 8
    assert "hidden" not in str(caught.value)


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path):
    settings = read_settings({"FOOTFALL_DATA_DIR": str(tmp_path / "data")})

    first, second = server_secret(settings), server_secret(settings)

    assert first == second
    assert len(first) == 32
    assert (tmp_path / "data" / "secret").stat().st_mode & 0o777 == 0o600


def test_a_broken_secret_is_not_replaced(tmp_path):
    (tmp_path / "secret").write_text("half")

    with pytest.raises(SecretUnreadable):
        server_secret(read_settings({"FOOTFALL_DATA_DIR": str(tmp_path)}))


@pytest.mark.parametrize(
    "url", ["mysql://u:hidden@db/x", "postgresql://u:hidden@[db", "postgresql://u:hidden@db/x?unheard=of"]
)
def test_a_url_that_cannot_be_read_is_a_fault_that_does_not_show_it(url):
    with pytest.raises(InvalidSettings, match="FOOTFALL_DATABASE_URL must be a PostgreSQL URL") as refusal:
        read_settings({"FOOTFALL_DATABASE_URL": url})

    assert "hidden" not in str(refusal.value)
    assert refusal.value.__cause__ is None
