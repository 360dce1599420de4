"""The MCP server over the tools: each answer has its positions and its link (docs/read/programs/mcp.md)."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import mcp_types as types
from attrs import frozen
from mcp import MCPError
from mcp.server import Server, ServerRequestContext

from footfall import __version__
from footfall.entrypoints.mcp.interface import Interface, InterfaceAnswer, RequestRefused
from footfall.entrypoints.mcp.tools import Call, ReportTool, UnusableArguments

INSTRUCTIONS = (
    "Reports of a Footfall web analytics service. listOrganizations and listSites find the sites. An answer has the "
    "report in `answer`, the `positions` it was made from, which `as_of` of a later call repeats, a `link` to the "
    "page of the dashboard that shows the same numbers, and the `source`, the address of the same answer. Cite the "
    "link with the numbers."
)
# The page of the dashboard for an operation, its arguments and the positions of its answer.
PageOf = Callable[[str, Mapping[str, Any], str | None], str | None]


@frozen(kw_only=True)
class ReportServer:
    """Answers the requests of MCP clients from the HTTP interface.

    `key` is the value of the header Authorization for requests that bring none of their own; `origin` begins links.
    """

    interface: Interface
    tools: Mapping[str, ReportTool]
    page_of: PageOf
    origin: str
    key: str | None

    def build(self) -> Server:
        """Return the server of the library."""
        return Server(
            "footfall",
            version=__version__,
            title="Footfall",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(
        self, _context: ServerRequestContext, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=described(self.tools.values()))

    async def _call(
        self, context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self.tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"no tool is called {params.name}")
        try:
            call = tool.call(params.arguments or {})
            answer = await self.interface.read(call.address(as_of=None), self._authorization(context))
        except (UnusableArguments, RequestRefused) as refusal:
            return types.CallToolResult(content=[_text(str(refusal))], is_error=True)
        document = self._document(call, answer)
        content = [_text(json.dumps(document, ensure_ascii=False))]
        return types.CallToolResult(content=content, structured_content=document)

    def _authorization(self, context: ServerRequestContext) -> str | None:
        """Return the header of the HTTP request that brought a call, or the key of the server."""
        header = None if context.request is None else context.request.headers.get("authorization")
        return self.key if header is None else str(header)

    def _document(self, call: Call, answer: InterfaceAnswer) -> dict[str, Any]:
        page = self.page_of(call.operation, call.arguments, answer.positions)
        links = {
            "positions": answer.positions,
            "link": None if page is None else f"{self.origin}{page}",
            "source": self.origin + call.address(as_of=answer.positions),
            "incomplete": answer.incomplete or None,
            "excluded": answer.excluded or None,
        }
        return {"answer": answer.body, **{name: value for name, value in links.items() if value is not None}}


def described(tools: Iterable[ReportTool]) -> list[types.Tool]:
    """Return the tools as clients see them."""
    return [
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.input_schema,
            annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
        )
        for tool in tools
    ]


def _text(text: str) -> types.ContentBlock:
    return types.TextContent(text=text)
