"""The checks of `footfall doctor`."""

import asyncio
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.mail import MailServerAway
from footfall.domain.sites.host import is_this_machine
from footfall.entrypoints.cli.maintenance.findings import Finding, Unhealthy, look_at_cells, look_at_salts
from footfall.entrypoints.cli.maintenance.reading_process import look_at_reading_process
from footfall.entrypoints.composition.columns import read_columns_status
from footfall.entrypoints.composition.commands.command_adapters import (
    TRANSACTION_POOLER,
    BotAddressFile,
    DatabaseUnreadable,
    EmbeddedPostgresError,
    LocationDatabase,
    NetworkDatabase,
    ProjectionStatus,
    Replication,
    Unreachable,
    examine,
    missing_migrations,
    system_clock,
)
from footfall.entrypoints.composition.commands.command_stores import (
    read_mail_status,
    read_projection_status,
    read_refused_filters,
    read_set_aside,
    read_unopened_links,
    read_unopened_targets,
)
from footfall.entrypoints.composition.mail import mail_transport
from footfall.entrypoints.composition.secret import FILE, SecretUnreadable, server_secret
from footfall.entrypoints.composition.sign_in_ways import passkeys_off, single_sign_on_off
from footfall.entrypoints.composition.stores import StoreRefused, embedded_store
from footfall.entrypoints.settings import InvalidSettings, Settings, read_settings

LITTLE_SPACE = 1 << 30
MOST_SECONDS_APART = 2.0
MOST_SECONDS_BEHIND = 60.0
MOST_MAIL_DELAY = timedelta(hours=1)

_LEAST_VARIETY = 8
# The shortest prefixes of public networks that are trusted without a warning, by IP version.
_WIDEST = {4: 8, 6: 16}

_OTHERS = stat.S_IRWXG | stat.S_IRWXO

_Look = Callable[[], str]
_FAULTS = (
    Unhealthy,
    Unreachable,
    SecretUnreadable,
    StoreUnavailable,
    StoreRefused,
    EmbeddedPostgresError,
    DatabaseUnreadable,
    MailServerAway,
    OSError,
)


def diagnose(environment: Mapping[str, str]) -> list[Finding]:
    """Return the result of each check; with an invalid configuration, only its faults."""
    try:
        settings = read_settings(environment)
    except InvalidSettings as fault:
        return [Finding(name, healthy=False, detail=detail) for name, detail in fault.field_errors.items()]
    looks: dict[str, _Look] = {
        "configuration": lambda: _described(settings),
        "exposure": lambda: _exposure(settings),
        "secret": lambda: _secret(settings),
        "geolocation": lambda: _geolocation(settings),
        "networks": lambda: _networks(settings),
        "bots": lambda: _bots(settings),
        "disk": lambda: _disk(settings),
        "passkeys": lambda: _passkeys(settings),
        "single sign-on": lambda: _single_sign_on(settings),
        "mail server": lambda: _mail_server(settings),
        "reading process": lambda: look_at_reading_process(settings),
    }
    return [*_findings(looks), *_store(settings)]


def _findings(looks: Mapping[str, _Look]) -> Iterator[Finding]:
    for subject, look in looks.items():
        try:
            yield Finding(subject, healthy=True, detail=look())
        except _FAULTS as fault:
            yield Finding(subject, healthy=False, detail=str(fault))


def _store(settings: Settings) -> list[Finding]:
    if settings.database_url is not None:
        return _all_stores(settings, settings.database_url)
    try:
        with embedded_store(settings) as url:
            return _all_stores(settings, url)
    except StoreRefused as fault:
        return [Finding("store", healthy=False, detail=str(fault))]


def _all_stores(settings: Settings, url: str) -> list[Finding]:
    findings = _looked_over(settings, url)
    if not settings.cells or not all(
        finding.healthy for finding in findings if finding.subject in ("store", "schema")
    ):
        return findings
    return [*findings, *look_at_cells(settings, url)]


def _looked_over(settings: Settings, url: str) -> list[Finding]:
    try:
        examination = examine(url)
    except Unreachable as fault:
        return [Finding("store", healthy=False, detail=str(fault))]
    version = f"PostgreSQL {examination.version}"
    unencrypted = () if examination.encrypted else ("the connection is not encrypted (sslmode=require)",)
    looks: dict[str, _Look] = {
        "store": lambda: _when(
            examination.recent_enough, f"{version} answers", f"{version} is too old: 15 or later"
        ),
        "server": lambda: _server(examination.replication),
        "sessions": lambda: _when(
            not examination.shared_sessions, "each connection has one of its own", TRANSACTION_POOLER
        ),
        "rights": lambda: _none(examination.missing_rights, "the role has all it needs", "missing: "),
        "durability": lambda: _none(
            examination.unsafe_settings, "acknowledged events are on the disk", "not durable: "
        ),
        "standbys": lambda: _standbys(examination.replication),
        "encryption": lambda: _none(unencrypted, "encrypted, or on this machine", ""),
        "clock": lambda: _clock(examination.clock_ahead.total_seconds()),
        "schema": lambda: _schema(url),
    }
    findings = list(_findings(looks))
    return [*findings, *_logs(settings, url)] if findings[-1].healthy else findings


def _logs(settings: Settings, url: str) -> list[Finding]:
    try:
        status = asyncio.run(read_projection_status(url))
    except StoreUnavailable as fault:
        return [Finding("projections", healthy=False, detail=str(fault))]
    looks: dict[str, _Look] = {
        "journal": lambda: _journal(url),
        "projections": lambda: _projections(status),
        "goals": lambda: _goals(status),
        "mail": lambda: _mail(url),
        "private links": lambda: _private_links(settings, url),
        "targets": lambda: _targets(settings, url),
        "salts": lambda: look_at_salts(settings, url),
        "filters": lambda: _filters(url),
        "columns": lambda: _columns(settings, url),
    }
    return list(_findings(looks))


def _when(healthy: bool, detail: str, fault: str) -> str:  # noqa: FBT001 - the question itself
    if not healthy:
        raise Unhealthy(fault)
    return detail


def _none(faults: tuple[str, ...], detail: str, prefix: str) -> str:
    return _when(not faults, detail, prefix + ", ".join(faults))


def _server(replication: Replication) -> str:
    fault = (
        f"{replication.server} is a standby, or read-only: FOOTFALL_DATABASE_URL must name the primary, or all hosts of"
        " the cluster"
    )
    return _when(not replication.read_only, f"{replication.server}, a primary", fault)


def _standbys(replication: Replication) -> str:
    if not replication.needed:
        return f"{replication.attached} attached, none confirms commits: acknowledged events are on one disk"
    asked_for = f"synchronous_standby_names is {replication.names}"
    if not replication.visible:
        return f"{asked_for}; to see which standbys confirm commits, grant pg_read_all_stats to the role"
    fault = f"{asked_for}, {len(replication.confirming)} of {replication.needed} attached: events are answered with 503"
    place = "in the memory" if replication.commit == "remote_write" else "on the disk"
    confirmed = (
        f"acknowledged events are also {place} of {replication.needed} of {', '.join(replication.confirming)}"
    )
    return _when(
        len(replication.confirming) >= replication.needed, f"{confirmed} ({replication.commit})", fault
    )


def _described(settings: Settings) -> str:
    store = (
        "embedded PostgreSQL" if settings.database_url is None else "PostgreSQL at a configured URL (masked)"
    )
    return (
        f"{store}, {settings.host}:{settings.port}, {settings.workers} worker(s), data in {settings.data_dir}"
    )


def _exposure(settings: Settings) -> str:
    return _none(dangers(settings), "no dangerous setting on a public address", "")


def _secret(settings: Settings) -> str:
    server_secret(settings)
    if settings.secret is not None:
        return "from the environment"
    path = settings.data_dir / FILE
    healthy = not path.stat().st_mode & _OTHERS
    return _when(healthy, f"in {path}, readable by its owner", f"{path} is open to others: chmod 600 {path}")


def _geolocation(settings: Settings) -> str:
    if settings.geoip_database is None and not settings.geoip_file.exists():
        return "no location database, countries are those of time zones: footfall geoip fetch downloads one"
    return _verified(LocationDatabase(settings.geoip_file))


def _networks(settings: Settings) -> str:
    if not settings.networks_file.exists():
        return "no database of networks, hosting networks stay unknown: footfall geoip fetch downloads one"
    return _verified(NetworkDatabase(settings.networks_file))


def _verified(database: LocationDatabase | NetworkDatabase) -> str:
    database.verify()
    return database.describe()


def _bots(settings: Settings) -> str:
    if not settings.bots_file.exists():
        return "no addresses of bots, these are not verified: footfall geoip fetch downloads them"
    return BotAddressFile(settings.bots_file).describe()


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.data_dir).free
    fault = f"only {free >> 20} MiB are free in {settings.data_dir}"
    return _when(free >= LITTLE_SPACE, f"{free >> 30} GiB free in {settings.data_dir}", fault)


def _clock(ahead: float) -> str:
    fault = (
        f"this machine's clock is {abs(ahead):,.0f} seconds {'ahead of' if ahead > 0 else 'behind'} the database's:"
        " set both by NTP"
    )
    return _when(abs(ahead) <= MOST_SECONDS_APART, "as the database's", fault)


def _schema(url: str) -> str:
    missing = missing_migrations(url)
    return _when(not missing, "current", f"{len(missing)} migration(s) are missing: run footfall migrate")


def _journal(url: str) -> str:
    places = [
        f"{event.stream} (event {event.version}, {event.type})" for event in asyncio.run(read_set_aside(url))
    ]
    fault = (
        f"set aside, since an event cannot be read: {', '.join(places)}. Run the version of Footfall that wrote it, or"
        " discard it with footfall journal discard STREAM (docs/operate/troubleshooting.md#unreadable-events)"
    )
    return _when(not places, "every event can be read", fault)


def _private_links(settings: Settings, url: str) -> str:
    unopened = asyncio.run(read_unopened_links(url, server_secret(settings)))
    fault = (
        f"made with another secret and not shown any more: those of site {', '.join(map(str, unopened))}. They work;"
        " replace them in the settings of the site to see them again"
    )
    return _when(not unopened, "every key can be shown to members", fault)


def _filters(url: str) -> str:
    refused = asyncio.run(read_refused_filters(url))
    fault = (
        f"refused, since RE2 does not accept their regular expressions: {', '.join(map(str, refused))}. Change them"
        " (docs/read/reports.md#regular-expressions)"
    )
    return _when(not refused, "those of all segments and alert rules are accepted", fault)


def _targets(settings: Settings, url: str) -> str:
    unopened = asyncio.run(read_unopened_targets(url, server_secret(settings)))
    fault = (
        f"stored with another secret and not reached any more: those of site {', '.join(map(str, unopened))}. Remove"
        " these targets of alerts and add them again"
    )
    return _when(not unopened, "the address of every target of alerts can be read", fault)


def _projections(status: ProjectionStatus) -> str:
    waiting = f"{status.lag_events} event(s) wait for {status.lag_seconds:,.0f} seconds"
    fault = f"{waiting}: does the service run?"
    return _when(status.lag_seconds <= MOST_SECONDS_BEHIND, waiting, fault)


def _goals(status: ProjectionStatus) -> str:
    named = (f"goal {goal.goal_id} of site {goal.site_id} ({goal.reason})" for goal in status.goals_set_aside)
    fault = (
        f"set aside and not counted: {', '.join(named)}. Change the pattern of the goal"
        " (docs/read/reports.md, Goals that are set aside)"
    )
    return _when(not status.goals_set_aside, "every goal is counted", fault)


def _passkeys(settings: Settings) -> str:
    reason = passkeys_off(settings.public_origin)
    return f"off: {reason}" if reason else f"on, at {settings.public_origin}"


def _single_sign_on(settings: Settings) -> str:
    reason = single_sign_on_off(settings)
    return f"off: {reason}" if reason else f"on, with {settings.oidc_issuer}"


def _mail_server(settings: Settings) -> str:
    transport = mail_transport(settings)
    if transport is None:
        return "none is configured, no mail is sent: FOOTFALL_SMTP_URL names one"
    return asyncio.run(transport.probe())


def _mail(url: str) -> str:
    status = asyncio.run(read_mail_status(url))
    since = status.waiting_since
    late = since is not None and system_clock().now() - since > MOST_MAIL_DELAY
    waiting = f"{status.waiting} mail(s) wait, {status.given_up_within_a_day} given up within a day"
    return _when(
        not late and not status.given_up_within_a_day, waiting, f"{waiting}: footfall mail status says why"
    )


def _columns(settings: Settings, url: str) -> str:
    status = asyncio.run(read_columns_status(settings, url))
    if status.trouble:
        raise Unhealthy(f"files cannot be made, and reports on long periods are refused: {status.trouble}")
    lost = " and ".join(map(str, status.lost_nodes))
    fault = f"not seen for a day: node {lost}. Erasure waits for it: start it, or run footfall columns forget"
    missing = f", {status.missing_days:,} of them have no files yet" if status.missing_days else ""
    return _when(not lost, f"{status.closed_days:,} closed day(s){missing}", fault)


def dangers(settings: Settings) -> tuple[str, ...]:
    """Return the settings that expose the service to strangers, each with a remedy."""
    return (
        *_of_the_address(settings),
        *_of_the_proxies(settings),
        *_of_the_secret(settings),
        *_of_the_mail(settings),
    )


def _of_the_address(settings: Settings) -> tuple[str, ...]:
    if is_this_machine(settings.host):
        return ()
    faults = []
    if not settings.trusted_proxies:
        faults.append(
            f"{settings.host} is open to the network and no proxy is named: behind one, name it in"
            " FOOTFALL_TRUSTED_PROXIES, or every visitor has its address; without one, keys travel unencrypted"
        )
    if settings.rate_limit is None:
        faults.append("FOOTFALL_RATE_LIMIT is off on an address that is open to the network")
    return tuple(faults)


def _of_the_proxies(settings: Settings) -> tuple[str, ...]:
    return tuple(
        f"FOOTFALL_TRUSTED_PROXIES names {network}: any host in it can claim any address"
        for network in settings.trusted_proxies
        if not network.is_private and network.prefixlen < _WIDEST[network.version]
    )


def _of_the_secret(settings: Settings) -> tuple[str, ...]:
    if settings.secret is None or len(set(settings.secret)) >= _LEAST_VARIETY:
        return ()
    return ("FOOTFALL_SECRET can be guessed: openssl rand -hex 32 makes a better one",)


def _of_the_mail(settings: Settings) -> tuple[str, ...]:
    if settings.smtp_url is None or not settings.smtp_url.sends_password_in_clear:
        return ()
    return ("FOOTFALL_SMTP_URL sends its password unencrypted over the network: remove ?tls=off",)
