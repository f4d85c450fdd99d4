#!/usr/bin/python3
"""Plants each fault in a program, and searches for the line that causes it: on the page, in the terminal, and in logs and metrics alone.

    Tests/Browser/faults.py PROGRAM TERMINAL [FOLDER] [FAULT ...]

PROGRAM is the Shop of Examples/Inspected, TERMINAL is tidings-top. The line has to be displayed after at most two clicks, or two keys,
within ten seconds (TIDINGS_PATIENCE times as long, for a busy machine). In the same time, the log has to name the line, or a metric has to
name the line or the notification type. The two leaks are exempt. With a FOLDER, pictures of the first screen of each fault are saved there,
light and dark, at 390, 900 and 1600 pixels. Prints a table of the results.
"""

import os
import pathlib
import queue
import re
import sys
import time

from browser import Browser, Failed
from program import Program, free_port
from terminal import Terminal

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "Examples/Inspected/Sources/Shop/Faults.swift"
SECONDS = 10 * float(os.environ.get("TIDINGS_PATIENCE", "1"))

# A part of the warning for each fault; `None` if a number shows the fault instead.
WORDS = {
    "hang": "has been running for", "observers": "observers were registered from one line", "owners": "own observers", "drops": "were dropped",
    "outlier": "a call of an observer took", "queue": "the queue of an observer has grown", "cycle": "posts cause each other in a cycle",
    "storm": None, "pool": "the cooperative thread pool has started no work", "sender": "was never called", "condition": "was never called",
    "nobody": "while it had no observers", "retry": "for the next attempt", "errors": "will not be delivered to it again",
    "main": "kept the main actor busy",
}
# `LOGGED` contains a part of each log line that also contains the fault's place. `MEASURED_ALONE` contains patterns of metrics with the fault's
# type or place. Logs and metrics don't show leaks.
LOGGED = {
    "hang": r"a call is taking long", "drops": r"notifications? dropped", "queue": r"the queue grows",
    "pool": r"the cooperative thread pool starts no work", "retry": r"notification will be retried", "errors": r"notification failed",
    "main": r"the main actor is kept busy",
}
MEASURED_ALONE = {
    "outlier": r"tidings\.delivery\.duration\{notification=Shop\.Alpha,.* max=0\.[3-9]",
    "cycle": r"tidings\.posts\{.*,posted_at=PLACE\} total=\d{4,}", "storm": r"tidings\.posts\{.*,posted_at=PLACE\} total=\d{5,}",
    "sender": r"tidings\.warnings\{notification=Shop\.Branched,kind=never_called,",
    "condition": r"tidings\.warnings\{notification=Shop\.Alpha,kind=never_called,",
    "nobody": r"tidings\.posts\.unobserved\{.*,posted_at=PLACE\} total=\d{2,}",
}
# The faults that are only found while calls are measured.
MEASURED = {"outlier", "cycle", "storm", "sender", "nobody"}


def lines():
    """Returns the line number of each fault, by the name of the fault."""
    found = {}
    for number, text in enumerate(SOURCE.read_text().splitlines(), 1):
        if mark := re.search(r"  // (\w+)$", text):
            found[mark[1]] = number
    return found


SEEN = "(() => { const p = document.getElementById('panel'); return [p.hidden ? '' : p.innerText, ...['warnings', 'observers', 'types'].map(id => document.getElementById(id).innerText)].join('\\n'); })()"


def on_the_page(browser, program, fault, place, folder):
    """Clicks until the line appears. Returns the number of clicks and seconds as text."""
    browser.size(1600, 1000)
    browser.open(program.door)
    browser.wait_for("document.getElementById('state')?.dataset.state === 'live'")
    clicks, begin = 0, time.monotonic()
    if fault in MEASURED:
        browser.evaluate("document.querySelector('[value=count]').click()")
        clicks += 1
    words = WORDS[fault]
    named = f"[...document.querySelectorAll('#warnings li:not(.over)')].find(w => w.innerText.includes({words!r}))" if words else "true"
    browser.wait_for(f"Boolean({named})", f"a warning: {words}", SECONDS)
    if fault == "owners":
        # The warning is about a type of objects. A click on the warning shows what these objects observe.
        browser.evaluate(f"{named}.querySelector('button').click()")
        clicks += 1
    browser.wait_for(f"{SEEN}.includes({place!r})", f"the line {place}", SECONDS)
    took = time.monotonic() - begin
    if folder:
        for colours in ("light", "dark"):
            browser.colours(colours)
            for width, height in ((390, 844), (900, 1000), (1600, 1000)):
                browser.size(width, height)
                browser.wait_for(f"innerWidth === {width}")
                browser.screenshot(folder / f"{fault}-{width}-{colours}.png", whole=False)
        browser.colours("light")
    if clicks > 2:
        raise Failed(f"{clicks} clicks")
    return f"{clicks} clicks, {took:.0f} s"


def in_the_terminal(top, program, fault, place):
    """Presses keys until the line appears. Returns the number of keys and seconds as text."""
    terminal = Terminal(top, program.door, columns=150, lines=40)
    try:
        terminal.wait_for(lambda s: s and s[0].endswith("live"), "the first screen")
        keys, begin = 0, time.monotonic()
        if fault in MEASURED and "count" not in terminal.read()[0]:
            terminal.press("c")
            keys += 1
        terminal.wait_for(lambda lines: any(place in line for line in lines), f"the line {place}", SECONDS)
        return f"{keys} keys, {time.monotonic() - begin:.0f} s"
    finally:
        terminal.press("q")


def in_logs_and_metrics(program, fault, place):
    """Waits until a log line or a metric names the fault. Returns `log` or `metric`, and the number of seconds, as text."""
    if fault in ("observers", "owners"):
        return "–"
    begin = time.monotonic()
    if fault in LOGGED:
        pattern, kind = LOGGED[fault] + ".*" + re.escape(place) + r"(?!\d)", "log"
        pattern = f"{pattern}|{re.escape(place)}(?!\\d).*{LOGGED[fault]}"
    else:
        pattern, kind = "^metric " + MEASURED_ALONE[fault].replace("PLACE", re.escape(place)), "metric"
    while time.monotonic() - begin < SECONDS:
        try:
            line = program.lines.get(timeout=0.5)
        except queue.Empty:
            continue
        if line is None:
            raise Failed("the program has ended")
        if re.search(pattern, line):
            return f"{kind}, {time.monotonic() - begin:.0f} s"
    raise Failed(f"no line with {pattern}")


def main(path, top, folder, faults):
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    failed = False
    known = lines()
    with Browser() as browser:
        for fault in faults or WORDS:
            place = f"Shop/Faults.swift:{known[fault]}"
            found = []
            ways = (
                (lambda p: on_the_page(browser, p, fault, place, folder), []), (lambda p: in_the_terminal(top, p, fault, place), []),
                (lambda p: in_logs_and_metrics(p, fault, place), ["--monitors"]))
            for look, arguments in ways:
                program = Program(path, free_port(), "--fault", fault, *arguments)
                try:
                    found.append(look(program))
                except Failed as failure:
                    failed = True
                    found.append(f"NOT FOUND: {str(failure)[:400]}")
                    if folder:
                        browser.screenshot(folder / f"{fault}-failed.png", whole=True)
                finally:
                    program.end()
            print(f"  {fault:10} page: {found[0]:20} terminal: {found[1]:20} logs and metrics: {found[2]}", flush=True)
    if failed:
        sys.exit("failed: not every fault leads to its line")


arguments = sys.argv[1:]
if len(arguments) < 2:
    sys.exit(__doc__)
pictures = pathlib.Path(arguments[2]) if len(arguments) > 2 and arguments[2] not in WORDS else None
main(arguments[0], arguments[1], pictures, [a for a in arguments[2:] if a in WORDS])
