"""The configuration."""

import re
from pathlib import Path

import pytest
from attrs import fields
from click.testing import CliRunner
from psycopg.conninfo import conninfo_to_dict

from footfall.domain.tracking.rate_limit import RateLimit
from footfall.entrypoints.cli import cli
from footfall.entrypoints.composition.secret import SecretUnreadable, server_secret
from footfall.entrypoints.settings import SETTINGS, InvalidSettings, Settings, read_settings


def test_everything_has_a_default():
    settings = read_settings({})

    assert (settings.host, settings.port, settings.database_url) == ("127.0.0.1", 8000, None)
    assert 1 <= settings.workers <= 4
    assert settings.rate_limit == RateLimit(500, 600)


def test_the_table_has_each_field_of_the_settings_once():
    assert [field.name for field in fields(Settings)] == list(SETTINGS)


def test_the_documented_table_is_the_table_of_the_code(request):
    page = (request.config.rootpath / "docs" / "operate" / "configuration.md").read_text()
    rows = [
        tuple(_plain(cell) for cell in line.strip("|").split("|"))
        for line in page.splitlines()
        if line.startswith("| `FOOTFALL_")
    ]

    assert rows == [(one.variable, one.help, one.described_default) for one in SETTINGS.values()]


def test_the_help_of_serve_names_each_setting_with_its_default():
    shown = " ".join(CliRunner().invoke(cli, ["serve", "--help"], terminal_width=500).output.split())

    assert [one.variable for one in SETTINGS.values() if one.variable not in shown] == []
    assert [one.variable for one in SETTINGS.values() if one.described not in shown] == []


def _plain(cell):
    """The text of a cell without code marks, links in parentheses, and the addresses of other links."""
    without_asides = re.sub(r" \(\[[^]]*\]\([^)]*\)\)", "", cell)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", without_asides).replace("`", "").strip()


def test_every_setting_can_be_given():
    settings = read_settings(
        {
            "FOOTFALL_DATABASE_URL": "postgresql://u:hidden@db/footfall",
            "FOOTFALL_DATA_DIR": "/var/lib/footfall",
            "FOOTFALL_SECRET": "0123456789abcdef-hidden",
            "FOOTFALL_HOST": "0.0.0.0",
            "FOOTFALL_PORT": "80",
            "FOOTFALL_PUBLIC_URL": "https://Stats.example.com:443/",
            "FOOTFALL_FIRST_ORGANIZATION": " Acme ",
            "FOOTFALL_FIRST_SITE": "https://www.Example.com/",
            "FOOTFALL_FIRST_API_KEY": f"ff_{'hidden' * 8}",
            "FOOTFALL_WORKERS": "3",
            "FOOTFALL_GEOIP_DATABASE": "/geo.mmdb",
            "FOOTFALL_LANGUAGES": "/languages",
            "FOOTFALL_TRUSTED_PROXIES": "10.0.0.0/8, 192.0.2.1",
            "FOOTFALL_ALERT_NETWORKS": "10.20.0.0/16,fd00:20::/64",
            "FOOTFALL_RATE_LIMIT": "off",
            "FOOTFALL_SCRIPT_PATH": "/hello.js",
            "FOOTFALL_UMAMI_SCRIPT_PATH": "/stats.js",
            "FOOTFALL_TRACK_PATH": "/out/parcel",
            "FOOTFALL_SMTP_URL": "smtps://u:hidden@mail.example.com",
            "FOOTFALL_MAIL_FROM": "Stats <stats@example.com>",
            "FOOTFALL_OIDC_ISSUER": "https://login.example.com/realm",
            "FOOTFALL_OIDC_CLIENT_ID": "footfall",
            "FOOTFALL_OIDC_CLIENT_SECRET": "hidden as well",
            "FOOTFALL_OIDC_DOMAINS": "Example.com, sub.example.org",
            "FOOTFALL_OIDC_ORGANIZATION": "1",
            "FOOTFALL_OIDC_ROLE": "viewer",
            "FOOTFALL_LOG_FORMAT": "json",
            "FOOTFALL_LOG_LEVEL": "debug",
        }
    )

    assert settings.renamed == {
        "/hello.js": "/footfall.js",
        "/stats.js": "/umami.js",
        "/out/parcel": "/api/track",
    }
    assert settings.data_dir == Path("/var/lib/footfall")
    assert (settings.port, settings.workers, settings.rate_limit) == (80, 3, None)
    assert settings.public_origin == "https://stats.example.com"
    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.0/8", "192.0.2.1/32"]
    assert [str(network) for network in settings.alert_networks] == ["10.20.0.0/16", "fd00:20::/64"]
    assert (settings.first_organization, settings.first_site) == ("Acme", "example.com")
    assert settings.oidc_domains == ("example.com", "sub.example.org")
    assert "hidden" not in repr(settings)


@pytest.mark.parametrize("key", ["ff_short", "hidden" * 8, f"ff_{'hidden' * 8}-", f"ff_{'hidden' * 30}"])
def test_a_first_key_of_another_form_is_refused_without_being_quoted(key):
    with pytest.raises(InvalidSettings, match="FOOTFALL_FIRST_API_KEY must be ff_ and 32") as refused:
        read_settings({"FOOTFALL_FIRST_API_KEY": key})

    assert key not in str(refused.value)


def test_each_secret_can_be_in_a_file(tmp_path):
    file = tmp_path / "secret"
    file.write_text("postgresql://u:hidden@db/footfall\n")

    named = {f"{one.variable}_FILE": str(file) for one in SETTINGS.values() if one.secret}
    settings = read_settings({"FOOTFALL_DATABASE_URL_FILE": str(file), "FOOTFALL_SECRET_FILE": str(file)})

    assert named.keys() == {
        f"FOOTFALL_{name}_FILE"
        for name in ("DATABASE_URL", "SECRET", "SALT_KEY", "FIRST_API_KEY", "SMTP_URL", "OIDC_CLIENT_SECRET")
    }
    assert settings.database_url == settings.secret == "postgresql://u:hidden@db/footfall"


@pytest.mark.parametrize(
    ("given", "content", "fault"),
    [
        ({}, None, "FOOTFALL_SECRET cannot be read from"),
        ({}, b" \n", "FOOTFALL_SECRET cannot be read from .*, or is empty there"),
        ({}, b"\xff" * 20, "FOOTFALL_SECRET cannot be read from"),
        ({"FOOTFALL_SECRET": "x" * 20}, b"y" * 20, "FOOTFALL_SECRET must not be set beside"),
        ({}, b"short", "FOOTFALL_SECRET must have at least 16"),
    ],
)
def test_a_file_that_gives_no_secret_is_refused(tmp_path, given, content, fault):
    if content is not None:
        (tmp_path / "secret").write_bytes(content)

    with pytest.raises(InvalidSettings, match=fault):
        read_settings({"FOOTFALL_SECRET_FILE": str(tmp_path / "secret"), **given})


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"FOOTFALL_OIDC_ISSUER": "http://login.example.com"}, "FOOTFALL_OIDC_ISSUER must be"),
        ({"FOOTFALL_OIDC_ISSUER": "login.example.com"}, "FOOTFALL_OIDC_ISSUER must be"),
        ({"FOOTFALL_OIDC_ISSUER": "https://login.example.com"}, "FOOTFALL_OIDC_CLIENT_ID must be set"),
        ({"FOOTFALL_OIDC_DOMAINS": "example.com"}, "FOOTFALL_OIDC_ORGANIZATION must be set"),
        ({"FOOTFALL_OIDC_ORGANIZATION": "1"}, "FOOTFALL_OIDC_ORGANIZATION must be set"),
        ({"FOOTFALL_OIDC_DOMAINS": "@example.com"}, "FOOTFALL_OIDC_DOMAINS must be"),
        ({"FOOTFALL_OIDC_ROLE": "owner"}, "FOOTFALL_OIDC_ROLE must be member or viewer"),
    ],
)
def test_single_sign_on_is_configured_wholly_or_not_at_all(given, fault):
    with pytest.raises(InvalidSettings, match=fault):
        read_settings(given)


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1", "http://localhost:8000"),
        ("0.0.0.0", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("192.0.2.1", "http://192.0.2.1:8000"),
        ("2001:db8::1", "http://[2001:db8::1]:8000"),
    ],
)
def test_links_lead_to_localhost_or_to_the_address_when_no_public_url_is_configured(host, origin):
    assert read_settings({"FOOTFALL_HOST": host}).public_origin == origin


@pytest.mark.parametrize("url", ["http://localhost:8000", "https://[2001:db8::1]:8443", "http://192.0.2.1"])
def test_an_origin_is_a_public_url(url):
    assert read_settings({"FOOTFALL_PUBLIC_URL": url}).public_origin == url


@pytest.mark.parametrize(
    "url",
    [
        "stats.example.com",
        "ftp://stats.example.com",
        "https://",
        "https://stats.example.com/footfall",
        "https://ann@stats.example.com",
        "https://stats.example.com:port",
        "https://stats.example.com:65536",
        "https://[2001:db8]",
        "https://stats.example.com?x",
        "https://stats example.com",
    ],
)
def test_a_public_url_that_is_no_origin_is_refused(url):
    with pytest.raises(InvalidSettings, match="FOOTFALL_PUBLIC_URL must"):
        read_settings({"FOOTFALL_PUBLIC_URL": url})


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

    assert len(caught.value.field_errors) == 8
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


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("postgresql://u@a,b/x", "read-write"),
        ("postgresql://u@a:1,b:2/x?target_session_attrs=primary", "primary"),
        ("host=a,b port=5433 dbname=x", "read-write"),
        ("hostaddr=10.0.0.1,10.0.0.2 dbname=x", "read-write"),
        ("postgresql://u@a/x", None),
        ("postgresql://u@a/x?target_session_attrs=any", "any"),
    ],
)
def test_of_several_hosts_the_one_is_asked_for_that_takes_writes(url, wanted):
    given = read_settings({"FOOTFALL_DATABASE_URL": url}).database_url

    assert conninfo_to_dict(given).get("target_session_attrs") == wanted


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("postgresql://u:hidden@a,b/x?target_session_attrs=any", "target_session_attrs=read-write"),
        (
            "postgresql://u:hidden@a,b/x?target_session_attrs=prefer-standby",
            "target_session_attrs=read-write",
        ),
        ("postgresql://u:hidden@a/x?target_session_attrs=standby", "target_session_attrs=read-write"),
        ("postgresql://u:hidden@a:1,b:2,c:3/x?port=1,2", "names 3 host"),
    ],
)
def test_hosts_that_cannot_be_used_are_a_fault_that_says_what_to_write(url, fault):
    with pytest.raises(InvalidSettings, match=fault) as refusal:
        read_settings({"FOOTFALL_DATABASE_URL": url})

    assert "hidden" not in str(refusal.value)


def test_nothing_is_renamed_by_default():
    assert read_settings({}).renamed == {}
    assert read_settings({"FOOTFALL_SCRIPT_PATH": "/script.js"}).renamed == {"/script.js": "/footfall.js"}


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("SCRIPT_PATH", "hello.js", "must be a path such as"),
        ("SCRIPT_PATH", "/hello", "ends in .js"),
        ("SCRIPT_PATH", "/a/../hello.js", "must be a path such as"),
        ("SCRIPT_PATH", "//hello.js", "must be a path such as"),
        ("SCRIPT_PATH", "/hello.js?x=.js", "must be a path such as"),
        ("SCRIPT_PATH", "/sites/hello.js", "/sites, which the service answers itself"),
        ("SCRIPT_PATH", "/a/b/c/d/e.js", "1 to 4 segments"),
        ("TRACK_PATH", "/", "must be a path such as"),
        ("TRACK_PATH", "/parcel/", "must be a path such as"),
        ("TRACK_PATH", "/p{site}", "must be a path such as"),
        ("TRACK_PATH", "/p\u00e4ckchen", "must be a path such as"),
        ("TRACK_PATH", "/api/parcel", "/api, which the service answers itself"),
    ],
)
def test_a_path_that_cannot_be_a_name_is_refused(name, value, fault):
    with pytest.raises(InvalidSettings, match=re.escape(fault)):
        read_settings({f"FOOTFALL_{name}": value})


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (
            {"SCRIPT_PATH": "/umami.js"},
            "SCRIPT_PATH must be neither FOOTFALL_UMAMI_SCRIPT_PATH nor /umami.js",
        ),
        ({"SCRIPT_PATH": "/umami.js", "UMAMI_SCRIPT_PATH": "/b.js"}, "nor /umami.js"),
        ({"UMAMI_SCRIPT_PATH": "/footfall.js", "SCRIPT_PATH": "/b.js"}, "nor /footfall.js"),
        ({"SCRIPT_PATH": "/a.js", "UMAMI_SCRIPT_PATH": "/a.js"}, "must be neither FOOTFALL_SCRIPT_PATH"),
    ],
)
def test_the_two_scripts_have_paths_of_their_own(given, fault):
    with pytest.raises(InvalidSettings, match=fault):
        read_settings({f"FOOTFALL_{name}": value for name, value in given.items()})


@pytest.mark.parametrize("name", ["SCRIPT_PATH", "UMAMI_SCRIPT_PATH"])
@pytest.mark.parametrize("script", ["/a.js", "/a.js/b.js"])
def test_the_script_is_not_at_or_below_the_endpoint(name, script):
    with pytest.raises(InvalidSettings, match=f"{name} must be neither FOOTFALL_TRACK_PATH nor below it"):
        read_settings({f"FOOTFALL_{name}": script, "FOOTFALL_TRACK_PATH": "/a.js"})
