"""The MCP server: reports of a running service for programs and assistants (docs/read/programs/mcp.md)."""
