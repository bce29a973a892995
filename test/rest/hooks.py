"""Puts ids of records that exist into generated requests, most of the time."""

import json
import os
import zlib

import schemathesis

with open(os.environ["MINDGATE_IDS"], encoding="utf-8") as file:
    IDS = json.load(file)

PLURAL = {"mindIds": "mindId", "audienceIds": "audienceId"}

# Deletions take records that are there for them.
SPARE = {"deleteMind": {"mindId": "spareMindId"}, "deleteMinds": {"mindId": "spareMindId"}}


def kind(ctx, name):
    """The list of ids that a name of this operation is filled from."""
    definition = ctx.operation.definition.raw if ctx.operation else {}
    return SPARE.get(definition.get("operationId"), {}).get(name, name)


def pick(name, drawn):
    """One of the ids, by what was drawn, so that a failure repeats; one in four stays as drawn."""
    known = IDS.get(name)
    n = zlib.crc32(repr(drawn).encode())
    if not known or n % 4 == 0:
        return drawn
    return known[n // 4 % len(known)]


@schemathesis.hook
def map_path_parameters(ctx, path_parameters):
    if path_parameters:
        for name, drawn in path_parameters.items():
            path_parameters[name] = pick(kind(ctx, name), drawn)
        # An id below another one is found only under its own.
        fitting = [t for t in IDS["together"] if t.keys() == path_parameters.keys() and all(kind(ctx, k) == k for k in t)]
        n = zlib.crc32(repr(sorted(path_parameters.items())).encode())
        if fitting and n % 4:
            path_parameters.update(fitting[n // 4 % len(fitting)])
    return path_parameters


@schemathesis.hook
def map_body(ctx, body):
    if isinstance(body, dict):
        for name, drawn in body.items():
            if name in IDS and isinstance(drawn, str):
                body[name] = pick(name, drawn)
            elif name in PLURAL and isinstance(drawn, list):
                body[name] = list(dict.fromkeys(pick(kind(ctx, PLURAL[name]), d) for d in drawn if isinstance(d, str))) or drawn
    return body
