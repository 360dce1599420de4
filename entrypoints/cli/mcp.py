"""`footfall mcp`."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from typing import TypeVar

import click

from footfall.entrypoints.cli.output import CommandRefused, option
from footfall.entrypoints.composition.commands.command_adapters import dashboard_address, openapi_document
from footfall.entrypoints.server.address import require_address
from footfall.entrypoints.setting_parsers import origin

KEY = "FOOTFALL_API_KEY"
Parsed = TypeVar("Parsed")


@click.command(epilog=f"Environment:\n\n{KEY}: API key of the user whose sites are read.")
@option(
    "--url",
    default="http://127.0.0.1:8000",
    show_default=True,
    help="Origin of the service; links begin with it.",
)
@option(
    "--listen", help="Serve over HTTP at this address, such as 127.0.0.1:8765, instead of on standard input."
)
def mcp(url: str, listen: str | None) -> None:
    """Serve the reports of a running service to programs and assistants, by the Model Context Protocol.

    Every tool only reads. Over HTTP clients bring the key in the header Authorization.
    """
    try:
        from footfall.entrypoints.mcp import transports  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as missing:
        hint = "the command needs the packages for MCP, which footfall[server] brings"
        raise CommandRefused(f"{hint} ({missing.name} is missing)") from None
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, force=True)
    source = transports.ServiceSource(
        origin=_parsed(origin, url, "--url"),
        document=openapi_document(),
        page_of=dashboard_address,
        key=_key(transports.parse_key),
    )
    if listen is None:
        asyncio.run(transports.serve_stdio(source))
        return
    at = _parsed(transports.parse_listening, listen, "--listen")
    if source.key is not None and not at.local:
        raise CommandRefused(
            f"{KEY} would answer every client that reaches {listen}: unset it, clients bring their keys"
        )
    require_address(at.host, at.port, wait=0)
    click.echo(f"MCP server at http://{listen}{transports.PATH}", err=True)
    asyncio.run(transports.serve_http(source, at))


def _key(parse: Callable[[str], str]) -> str | None:
    text = os.environ.get(KEY, "")
    try:
        return parse(text) if text else None
    except ValueError as fault:
        raise CommandRefused(f"{KEY} {fault}") from None


def _parsed(parse: Callable[[str], Parsed], text: str, name: str) -> Parsed:
    try:
        return parse(text)
    except ValueError as fault:
        raise click.BadParameter(str(fault), param_hint=name) from None
