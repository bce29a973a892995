"""Every tool of the real catalogue, judged from outside: schemas that compile,
hints that are all there, a list with the same bytes each time, and results that
fit their full output schema with a text block of the same JSON."""

import asyncio
import json
import os
import sys
import urllib.request

from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

url = os.environ["MINDGATE_REAL_URL"]
key = os.environ["MINDGATE_API_KEY"]
called = set()


def check(ok, what):
    if not ok:
        sys.exit(f"results: {what}")


def listed_bytes():
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json", "Accept": "application/json", "MCP-Protocol-Version": "2025-11-25"}
    return urllib.request.urlopen(urllib.request.Request(url + "?explicit=true", body, headers)).read()


async def schemas(c, name):
    got = await c.read_resource(f"mindgate://tools/{name}/schema")
    return json.loads(got.contents[0].text)


async def main():
    first = listed_bytes()
    check(all(listed_bytes() == first for _ in range(19)), "tools/list differs between calls")
    tools = {t["name"]: t for t in json.loads(first)["result"]["tools"]}
    http = create_mcp_http_client(headers={"Authorization": "Bearer " + key})
    async with Client(streamable_http_client(url + "?explicit=true", http_client=http)) as c:
        full = {name: await schemas(c, name) for name in tools}
        for name, t in tools.items():
            Draft202012Validator.check_schema(t["inputSchema"])
            Draft202012Validator.check_schema(full[name]["inputSchema"])
            Draft202012Validator.check_schema(full[name]["outputSchema"])
            check(t["inputSchema"]["type"] == "object", f"{name}: no object at the root")
            hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
            check(hints <= set(t["annotations"]), f"{name}: hints are missing")

        def fits(name, got):
            for what, schema in (("full", full[name]["outputSchema"]), ("listed", tools[name]["outputSchema"])):
                for e in Draft202012Validator(schema).iter_errors(got):
                    check(False, f"{name}: {what} schema: {'/'.join(map(str, e.absolute_path))}: {e.message}")

        async def call(name, args):
            r = await c.call_tool(name, args)
            check(not r.is_error, f"{name}: {r.content[0].text}")
            got = r.structured_content
            check(json.loads(r.content[0].text) == got, f"{name}: text and structured content differ")
            fits(name, got)
            called.add(name)
            return got

        async def until(name, args, done):
            for _ in range(200):
                got = await call(name, args)
                if done(got):
                    return got
                await asyncio.sleep(0.05)
            check(False, f"{name}: never came to its end")

        minds = []
        for i in range(3):
            made = await call("create_mind", {"name": f"Member {i}", "mode": "clone", "includeWebSearch": False,
                                              "personaContext": f"Age: {30 + i}\nI never eat eggs."})
            minds.append(made["mind"]["id"])
        for m in minds:
            await until("get_mind_status", {"mindId": m}, lambda s: s["training"]["readyToChat"])
        await call("list_minds", {"limit": 2})
        await call("chat_with_mind", {"mindId": minds[0], "message": "Do you eat eggs?"})
        audience = (await call("create_audience", {"name": "Three", "mindIds": minds}))["audience"]["id"]
        await call("list_audiences", {"includeMinds": True})
        await call("get_audience", {"audienceId": audience})
        study = (await call("create_study", {"name": "Breakfast", "audienceIds": [audience]}))["studyId"]
        await call("list_studies", {})
        for question in ("Do you eat eggs?", "How much do you like mornings, on a scale from 1 to 5?",
                         "Which of these do you eat? Select all that apply: Bread / Cereal / Eggs", "What do you eat in the morning?"):
            asked = await call("ask_study", {"studyId": study, "question": question})
            await until("get_study_status", {"studyId": study, "questionId": asked["questionId"]}, lambda s: s["recentResults"])
        await call("get_study_status", {"studyName": "breakfast"})
        await call("get_study_analytics", {"studyId": study})
        job = await call("export_study", {"studyId": study, "format": "md"})
        await until("get_study_status", {"studyId": study, "exportJobId": job["jobId"], "exportKind": job["kind"], "exportFormat": job["format"]},
                    lambda s: s["exportStatus"]["status"] == "completed")
        # What the conversation above does not need is called by its own example;
        # records of examples are not there, so some of these are refusals.
        refused = set()
        for name in sorted(set(tools) - called - {"find_tools"}):
            r = await c.call_tool(name, full[name]["examples"][0])
            fits(name, r.structured_content)
            (refused if r.is_error else called).add(name)
        # A refusal fits the same schemas as a result.
        for name in tools:
            r = await c.call_tool(name, {"noSuchArgument": 1})
            check(r.is_error and r.structured_content["error"]["code"], f"{name} takes an argument that it does not have")
            fits(name, r.structured_content)
    only = f", {len(refused)} tools only refused ({', '.join(sorted(refused))})" if refused else ""
    print(f"python jsonschema: {len(called)} tools answered{only}; results and refusals fit their full and listed schemas; the list is {len(first)} bytes each time")


asyncio.run(main())
