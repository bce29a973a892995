"""Puts ids of records that exist into generated requests, most of the time."""

import json
import os
import zlib

import schemathesis

with open(os.environ["MINDGATE_IDS"], encoding="utf-8") as file:
    IDS = json.load(file)

# Refusals that the contract gives a status of the server's, though the server is well.
AGREED = {"PREVIEW_FAILED"}

PLURAL = {"mindIds": "mindId", "audienceIds": "audienceId"}

# What a name means to an operation. Deletions take records that are there for them.
MEANT = {
    "deleteMind": {"mindId": "spareMindId"},
    "deleteMinds": {"mindId": "spareMindId"},
    "deleteChat": {"chatId": "spareChatId"},
    "updateModelConnection": {"id": "connectionId"},
    "verifyModelConnection": {"id": "connectionId"},
    "deleteModelConnection": {"id": "spareConnectionId"},
    "deleteStudy": {"studyId": "spareStudyId"},
    "getStudyHeatmap": {"studyId": "heatmapStudyId", "messageId": "heatmapMessageId"},
    "startStudyHeatmap": {"studyId": "heatmapStudyId", "messageId": "heatmapMessageId"},
    "getStudyTemplate": {"id": "templateId"},
    "updateStudyTemplate": {"id": "templateId"},
    "instantiateStudyTemplate": {"id": "templateId"},
    "deleteStudyTemplate": {"id": "spareTemplateId"},
}
# Ids below another one are found only under their own.
PAIRS = {"deleteMindKnowledgeItem": "spareTogether", "getStudyResearchStudy": "runsTogether"}


def operation(ctx):
    return (ctx.operation.definition.raw if ctx.operation else {}).get("operationId")


def kind(ctx, name):
    """The list of ids that a name of this operation is filled from."""
    return MEANT.get(operation(ctx), {}).get(name, name)


def chance(drawn):
    """A number by what was drawn, so that a failure repeats."""
    return zlib.crc32(repr(drawn).encode())


def pick(name, drawn):
    """One of the ids; one in four stays as drawn."""
    known, n = IDS.get(name), chance(drawn)
    if not known or n % 4 == 0:
        return drawn
    return known[n // 4 % len(known)]


@schemathesis.hook
def map_path_parameters(ctx, path_parameters):
    if path_parameters:
        for name, drawn in path_parameters.items():
            path_parameters[name] = pick(kind(ctx, name), drawn)
        pairs = IDS[PAIRS.get(operation(ctx), "together")]
        n = chance(sorted(path_parameters.items()))
        if n % 4 and pairs and pairs[0].keys() == path_parameters.keys():
            path_parameters.update(pairs[n // 4 % len(pairs)])
    return path_parameters


@schemathesis.hook
def map_body(ctx, body):
    if isinstance(body, dict):
        for name, drawn in body.items():
            if name in IDS and isinstance(drawn, str):
                body[name] = pick(name, drawn)
            elif name in PLURAL and isinstance(drawn, list):
                body[name] = list(dict.fromkeys(pick(kind(ctx, PLURAL[name]), d) for d in drawn if isinstance(d, str))) or drawn
            elif name == "modelConnection" and isinstance(drawn, dict):
                body[name] = pick("connection", drawn)
            elif name == "responseThread" and isinstance(drawn, dict):
                body[name] = pick("threads", drawn)
            elif name == "file" and isinstance(drawn, dict) and isinstance(drawn.get("url"), str):
                body[name] = {**drawn, "url": pick("uploadPath", drawn["url"])}
    return body


@schemathesis.check
def only_agreed_server_errors(ctx, response, case):
    if response.status_code >= 500 and response.json().get("data", {}).get("code") not in AGREED:
        raise AssertionError(f"a server error that the contract does not name: {response.text[:400]}")
