"""The client of fastmcp: connect, list, call, refuse, prompt, resource."""

import asyncio
import json
import os
import sys
from importlib.metadata import version

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

want = json.load(open(os.environ["WANT"]))
url = os.environ["MINDGATE_URL"]


def transport(key):
    return StreamableHttpTransport(url, headers={"Authorization": "Bearer " + key})


def check(ok, what):
    if not ok:
        sys.exit(f"fastmcp: {what}")


async def main():
    async with Client(transport(os.environ["MINDGATE_API_KEY"])) as c:
        names = [t.name for t in await c.list_tools()]
        check(names == want["listed"], f"listed {names}")
        r = await c.call_tool("list_studies", {"limit": 5})
        check(r.structured_content["limit"] == 5, f"call: {r}")
        r = await c.call_tool(want["hidden"], {})
        check(not r.is_error and want["hidden"] not in names, f"hidden tool: {r}")
        r = await c.call_tool(want["alias"], {})
        check("studies" in r.structured_content, f"alias: {r}")
        r = await c.call_tool("list_studies", {"limit": -1}, raise_on_error=False)
        check(r.is_error and "limit" in r.content[0].text, f"bad argument: {r}")
        p = await c.get_prompt("test_simple_prompt")
        check(p.messages[0].content.text != "", f"prompt: {p}")
        d = await c.read_resource("test://static-text")
        check(d[0].text != "", f"resource: {d}")
        protocol = c.protocol_version
    async with Client(transport(os.environ["MINDGATE_FREE_KEY"])) as c:
        await c.list_tools()
        for i in range(4):
            r = await c.call_tool("create_mind", {"name": f"Ben {i}", "mode": "manual"}, raise_on_error=False)
            if r.is_error:
                break
        check(r.is_error and "PLAN_LIMIT" in r.content[0].text, f"plan limit: {r}")
    print(f"fastmcp {version('fastmcp')}: {protocol}, {len(names)} tools, call, hidden, alias, refusal, prompt, resource, plan limit")


asyncio.run(main())
