"""`footfall serve` and `footfall init`."""

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Mapping
from functools import partial

import click

from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.entrypoints.cli.maintenance.doctor import dangers
from footfall.entrypoints.cli.output import emit_fields, json_option, option, program
from footfall.entrypoints.composition.commands.command_adapters import (
    DatabaseUnreadable,
    LocationDatabase,
    require_catalogues,
    worker_metrics_regions,
)
from footfall.entrypoints.composition.commands.command_stores import open_journal
from footfall.entrypoints.composition.first_start import greeting
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.stores import served_store, with_journal
from footfall.entrypoints.server.address import require_address
from footfall.entrypoints.server.gunicorn_app import Server
from footfall.entrypoints.server.logs import configure_logs
from footfall.entrypoints.settings import SETTINGS, InvalidSettings, Settings, read_settings

_log = logging.getLogger(__name__)


_OPTIONS = ("host", "port", "workers")


def _environment_help() -> str:
    in_environment = (setting for setting in SETTINGS.values() if setting.name not in _OPTIONS)
    return "\n\n".join(
        ["Environment:", *(f"{setting.variable}: {setting.described}" for setting in in_environment)]
    )


@click.command(epilog=_environment_help())
@option("--host", help=SETTINGS["host"].described)
@option("--port", help=SETTINGS["port"].described)
@option("--workers", help=SETTINGS["workers"].described)
def serve(**options: str | None) -> None:
    """Run the service until it is told to stop.

    On SIGTERM it answers the requests in flight and stops; acknowledged events are not lost.
    """
    settings = _settings({name: value for name, value in options.items() if value is not None})
    configure_logs(settings)
    require_address(settings.host, settings.port)
    require_catalogues(settings.languages)
    for danger in dangers(settings):
        _log.warning(danger)
    geography = _geography(settings)
    with served_store(settings) as url:
        _log.info("geolocation: %s", geography)
        _serve(settings, url, server_secret(settings))


@click.command()
@option("--organization", required=True, help="Name of the organization.")
@option("--site", required=True, help="Name of the site.")
@option("--domain", required=True, help="Host name of the site, such as example.com.")
@option("--owner-name", help=SETTINGS["owner_name"].described)
@option("--owner-address", help=SETTINGS["owner_address"].described)
@json_option
def init(
    organization: str,
    site: str,
    domain: str,
    owner_name: str | None,
    owner_address: str | None,
    *,
    as_json: bool,
) -> None:
    """Create a user, an organization, a site and an API key; the key is shown once.

    On a terminal the command asks for the name and the address of the user unless they are given.
    """
    options = {"owner_name": owner_name, "owner_address": owner_address}
    settings = _settings({name: value for name, value in options.items() if value is not None})
    name, address = settings.owner_name, settings.owner_address
    if not as_json and sys.stdin.isatty():
        name = name if owner_name is not None else _prompted("Your name", name)
        address = address if owner_address is not None else _prompted("Your mail address", address)
    beginning = with_journal(
        settings,
        lambda journal: journal.commands.beginning.begin(
            organization_name=organization,
            site_name=site,
            domain=domain,
            name=name,
            address=address,
            context=CommandContext(),
        ),
    )
    document = beginning.document()
    emit_fields(document, as_json=as_json)


def _prompted(question: str, default: str | None) -> str:
    answer: str = click.prompt(f"{question} (empty for none)", default=default or "", err=True)
    return answer


def _settings(options: Mapping[str, str]) -> Settings:
    variables = {f"FOOTFALL_{name.upper()}": value for name, value in options.items()}
    try:
        return read_settings({**os.environ, **variables})
    except InvalidSettings as refusal:
        context = click.get_current_context()
        for name in options:
            typed = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
            if typed and (fault := refusal.field_errors.get(f"FOOTFALL_{name.upper()}")):
                raise click.BadParameter(fault, param_hint=f"--{name}") from None
        raise


def _geography(settings: Settings) -> str:
    # Every worker opens it for itself, and none of them could say in one line that it cannot.
    if settings.geoip_database is None and not settings.geoip_file.exists():
        return (
            f"no location database, countries are those of time zones: {program()} geoip fetch downloads one"
        )
    try:
        return LocationDatabase(settings.geoip_file).describe()
    except DatabaseUnreadable as fault:
        if settings.geoip_database is not None:
            raise
        return f"{fault}; countries are those of time zones: {program()} geoip fetch downloads another"


def _serve(settings: Settings, url: str, secret: bytes) -> None:
    # The other commands do without the pages and the HTTP interface.
    from footfall.entrypoints.composition.bootstrap import build_worker, preload  # noqa: PLC0415

    # Read once, before the fork: every worker, also one that replaces another, begins with it and shares its memory.
    # Without collections: hardly anything of it is garbage, and walking it again and again costs a third of the time.
    gc.disable()
    greeting, directory = asyncio.run(_prepared(settings, url))
    preload()
    gc.freeze()
    gc.enable()
    build = partial(build_worker, settings, url=url, secret=secret, inherited=directory)
    regions = worker_metrics_regions(settings.workers)
    server = Server(settings, build, regions, when_ready=lambda: click.echo(greeting))
    server.run()  # type: ignore[no-untyped-call]


async def _prepared(settings: Settings, url: str) -> tuple[str, Directory]:
    async with open_journal(url, settings.cells) as journal:
        return await greeting(settings, url, journal, command=program()), journal.directory
