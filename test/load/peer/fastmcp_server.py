"""The same tools as a fastmcp server: `fastmcp_server.py HOST:PORT TOOLS.json`."""

import json
import sys

from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult


class Echo(Tool):
    async def run(self, arguments):
        out = {"arguments": arguments}
        return ToolResult(content=json.dumps(out), structured_content=out)


address, file = sys.argv[1:]
host, port = address.rsplit(":", 1)
server = FastMCP("peer")
for t in json.load(open(file))["tools"]:
    server.add_tool(
        Echo(
            name=t["name"],
            title=t.get("title"),
            description=t.get("description"),
            parameters=t["inputSchema"],
            output_schema=t.get("outputSchema"),
        )
    )
server.run(transport="http", host=host, port=int(port), path="/mcp", stateless_http=True, json_response=True, show_banner=False, log_level="error")
