#!/usr/bin/env python3
"""Reads the file of events that `swift test --event-stream-output-path` writes.

    .ci/test-events.py unended FILE    prints the tests that began and did not end
    .ci/test-events.py failed FILE     prints the tests that failed, as a filter for `swift test`, or nothing if there are more than ten
"""
import json
import re
import sys


def records(path):
    try:
        lines = open(path).read().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            return  # the last line, if the process ended while writing it


def unended(path):
    names, running, run, now = {}, {}, "", 0
    for record in records(path):
        payload = record["payload"]
        if record["kind"] == "test":
            names[payload["id"]] = payload.get("displayName", payload["name"])
            continue
        run = "began"
        now = payload["instant"]["since1970"]
        match payload["kind"]:
            case "testStarted":
                running[payload["testID"]] = now
            case "testEnded" | "testSkipped":
                running.pop(payload["testID"], None)
            case "runEnded":
                run = "ended"
    if not run:
        print("No test began.")
    elif run == "ended":
        print("All tests ended, but the process did not.")
    elif not running:
        print("No test was running.")
    for test, since in sorted(running.items(), key=lambda item: item[1])[:20]:
        print(f'"{names.get(test, test)}" did not end: it began {now - since:.0f} s before the last event.')


def failed(path):
    functions, found = {}, set()
    for record in records(path):
        payload = record["payload"]
        if record["kind"] == "test":
            if payload["kind"] == "function":
                place = payload["sourceLocation"]
                # The end of the test's identifier, which `swift test` matches against a filter.
                functions[payload["id"]] = f'{place["fileID"].split("/")[-1]}:{place["line"]}:{place["column"]}'
        elif payload["kind"] == "issueRecorded":
            issue = payload["issue"]
            if issue.get("isKnown") or issue.get("isFailure") is False or issue.get("severity") == "warning":
                continue
            test = payload.get("testID")
            if test not in functions:
                return  # An issue without a test, or of a suite, so single tests can't be repeated.
            found.add(functions[test])
    if 0 < len(found) <= 10:
        print("/(" + "|".join(map(re.escape, sorted(found))) + ")$")


{"unended": unended, "failed": failed}[sys.argv[1]](sys.argv[2])
