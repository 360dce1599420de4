"""The configuration of an installation, read from the environment, with every fault reported at once."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from attrs import field, frozen

from footfall.domain.accounts.organization import Role
from footfall.domain.mail.mail_from import MailFrom
from footfall.domain.mail.server import SmtpServer
from footfall.domain.tracking.rate_limit import RateLimit
from footfall.entrypoints.setting_parsers import SCRIPT_PATH, TRACK_PATH, UMAMI_SCRIPT_PATH, Network
from footfall.entrypoints.setting_table import SETTINGS

_REACHED_AS_LOCALHOST = frozenset({"127.0.0.1", "::1", "localhost", "0.0.0.0", "::"})  # noqa: S104 - not bound


class InvalidSettings(Exception):
    """The configuration cannot be used; the text names every fault."""

    def __init__(self, field_errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name} {error}" for name, error in field_errors.items()))
        self.field_errors = dict(field_errors)


@frozen(kw_only=True)
class Settings:
    """Settings of this installation; `SETTINGS` describes each field."""

    database_url: str | None = field(repr=False)
    cells: Mapping[str, str] = field(repr=False)
    data_dir: Path
    secret: str | None = field(repr=False)
    salt_key: str | None = field(repr=False)
    host: str
    port: int
    public_url: str | None
    owner_name: str | None = field(repr=False)
    owner_address: str | None = field(repr=False)
    first_organization: str | None
    first_site: str | None
    first_api_key: str | None = field(repr=False)
    workers: int
    geoip_database: Path | None
    languages: Path | None
    trusted_proxies: tuple[Network, ...]
    rate_limit: RateLimit | None
    report_memory: int
    source_map_days: int
    script_path: str
    umami_script_path: str
    track_path: str
    smtp_url: SmtpServer | None = field(repr=False)
    mail_from: MailFrom | None
    alert_networks: tuple[Network, ...]
    oidc_issuer: str | None
    oidc_client_id: str | None
    oidc_client_secret: str | None = field(repr=False)
    oidc_domains: tuple[str, ...]
    oidc_organization: str | None
    oidc_role: Role
    log_format: str
    log_level: str

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


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that environment variables named FOOTFALL_… give.

    Raises:
        InvalidSettings: one or more of them cannot be used; the values of secret ones are not in the text.

    """
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for setting in SETTINGS.values():
        try:
            values[setting.name] = setting.read(environment)
        except ValueError as refusal:
            errors[setting.variable] = str(refusal)
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
