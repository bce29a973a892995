"""Fills a fresh program with records, and prints their ids as JSON.

Without them, nearly every generated request would end at "not found".
"""

import json
import sys
import time
import urllib.request

BASE, KEY = sys.argv[1], sys.argv[2]
MINDS = 24
SPARE = 40


def call(method, path, body=None, headers=None):
    request = urllib.request.Request(
        BASE + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **(headers or {})},
    )
    with urllib.request.urlopen(request) as answer:
        found = json.load(answer)
        return found.get("data", found)


def until(read, done, what):
    for _ in range(300):
        value = read()
        if done(value):
            return value
        time.sleep(0.1)
    sys.exit(f"{what} was not ready within 30 seconds: {value}")


def multipart(path, name, text):
    bound = "----bound-of-a-part"
    body = (
        f"--{bound}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n"
        f"Content-Type: text/plain\r\n\r\n{text}\r\n--{bound}--\r\n"
    ).encode()
    request = urllib.request.Request(
        BASE + path,
        method="POST",
        data=body,
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": f"multipart/form-data; boundary={bound}"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]


def main():
    ids = {"mindId": [], "audienceId": [], "studyId": [], "runId": [], "messageId": [], "together": []}
    for n in range(MINDS):
        made = call("POST", "/api/v1/minds", {"name": f"Respondent {n}", "mode": "keywords", "keywords": ["coffee", f"topic {n}"]})
        ids["mindId"].append(made["id"])
    for mind in ids["mindId"]:
        until(lambda: call("GET", f"/api/v1/minds/{mind}/training"), lambda t: t["status"] in ("completed", "failed"), mind)
    for mind in ids["mindId"][:6]:
        item = multipart(f"/api/v1/minds/{mind}/knowledge", "notes.txt", f"I drink coffee each morning. {mind}")
        ids["together"].append({"mindId": mind, "itemId": item["id"]})
    # What may be deleted in a run, so that the rest stays to be read.
    ids["spareMindId"] = [call("POST", "/api/v1/minds", {"name": f"Spare {n}", "mode": "manual"})["id"] for n in range(SPARE)]
    shown = call("PUT", f"/api/v1/minds/{ids['mindId'][0]}", {"isLinkSharingEnabled": True})
    ids["shareId"] = [shown["publicShareId"]]
    for n in range(3):
        made = call("POST", "/api/v1/audiences", {"name": f"Audience {n}", "mindIds": ids["mindId"][n * 4 : n * 4 + 4]})
        ids["audienceId"].append(made["id"])
    for n in range(3):
        made = call("POST", "/api/v1/studies", {"name": f"Study {n}", "audienceIds": [ids["audienceId"][n]]})
        study = made["id"]
        ids["studyId"].append(study)
        run = call(
            "POST",
            f"/api/v1/studies/{study}/runs",
            {"question": "Do you drink coffee? (Yes / No)", "clientRequestId": f"00000000-0000-4000-8000-00000000000{n}"},
        )
        ids["runId"].append(run.get("runId") or run.get("id"))
    for study in ids["studyId"]:
        found = until(
            lambda: call("GET", f"/api/v1/studies/{study}").get("messages", []),
            lambda m: bool(m),
            "the question of " + study,
        )
        ids["messageId"] += [m["id"] for m in found if m.get("id")]
    json.dump(ids, sys.stdout)


main()
