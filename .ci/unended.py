#!/usr/bin/env python3
"""Names the tests that began and did not end, from the file of events that `swift test --event-stream-output-path` writes.

    .ci/unended.py FILE
"""
import json
import sys

try:
    lines = open(sys.argv[1]).read().splitlines()
except OSError:
    sys.exit("No test began.")
names, running, run = {}, {}, "began"
for line in lines:
    try:
        record = json.loads(line)
    except ValueError:
        continue  # The last line, if the process ended while it wrote.
    payload = record["payload"]
    if record["kind"] == "test":
        names[payload["id"]] = payload.get("displayName", payload["name"])
        continue
    match payload["kind"]:
        case "testStarted":
            running[payload["testID"]] = payload["instant"]["since1970"]
        case "testEnded" | "testSkipped":
            running.pop(payload["testID"], None)
        case "runEnded":
            run = "ended"
    now = payload["instant"]["since1970"]
if run == "ended":
    print("All tests ended, and the process did not.")
elif not running:
    print("No test was under way.")
for test, since in sorted(running.items(), key=lambda item: item[1])[:20]:
    print(f'"{names.get(test, test)}" did not end: it began {now - since:.0f} s before the last event.')
