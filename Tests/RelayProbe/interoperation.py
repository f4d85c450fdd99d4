"""Exchanges events with a relay in both event modes, using the Python client of NATS.

Usage: interoperation.py SERVER-PORT RELAY-PROBE
"""

import asyncio
import json
import subprocess
import sys

import nats

PORT, PROBE = sys.argv[1:]
ADDRESS = f"nats://127.0.0.1:{PORT}"


def structured(number, **more):
    return json.dumps({"specversion": "1.0", "id": f"s{number}", "source": "python", "type": "test.tick.v1",
                       "data": {"poster": 7, "number": number}} | more).encode()


def binary(number):
    return json.dumps({"poster": 7, "number": number}).encode()


async def exchange(mode):
    probe = subprocess.Popen([PROBE, "mirror", ADDRESS, mode], stdout=subprocess.PIPE, text=True)
    try:
        assert await asyncio.to_thread(probe.stdout.readline) == "ready\n"
        client = await nats.connect(ADDRESS)
        answers = await client.subscribe("tidings.test.tock.*")
        await client.flush()
        headers = {"Ce-SpecVersion": "1.0", "CE-ID": "b2", "ce-source": "py%20thon", "Ce-Type": "test.tick.v1",
                   "Content-Type": "application/json", "ce-traceparent": "00-1"}
        messages = [
            (structured(1), {"Content-Type": "application/cloudevents+json; charset=UTF-8"}),
            (binary(2), headers),
            (structured(3, traceparent="00-1"), None),
        ]
        for body, headers in messages:
            await client.publish("tidings.test.tick.v1", body, headers=headers)
        for number in (1, 2, 3):
            message = await answers.next_msg(timeout=20)
            if mode == "structured":
                assert message.headers["content-type"] == "application/cloudevents+json", message.headers
                event = json.loads(message.data)
                data = event["data"]
            else:
                event = {name[3:]: value for name, value in message.headers.items() if name.startswith("ce-")}
                assert message.headers["content-type"] == "application/json", message.headers
                data = json.loads(message.data)
            assert message.subject == "tidings.test.tock.v1" and data == {"number": number}, (message.subject, data)
            assert event["specversion"] == "1.0" and event["type"] == "test.tock.v1" and event["source"] == "mirror", event
            assert event["id"] and event["time"].endswith("Z"), event
            assert (event.get("traceparent") == "00-1") == (number > 1), event
        await client.close()
    finally:
        probe.kill()
        probe.wait()
    print(f"{mode}: three events each way")


for mode in ("structured", "binary"):
    asyncio.run(exchange(mode))
