"""The configuration of an installation, read from the environment, with every fault reported at once."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

from footfall.domain.accounts import organization
from footfall.domain.accounts.api_key import parse_key
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.person import parse_address, parse_name
from footfall.domain.mail.mail_from import MailFrom, parse_mail_from
from footfall.domain.mail.server import SmtpServer, parse_smtp_url
from footfall.domain.sites.host import parse_domain
from footfall.domain.tracking.rate_limit import RateLimit
from footfall.entrypoints import setting_defaults as defaults
from footfall.entrypoints import setting_parsers as parsers
from footfall.entrypoints.setting import ServiceSetting, setting, settings_of
from footfall.entrypoints.setting_parsers import SCRIPT_PATH, TRACK_PATH, UMAMI_SCRIPT_PATH, Network

LOG_FORMATS = ("json", "text")
LOG_LEVELS = ("debug", "info", "warning", "error")
_REACHED_AS_LOCALHOST = frozenset({"127.0.0.1", "::1", "localhost", "0.0.0.0", "::"})  # noqa: S104 - not bound


class InvalidSettings(Exception):
    """The configuration cannot be used; the text names every fault."""

    def __init__(self, field_errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name} {error}" for name, error in field_errors.items()))
        self.field_errors = dict(field_errors)


@frozen(kw_only=True)
class Settings:
    """Settings of this installation, each with its parser, its meaning and its default."""

    database_url: str | None = setting(
        parsers.database_url,
        "URL of a PostgreSQL 15 or later, with several hosts when it has standbys",
        default_help="the embedded PostgreSQL",
        secret=True,
    )
    cells: Mapping[str, str] = setting(
        parsers.cells,
        "Places of cells as name=URL, separated by spaces, or @ and a file that holds them",
        absent=parsers.no_cells,
        default_help="no cells, all traffic is in the one store",
        shown=False,
    )
    data_dir: Path = setting(
        parsers.folder,
        "Directory of the embedded PostgreSQL, generated keys, the list of erasures and the location database",
        absent=defaults.data_dir,
        default_help="footfall in the user's data directory",
    )
    secret: str | None = setting(
        parsers.secret,
        "Key of the visitor hashes, at least 16 characters",
        default_help="generated in the data directory, mode 0600",
        secret=True,
    )
    salt_key: str | None = setting(
        parsers.secret,
        "Key that seals the salts of visitors, at least 16 characters, the same on every host, in no backup",
        default_help="generated in the data directory, mode 0600",
        secret=True,
    )
    host: str = setting(str, "Address to listen on", default="127.0.0.1")
    port: int = setting(parsers.number(0, 65_535), "Port to listen on", default="8000")
    public_url: str | None = setting(
        parsers.origin,
        "Origin under which users reach the service, for links that it prints and sends",
        default_help="http://localhost with the port, or the address that it listens on",
    )
    owner_name: str | None = setting(
        parsers.by_rule(parse_name, "name"),
        "Name of the user whom the first start creates, 1 to 100 characters",
        absent=parsers.full_name,
        default_help="the full name of the system's user, where there is one",
        shown=False,
    )
    owner_address: str | None = setting(
        parsers.by_rule(parse_address, "address"),
        "Mail address of the user whom the first start creates",
        default_help="none",
        shown=False,
    )
    first_organization: str | None = setting(
        parsers.by_rule(organization.parse_name, "name"),
        "Name of the organization that the first start creates",
        default_help="My organization",
    )
    first_site: str | None = setting(
        parsers.by_rule(parse_domain, "domain"),
        "Domain of the site that the first start creates, such as example.com",
        default_help="localhost",
    )
    first_api_key: str | None = setting(
        parsers.by_rule(parse_key, "key"),
        "API key that the first start gives its user, ff_ and 32 to 128 letters and digits",
        default_help="one is drawn, and shown once",
        secret=True,
    )
    workers: int = setting(
        parsers.number(1, 64),
        "Number of worker processes",
        absent=defaults.workers,
        default_help=f"one for each core, at most {defaults.MOST_WORKERS}",
    )
    geoip_database: Path | None = setting(
        Path,
        "Location database, an .mmdb file; without one, countries are those of time zones",
        default_help="locations.mmdb in the data directory, which footfall geoip fetch makes",
    )
    languages: Path | None = setting(
        Path,
        "Folder with catalogues of further languages for the dashboard and mails, such as fr.po",
        default_help="English and German",
    )
    trusted_proxies: tuple[Network, ...] = setting(
        parsers.networks,
        "CIDR networks of reverse proxies whose X-Forwarded-For counts, separated by commas",
        absent=tuple,
        default_help="no proxy is trusted",
    )
    rate_limit: RateLimit | None = setting(
        parsers.rate_limit,
        "Requests/seconds of one API key on the tracking endpoint, also of one address without a key for"
        " events of Sentry SDKs; or off",
        default="500/600",
    )
    report_memory: int = setting(
        parsers.number(defaults.LEAST_REPORT_MEMORY, 1_048_576),
        "Megabytes that the process which reads reports may use",
        absent=defaults.report_memory,
        default_help=f"a quarter of the machine's memory, at most {defaults.MOST_REPORT_MEMORY}",
    )
    source_map_days: int = setting(
        parsers.number(1, 3_650),
        "Days for which uploaded source maps are kept, at most as long as the events of their site",
        default="400",
    )
    script_path: str = setting(
        parsers.script_path,
        "Another path for the tracking script, ending in .js; the default one keeps answering",
        default=SCRIPT_PATH,
    )
    umami_script_path: str = setting(
        parsers.script_path,
        "Another path for the script that takes tags of Umami, ending in .js; the default one keeps answering",
        default=UMAMI_SCRIPT_PATH,
    )
    track_path: str = setting(
        parsers.public_path(TRACK_PATH),
        "Another path for the tracking endpoint; the default one keeps answering",
        default=TRACK_PATH,
    )
    smtp_url: SmtpServer | None = setting(
        parse_smtp_url,
        "Mail server, as smtp://user:password@host:587 with STARTTLS or smtps://user:password@host",
        default_help="no mail is sent",
        secret=True,
    )
    mail_from: MailFrom | None = setting(
        parse_mail_from,
        "Sender of mails, such as Footfall <stats@example.com>",
        default_help="footfall at the host of FOOTFALL_PUBLIC_URL",
    )
    alert_networks: tuple[Network, ...] = setting(
        parsers.networks,
        "CIDR networks that webhooks of alerts may reach besides the public Internet, separated by commas",
        absent=tuple,
        default_help="the public Internet only",
    )
    oidc_issuer: str | None = setting(
        parsers.issuer,
        "Issuer of the OpenID Connect provider with which users sign in",
        default_help="no single sign-on",
    )
    oidc_client_id: str | None = setting(
        str, "Client id of this service at the provider", default_help="none"
    )
    oidc_client_secret: str | None = setting(
        str,
        "Client secret of this service at the provider",
        default_help="a public client without one",
        secret=True,
    )
    oidc_domains: tuple[str, ...] = setting(
        parsers.domain_list,
        "Domains of verified addresses that get an account by signing in, separated by commas",
        absent=tuple,
        default_help="newcomers get no account",
    )
    oidc_organization: str | None = setting(
        str, "Id of the organization that newcomers join", default_help="newcomers get no account"
    )
    oidc_role: Role = setting(parsers.role, "Role of newcomers, member or viewer", default="member")
    log_format: str = setting(parsers.choice(LOG_FORMATS), f"One of {', '.join(LOG_FORMATS)}", default="text")
    log_level: str = setting(parsers.choice(LOG_LEVELS), f"One of {', '.join(LOG_LEVELS)}", default="info")

    @property
    def renamed(self) -> Mapping[str, str]:
        """The configured paths that differ from the built-in ones, each with the built-in path it stands for."""
        built_in = {
            self.umami_script_path: UMAMI_SCRIPT_PATH,
            self.script_path: SCRIPT_PATH,
            self.track_path: TRACK_PATH,
        }
        return {name: own for name, own in built_in.items() if name != own}

    @property
    def geoip_file(self) -> Path:
        """The configured location database, or the one that `footfall geoip fetch` makes in the data directory."""
        return self.geoip_database or self.data_dir / "locations.mmdb"

    @property
    def networks_file(self) -> Path:
        """The database of autonomous systems beside the location database."""
        return self.geoip_file.with_name("networks.mmdb")

    @property
    def bots_file(self) -> Path:
        """The addresses of bots beside the location database."""
        return self.geoip_file.with_name("bots.json")

    @property
    def mail_sender(self) -> MailFrom:
        """The sender of mails: the configured one, or footfall at the host of the public URL."""
        return self.mail_from or MailFrom(f"footfall@{urlsplit(self.public_origin).hostname}")

    @property
    def base_url(self) -> str:
        """The address at which a browser on this machine reaches the service."""
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - shown, not bound
        return f"http://{f'[{shown}]' if ':' in shown and '[' not in shown else shown}:{self.port}"

    @property
    def public_origin(self) -> str:
        """The address at which users reach the service: the origin of the links that it prints and sends.

        Without FOOTFALL_PUBLIC_URL it is this machine, called localhost, since browsers keep passkeys for that name.
        """
        if self.public_url is not None:
            return self.public_url
        return f"http://localhost:{self.port}" if self.host in _REACHED_AS_LOCALHOST else self.base_url


# The reader, the help of the command line and docs/operate/configuration.md share this table.
SETTINGS: Mapping[str, ServiceSetting] = MappingProxyType(settings_of(Settings))


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that environment variables named FOOTFALL_… give.

    Raises:
        InvalidSettings: one or more of them cannot be used; the values of secret ones are not in the text.

    """
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for declared in SETTINGS.values():
        try:
            values[declared.name] = declared.read(environment)
        except ValueError as refusal:
            errors[declared.variable] = str(refusal)
    errors |= _colliding_paths(values)
    if values.get("oidc_issuer") and not values.get("oidc_client_id"):
        errors["FOOTFALL_OIDC_CLIENT_ID"] = "must be set with FOOTFALL_OIDC_ISSUER"
    if bool(values.get("oidc_domains")) != bool(values.get("oidc_organization")):
        errors["FOOTFALL_OIDC_ORGANIZATION"] = "must be set with FOOTFALL_OIDC_DOMAINS, or none of them"
    if errors:
        raise InvalidSettings(errors)
    return Settings(**values)


def _colliding_paths(values: Mapping[str, Any]) -> dict[str, str]:
    """Return a fault for each script whose path leads to something else, by its variable."""
    track = values.get("track_path", "")
    built_in = {"script_path": SCRIPT_PATH, "umami_script_path": UMAMI_SCRIPT_PATH}
    errors: dict[str, str] = {}
    for name, other in (("script_path", "umami_script_path"), ("umami_script_path", "script_path")):
        script, variable = values.get(name), f"FOOTFALL_{name.upper()}"
        if script is None:
            continue
        if script == track or script.startswith(f"{track}/"):
            errors[variable] = "must be neither FOOTFALL_TRACK_PATH nor below it"
        elif script in (values.get(other), built_in[other]):
            errors[variable] = f"must be neither FOOTFALL_{other.upper()} nor {built_in[other]}"
    return errors
