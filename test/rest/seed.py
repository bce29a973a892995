"""Fills a fresh program with records, and prints their ids as JSON.

Without them, nearly every generated request would end at "not found".
"""

import base64
import json
import sys
import time
import urllib.request

BASE, KEY, STANDIN = sys.argv[1], sys.argv[2], sys.argv[3]
MINDS = 24
SPARE = 40
# A small PNG: even but for a spot in its upper left.
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAAAR0lEQVR42u3UOQ0AIAAEQUQgAhEowb8AaipaQkPFkzDJCpjmLsSUnyoAAe0FtVrGLoMmzRkT"
    "ENBXK3OMQEBAQEBAQEBAQOs6MVMhCq+tw2wAAAAASUVORK5CYII="
)
REPORT = "test/e2e/showcase/testdata/report.pdf"


def send(method, url, body, headers):
    request = urllib.request.Request(url, method=method, data=body, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def call(method, path, body=None):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    found = json.loads(send(method, BASE + path, None if body is None else json.dumps(body).encode(), headers) or b"{}")
    return found.get("data", found)


def until(read, done, what):
    for _ in range(600):
        value = read()
        if done(value):
            return value
        time.sleep(0.1)
    sys.exit(f"{what} was not ready within a minute: {value}")


def multipart(path, name, kind, content):
    bound = "----bound-of-a-part"
    head = f'--{bound}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'
    body = head.encode() + content + f"\r\n--{bound}--\r\n".encode()
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": f"multipart/form-data; boundary={bound}"}
    return json.loads(send("POST", BASE + path, body, headers))["data"]


def uploaded(name, content):
    up = call("POST", "/api/v1/uploads", {"name": name, "folder": "context", "sizeBytes": len(content)})
    send("PUT", up["uploadUrl"], content, {})
    return up["path"]


def knowledge(mind, n):
    """An item of another kind for every n."""
    at = f"/api/v1/minds/{mind}/knowledge"
    match n % 5:
        case 0:
            with open(REPORT, "rb") as file:
                return multipart(at, "report.pdf", "application/pdf", file.read())
        case 1:
            return multipart(at, "notes.txt", "text/plain", f"I drink coffee each morning. {mind}".encode())
        case 2:
            return call("POST", at, {"link": f"{STANDIN}/page/{n}"})
        case 3:
            return call("POST", at, {"text": "I always weigh my beans, and I prefer a light roast."})
        case 4:
            return call("POST", at, {"file": {"name": "rows.csv", "url": uploaded("rows.csv", b"name,cups\nAda,3\n")}})


def main():
    ids = {"mindId": [], "audienceId": [], "studyId": [], "runId": [], "messageId": [], "together": [], "threads": []}
    for n in range(MINDS):
        body = {"name": f"Respondent {n}", "mode": "keywords", "keywords": ["coffee", f"topic {n}"], "includeWebSearch": n % 3 == 0}
        ids["mindId"].append(call("POST", "/api/v1/minds", body)["id"])
    for mind in ids["mindId"]:
        until(lambda: call("GET", f"/api/v1/minds/{mind}/training"), lambda t: t["status"] in ("completed", "failed"), mind)
    # Items that stay, and items that may be deleted.
    for kept in ("together", "spareTogether"):
        ids[kept] = []
        for n, mind in enumerate(ids["mindId"][:10]):
            item = knowledge(mind, n)
            ids[kept].append({"mindId": mind, "itemId": item["id"]})
            at = f"/api/v1/minds/{mind}/knowledge/{item['id']}/status"
            until(lambda: call("GET", at), lambda t: t["status"] in ("completed", "failed"), at)
    ids["link"] = [f"{STANDIN}/page/{n}" for n in range(9)]
    ids["uploadPath"] = [uploaded(f"notes-{n}.md", f"# Notes\n\nI drink {n} cups.".encode()) for n in range(6)]
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
        ids["threads"] += [{"studyId": study, "messageId": m["id"]} for m in found if m.get("id")]
    # A question that shows a picture, for heatmaps.
    picture = uploaded("ad.png", base64.b64decode(PICTURE))
    ids["assetKey"] = [picture]
    shown = call("POST", "/api/v1/studies", {"name": "Advert", "audienceIds": ids["audienceId"][:1]})["id"]
    ids["heatmapStudyId"] = [shown]
    call("POST", f"/api/v1/studies/{shown}/runs", {"question": "Do you like it? (Yes / No)", "attachments": [{"path": picture}]})
    found = until(lambda: call("GET", f"/api/v1/studies/{shown}").get("messages", []), bool, "the question with a picture")
    ids["heatmapMessageId"] = [m["id"] for m in found if m.get("id")]
    of = ids["mindId"]
    for kept, count in (("chatId", 9), ("spareChatId", SPARE)):
        ways = [{"mindId": of[1]}, {"mindIds": of[2:5]}, {"audienceIds": ids["audienceId"][:1]}]
        ids[kept] = [call("POST", "/api/v1/chats", ways[n % 3])["id"] for n in range(count)]
    ids["connection"], ids["connectionId"], ids["spareConnectionId"] = [], [], []
    for n in range(8):
        at = "/api/v1/model-connections"
        made = call("POST", at, {"name": f"Own {n}", "provider": "openai_compatible", "model": "small", "endpoint": STANDIN + "/v1"})
        if n < 4:
            call("POST", f"{at}/{made['id']}/verify")
        kept = "spareConnectionId" if n >= 5 else "connectionId" if n >= 2 else None
        if kept:
            ids[kept].append(made["id"])
        else:  # changed by nobody, so that they can be named with their revision
            ids["connection"].append({"id": made["id"], "revision": made["revision"]})
    ids["spareStudyId"] = [call("POST", "/api/v1/studies", {"name": f"Spare {n}", "audienceIds": ids["audienceId"][:1]})["id"] for n in range(SPARE)]
    one = {"text": "Why?", "response": {"type": "qualitative"}}
    instrument = {"version": 1, "goal": "pricing", "studyLocale": "en", "methodId": "questionnaire", "questions": [one]}
    for kept, count in (("templateId", 6), ("spareTemplateId", SPARE)):
        made = [call("POST", "/api/v1/study-templates", {"name": f"Template {n}", "configuration": instrument}) for n in range(count)]
        ids[kept] = [t["id"] for t in made]
    # Planned runs, each found under its Study alone, and drafts that wait.
    ids["runsTogether"], ids["draftPlanId"] = [], []
    request = "We sell coffee.\n1. Do you drink coffee?\n2. If yes, how many cups a day?\n3. How much do you like it? (1-5)"
    for study in ids["studyId"]:
        at = f"/api/v1/studies/{study}"
        plan = call("POST", f"{at}/research-plans/preview", {"request": request})
        run = call("POST", f"{at}/research-runs", {"draftPlanId": plan["draftPlanId"], "revision": 1, "confirmation": {"accepted": True}})
        ids["runsTogether"].append({"studyId": study, "runId": run["runId"]})
        ids["runId"].append(run["runId"])
        ids["draftPlanId"].append(call("POST", f"{at}/research-plans/preview", {"request": request + " Please."})["draftPlanId"])
    ids["endpoint"] = [STANDIN + "/v1"]
    json.dump(ids, sys.stdout)


main()
