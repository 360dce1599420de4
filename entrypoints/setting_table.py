"""The table of settings: of each its environment variable, parser, default and meaning."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.domain.accounts import organization
from footfall.domain.accounts.api_key import parse_key
from footfall.domain.accounts.person import parse_address, parse_name
from footfall.domain.mail.mail_from import parse_mail_from
from footfall.domain.mail.server import parse_smtp_url
from footfall.domain.sites.host import parse_domain
from footfall.entrypoints.setting_parsers import (
    LEAST_REPORT_MEMORY,
    MOST_REPORT_MEMORY,
    MOST_WORKERS,
    SCRIPT_PATH,
    TRACK_PATH,
    UMAMI_SCRIPT_PATH,
    by_rule,
    cells,
    choice,
    database_url,
    default_data_dir,
    default_report_memory,
    default_workers,
    domain_list,
    folder,
    full_name,
    issuer,
    networks,
    no_cells,
    number,
    origin,
    public_path,
    rate_limit,
    role,
    script_path,
    secret,
)

LOG_FORMATS = ("json", "text")
LOG_LEVELS = ("debug", "info", "warning", "error")


def _none() -> None:
    return None


@frozen
class ServiceSetting:
    """One setting: its field, its environment variable, parser, default and meaning.

    `default` is a text that is parsed like a given one. A setting without such a text has the value that `absent`
    computes, and `default_help` says what that is. The value of a secret one may be in a file instead of the
    environment.
    """

    name: str
    parse: Callable[[str], Any]
    help: str
    default: str = ""
    absent: Callable[[], Any] = _none
    default_help: str = ""
    secret: bool = False

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"FOOTFALL_{self.name.upper()}"

    @property
    def described_default(self) -> str:
        """The default for people."""
        return self.default or self.default_help

    @property
    def described(self) -> str:
        """The meaning with the default, for the help of the command line."""
        return f"{self.help}; default: {self.described_default}."

    def read(self, environment: Mapping[str, str]) -> Any:
        """Return the value that an environment gives.

        Raises:
            ValueError: the variable cannot be parsed, or its file cannot be read; the text names the rule.

        """
        text = environment.get(self.variable, "") or self.default
        if self.secret and (path := environment.get(f"{self.variable}_FILE")):
            text = self._text_of_file(path, text)
        return self.parse(text) if text else self.absent()

    def _text_of_file(self, path: str, given: str) -> str:
        if given:
            raise ValueError(f"must not be set beside {self.variable}_FILE")
        try:
            text = Path(path).expanduser().read_text().strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            # Without this, an empty file would mean the default, such as another key for every visitor.
            raise ValueError(f"cannot be read from {path}, or is empty there")
        return text


# The reader, the help of the command line and docs/operate/configuration.md share this table.
SETTINGS: Mapping[str, ServiceSetting] = MappingProxyType(
    {
        setting.name: setting
        for setting in (
            ServiceSetting(
                "database_url",
                database_url,
                "URL of a PostgreSQL 15 or later, with several hosts when it has standbys",
                default_help="the embedded PostgreSQL",
                secret=True,
            ),
            ServiceSetting(
                "cells",
                cells,
                "Places of cells as name=URL, separated by spaces, or @ and a file that holds them",
                absent=no_cells,
                default_help="no cells, all traffic is in the one store",
            ),
            ServiceSetting(
                "data_dir",
                folder,
                "Directory of the embedded PostgreSQL, generated keys, the list of erasures and the location database",
                absent=default_data_dir,
                default_help="footfall in the user's data directory",
            ),
            ServiceSetting(
                "secret",
                secret,
                "Key of the visitor hashes, at least 16 characters",
                default_help="generated in the data directory, mode 0600",
                secret=True,
            ),
            ServiceSetting(
                "salt_key",
                secret,
                "Key that seals the salts of visitors, at least 16 characters, the same on every host, in no backup",
                default_help="generated in the data directory, mode 0600",
                secret=True,
            ),
            ServiceSetting("host", str, "Address to listen on", default="127.0.0.1"),
            ServiceSetting("port", number(0, 65_535), "Port to listen on", default="8000"),
            ServiceSetting(
                "public_url",
                origin,
                "Origin under which users reach the service, for links that it prints and sends",
                default_help="http://localhost with the port, or the address that it listens on",
            ),
            ServiceSetting(
                "owner_name",
                by_rule(parse_name, "name"),
                "Name of the user whom the first start creates, 1 to 100 characters",
                absent=full_name,
                default_help="the full name of the system's user, where there is one",
            ),
            ServiceSetting(
                "owner_address",
                by_rule(parse_address, "address"),
                "Mail address of the user whom the first start creates",
                default_help="none",
            ),
            ServiceSetting(
                "first_organization",
                by_rule(organization.parse_name, "name"),
                "Name of the organization that the first start creates",
                default_help="My organization",
            ),
            ServiceSetting(
                "first_site",
                by_rule(parse_domain, "domain"),
                "Domain of the site that the first start creates, such as example.com",
                default_help="localhost",
            ),
            ServiceSetting(
                "first_api_key",
                by_rule(parse_key, "key"),
                "API key that the first start gives its user, ff_ and 32 to 128 letters and digits",
                default_help="one is drawn, and shown once",
                secret=True,
            ),
            ServiceSetting(
                "workers",
                number(1, 64),
                "Number of worker processes",
                absent=default_workers,
                default_help=f"one for each core, at most {MOST_WORKERS}",
            ),
            ServiceSetting(
                "geoip_database",
                Path,
                "Location database, an .mmdb file; without one, countries are those of time zones",
                default_help="locations.mmdb in the data directory, which footfall geoip fetch makes",
            ),
            ServiceSetting(
                "languages",
                Path,
                "Folder with catalogues of further languages for the dashboard and mails, such as fr.po",
                default_help="English and German",
            ),
            ServiceSetting(
                "trusted_proxies",
                networks,
                "CIDR networks of reverse proxies whose X-Forwarded-For counts, separated by commas",
                absent=tuple,
                default_help="no proxy is trusted",
            ),
            ServiceSetting(
                "rate_limit",
                rate_limit,
                "Requests/seconds of one API key on the tracking endpoint, also of one address without a key for"
                " events of Sentry SDKs; or off",
                default="500/600",
            ),
            ServiceSetting(
                "report_memory",
                number(LEAST_REPORT_MEMORY, 1_048_576),
                "Megabytes that the process which reads reports may use",
                absent=default_report_memory,
                default_help=f"a quarter of the machine's memory, at most {MOST_REPORT_MEMORY}",
            ),
            ServiceSetting(
                "source_map_days",
                number(1, 3_650),
                "Days for which uploaded source maps are kept, at most as long as the events of their site",
                default="400",
            ),
            ServiceSetting(
                "script_path",
                script_path,
                "Another path for the tracking script, ending in .js; the default one keeps answering",
                default=SCRIPT_PATH,
            ),
            ServiceSetting(
                "umami_script_path",
                script_path,
                "Another path for the script that takes tags of Umami, ending in .js; the default one keeps answering",
                default=UMAMI_SCRIPT_PATH,
            ),
            ServiceSetting(
                "track_path",
                public_path(TRACK_PATH),
                "Another path for the tracking endpoint; the default one keeps answering",
                default=TRACK_PATH,
            ),
            ServiceSetting(
                "smtp_url",
                parse_smtp_url,
                "Mail server, as smtp://user:password@host:587 with STARTTLS or smtps://user:password@host",
                default_help="no mail is sent",
                secret=True,
            ),
            ServiceSetting(
                "mail_from",
                parse_mail_from,
                "Sender of mails, such as Footfall <stats@example.com>",
                default_help="footfall at the host of FOOTFALL_PUBLIC_URL",
            ),
            ServiceSetting(
                "alert_networks",
                networks,
                "CIDR networks that webhooks of alerts may reach besides the public Internet, separated by commas",
                absent=tuple,
                default_help="the public Internet only",
            ),
            ServiceSetting(
                "oidc_issuer",
                issuer,
                "Issuer of the OpenID Connect provider with which users sign in",
                default_help="no single sign-on",
            ),
            ServiceSetting(
                "oidc_client_id", str, "Client id of this service at the provider", default_help="none"
            ),
            ServiceSetting(
                "oidc_client_secret",
                str,
                "Client secret of this service at the provider",
                default_help="a public client without one",
                secret=True,
            ),
            ServiceSetting(
                "oidc_domains",
                domain_list,
                "Domains of verified addresses that get an account by signing in, separated by commas",
                absent=tuple,
                default_help="newcomers get no account",
            ),
            ServiceSetting(
                "oidc_organization",
                str,
                "Id of the organization that newcomers join",
                default_help="newcomers get no account",
            ),
            ServiceSetting("oidc_role", role, "Role of newcomers, member or viewer", default="member"),
            ServiceSetting(
                "log_format", choice(LOG_FORMATS), f"One of {', '.join(LOG_FORMATS)}", default="text"
            ),
            ServiceSetting(
                "log_level", choice(LOG_LEVELS), f"One of {', '.join(LOG_LEVELS)}", default="info"
            ),
        )
    }
)
