#!/usr/bin/python3
"""Takes two pictures of the inspector for the README, in light and in dark mode. With --night, takes one picture for the inspector's article.

    Tests/Browser/pictures.py PROGRAM FOLDER
    Tests/Browser/pictures.py --night PROGRAM FILE

PROGRAM is the Shop of Examples/Inspected, built for release. The pictures for the README are taken when the page shows all of these: a
chart line of half a minute, a warning about a queue, a warning that is over, drops, and posts that led to others.
"""

import base64
import os
import pathlib
import re
import subprocess
import sys

from browser import Browser, Failed
from program import Program, free_port

WORTH_SHOWING = {
    "a warning about a queue": "[...document.querySelectorAll('#warnings li:not(.over)')].some(w => /wait/.test(w.innerText))",
    "a warning that is over": "document.querySelector('#warnings li.over') !== null",
    "drops": "document.querySelectorAll('.total')[3].classList.contains('warn')",
    "a chart line of half a minute": "(document.querySelector('#totals .line').getAttribute('d').match(/L/g) ?? []).length >= 60",
}


# One of the first rows shows a StockChanged, which an observer of another notification has posted.
A_POST_THAT_LED_TO_OTHERS = "[...document.querySelectorAll('#posts li')].slice(0, 8).some(li => /StockChanged/.test(li.innerText))"


def main(program, folder):
    process = subprocess.Popen([program], stdout=subprocess.PIPE, text=True, env=dict(os.environ, SHOP_PORT=str(free_port())))
    try:
        address = re.search(r"http://\S+", process.stdout.readline())
        if not address:
            raise Failed("the program has not printed the address of its inspector")
        with Browser() as browser:
            browser.size(1440, 1390, scale=1.5)
            browser.colours("light")
            browser.open(address[0])
            browser.wait_for("document.getElementById('state')?.dataset.state === 'live'")
            browser.evaluate("document.querySelector('[value=follow]').click()")
            for what, condition in WORTH_SHOWING.items():
                browser.wait_for(condition, what, 120)
            for colours in ("light", "dark"):
                browser.colours(colours)
                browser.wait_for(f"matchMedia('(prefers-color-scheme: {colours})').matches")
                # Some of these may have disappeared from the page in the meantime.
                browser.wait_for(" && ".join([*WORTH_SHOWING.values(), A_POST_THAT_LED_TO_OTHERS]), "all that is worth showing", 120)
                data = browser.call("Page.captureScreenshot", format="webp", quality=82)["data"]
                file = pathlib.Path(folder, f"inspector-{colours}.webp")
                file.write_bytes(base64.b64decode(data))
                print(f"{file}: {file.stat().st_size // 1000} KB")
            if browser.console:
                raise Failed(f"the page logged errors or warnings: {browser.console}")
    finally:
        process.kill()
        process.wait()


def night(path, file):
    """Takes a picture of the page during the incident of `Night.swift`, with the details of the stuck observer."""
    program = Program(path, free_port(), "--night")
    try:
        with Browser() as browser:
            browser.size(1560, 980)
            browser.colours("light")
            browser.open(program.door)
            browser.wait_for("document.getElementById('state')?.dataset.state === 'live'")
            browser.evaluate("document.querySelector('[value=follow]').click()")
            browser.wait_for("document.querySelectorAll('#warnings li:not(.over)').length >= 3", "warnings about the problems", 60)
            browser.evaluate("[...document.querySelectorAll('#warnings li:not(.over)')].find(w => /has been running for/.test(w.innerText)).click()")
            browser.wait_for("/Stuck: running for 1[0-9]/.test(document.getElementById('panel').innerText)", "a stuck observer, for ten seconds", 60)
            data = browser.call("Page.captureScreenshot", format="png")["data"]
            pathlib.Path(file).write_bytes(base64.b64decode(data))
            print(f"{file}: {pathlib.Path(file).stat().st_size // 1000} KB")
    finally:
        program.end()


if len(sys.argv) == 4 and sys.argv[1] == "--night":
    night(*sys.argv[2:])
elif len(sys.argv) == 3:
    main(sys.argv[1], sys.argv[2])
else:
    sys.exit(__doc__)
