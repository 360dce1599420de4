"""Transports of the MCP server: standard input and output, or HTTP (docs/read/programs/mcp.md#transports)."""

import re
from urllib.parse import urlsplit

import uvicorn
from attrs import field, frozen
from mcp.server.stdio import stdio_server

from footfall.domain.sites.host import is_this_machine
from footfall.entrypoints.mcp.interface import Interface, new_client
from footfall.entrypoints.mcp.server import PageOf, ReportServer
from footfall.entrypoints.mcp.tools import Document, report_tools

PATH = "/mcp"
_KEY = re.compile(r"[!-~]{1,200}")


@frozen
class Listening:
    """The address of the server over HTTP."""

    host: str
    port: int

    @property
    def local(self) -> bool:
        """Whether only this machine reaches the address."""
        return is_this_machine(self.host)


@frozen(kw_only=True)
class ServiceSource:
    """The service that the server reads: its origin, its OpenAPI document, its pages and a key."""

    origin: str
    document: Document
    page_of: PageOf
    key: str | None = field(repr=False)


def parse_listening(text: str) -> Listening:
    """Return the host and the port of a text such as 127.0.0.1:8765 or [::1]:8765.

    Raises:
        ValueError: it has another form.

    """
    rule = "must be an address and a port, such as 127.0.0.1:8765"
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(rule) from None
    if not host or port is None or parts.netloc != text or "@" in text:
        raise ValueError(rule)
    return Listening(host, port)


def parse_key(text: str) -> str:
    """Return an API key.

    Raises:
        ValueError: it cannot be sent in a header; the text does not repeat it.

    """
    if not _KEY.fullmatch(text):
        raise ValueError("must be an API key: printable ASCII characters without spaces")
    return text


async def serve_stdio(source: ServiceSource) -> None:
    """Serve one client on standard input and output until it closes them."""
    async with stdio_server() as (received, sent):
        server = _server(source).build()
        await server.run(received, sent, server.create_initialization_options())


async def serve_http(source: ServiceSource, at: Listening) -> None:
    """Serve any number of clients over HTTP until a signal ends it; no client has a session."""
    server = _server(source).build()
    # The library then refuses other names of the host, so that pages of a browser cannot reach a local server.
    protected = "127.0.0.1" if at.local else at.host
    application = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, host=protected
    )
    options = uvicorn.Config(
        application,
        host=at.host,
        port=at.port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    await uvicorn.Server(options).serve()


def _server(source: ServiceSource) -> ReportServer:
    return ReportServer(
        interface=Interface(new_client(), source.origin),
        tools={tool.name: tool for tool in report_tools(source.document)},
        page_of=source.page_of,
        origin=source.origin,
        key=None if source.key is None else f"Bearer {source.key}",
    )
