"""`footfall serve` and `footfall init`."""

import asyncio
import gc
import logging
import os
import socket

import click

from footfall.adapters.geoip import MaxMindGeolocation
from footfall.adapters.http.express import Front
from footfall.adapters.prometheus import Share
from footfall.application.commands import Cause
from footfall.application.directory import Directory
from footfall.entrypoints.bootstrap import Journal, build_app, open_journal
from footfall.entrypoints.cli.output import Refused, emit_fields, json_option, option, program
from footfall.entrypoints.first_start import begin, first_steps, next_steps, sign_in_address
from footfall.entrypoints.logs import configure_logs
from footfall.entrypoints.secret import server_secret
from footfall.entrypoints.server import Server
from footfall.entrypoints.settings import Settings, read_settings
from footfall.entrypoints.stores import served_store, with_journal

_log = logging.getLogger(__name__)


@click.command()
@option("--host", help="The address to listen on; 127.0.0.1 unless given.")
@option("--port", help="The port to listen on; 8000 unless given.")
@option("--workers", help="How many processes answer; one a core, at most 4, unless given.")
def serve(**options: str | None) -> None:
    """Run the service until it is told to stop.

    Stops cleanly on SIGTERM: what is in flight is answered, nothing that was acknowledged is lost.
    """
    given = {f"FOOTFALL_{name.upper()}": value for name, value in options.items() if value is not None}
    settings = read_settings({**os.environ, **given})
    configure_logs(settings)
    _require_address(settings.host, settings.port)
    geography = _geography(settings)
    secret = server_secret(settings)
    with served_store(settings) as url:
        _log.info("geolocation: %s", geography)
        _serve(settings, url, secret)


@click.command()
@option("--organization", required=True, help="Name of the organization.")
@option("--site", required=True, help="Name of the site.")
@option("--domain", required=True, help="Host name of the site, such as example.com.")
@json_option
def init(organization: str, site: str, domain: str, *, as_json: bool) -> None:
    """Create a user, an organization, a site and an API key; the key is shown once."""
    beginning = with_journal(
        read_settings(os.environ),
        lambda journal: begin(journal, organization=organization, site=site, domain=domain),
    )
    document = beginning.document()
    emit_fields(document, as_json=as_json)


def _require_address(host: str, port: int) -> None:
    # Asked before anything is made: a first start that cannot listen would never show the key that it has made.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            raise Refused(f"cannot listen on {host}, port {port}: {fault.strerror}") from None


def _geography(settings: Settings) -> str:
    # Every worker opens it for itself, and none of them could say in one line that it cannot.
    if settings.geoip_database is None:
        return "no database (FOOTFALL_GEOIP_DATABASE), countries stay unknown"
    return MaxMindGeolocation(settings.geoip_database).describe()


def _serve(settings: Settings, url: str, secret: bytes) -> None:
    # Read once, before the fork: every worker, also one that replaces another, begins with it and shares its memory.
    # Without collections: hardly anything of it is garbage, and walking it again and again costs a third of the time.
    gc.disable()
    greeting, known = asyncio.run(_prepared(settings, url))
    gc.freeze()
    gc.enable()

    def build(share: Share) -> Front:
        return build_app(settings, url=url, secret=secret, share=share, known=known)

    Server(settings, build, when_ready=lambda: click.echo(greeting)).run()  # type: ignore[no-untyped-call]


async def _prepared(settings: Settings, url: str) -> tuple[str, Directory]:
    async with open_journal(url) as journal:
        return await _greeting(settings, journal), journal.directory


async def _greeting(settings: Settings, journal: Journal) -> str:
    base_url = settings.base_url
    sites = journal.directory.sites()
    if journal.directory.organizations():
        steps = (
            next_steps(base_url, sites[0].site.site_id, sites[0].site.domain, command=program())
            if sites
            else ""
        )
    else:
        beginning = await begin(journal, organization="My organization", site="localhost", domain="localhost")
        token = await journal.commands.issue_sign_in_link(beginning.user_id, Cause())
        sign_in = sign_in_address(base_url, beginning.user_id, token)
        steps = first_steps(base_url, beginning, sign_in, command=program())
    return f"\nFootfall listens on {base_url}\n\n{steps}"
