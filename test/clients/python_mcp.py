"""The official Python client: connect, list, call, refuse, prompt, resource."""

import asyncio
import json
import os
import sys
from importlib.metadata import version

from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

want = json.load(open(os.environ["WANT"]))
url = os.environ["MINDGATE_URL"]


def transport(key):
    http = create_mcp_http_client(headers={"Authorization": "Bearer " + key})
    return streamable_http_client(url, http_client=http)


def check(ok, what):
    if not ok:
        sys.exit(f"python mcp: {what}")


async def main():
    async with Client(transport(os.environ["MINDGATE_API_KEY"])) as c:
        tools = (await c.list_tools()).tools
        names = [t.name for t in tools]
        check(names == want["listed"], f"listed {names}")
        r = await c.call_tool("list_studies", {"limit": 5})
        check(not r.is_error and r.structured_content["limit"] == 5, f"call: {r}")
        check(json.loads(r.content[0].text) == r.structured_content, "text differs from structured content")
        r = await c.call_tool(want["hidden"], {})
        check(not r.is_error and want["hidden"] not in names, f"hidden tool: {r}")
        r = await c.call_tool(want["alias"], {})
        check(not r.is_error and "studies" in r.structured_content, f"alias: {r}")
        r = await c.call_tool("list_studies", {"limit": -1})
        check(r.is_error and "limit" in r.content[0].text, f"bad argument: {r}")
        p = await c.get_prompt("test_simple_prompt")
        check(p.messages[0].content.text != "", f"prompt: {p}")
        d = await c.read_resource("test://static-text")
        check(d.contents[0].text != "", f"resource: {d}")
        try:
            await c.call_tool("no_such_tool", {})
            check(False, "an unknown tool was called")
        except Exception as e:  # noqa: BLE001: the client's own error type
            check("no_such_tool" in str(e), f"unknown tool: {e}")
        protocol = c.protocol_version
    async with Client(transport(os.environ["MINDGATE_FREE_KEY"])) as c:
        await c.list_tools()
        for i in range(4):
            r = await c.call_tool("create_mind", {"name": f"Ada {i}", "mode": "manual"})
            if r.is_error:
                break
        check(r.is_error and "PLAN_LIMIT" in r.content[0].text, f"plan limit: {r}")
    print(f"python mcp {version('mcp')}: {protocol}, {len(names)} tools, call, hidden, alias, refusal, prompt, resource, plan limit")


asyncio.run(main())
