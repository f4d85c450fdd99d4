"""A headless browser that is controlled through its DevTools protocol. It has only what the tests of the inspector's page need."""

import base64
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import websocket

PATIENCE = float(os.environ.get("TIDINGS_BROWSER_PATIENCE", "30"))


class Failed(Exception):
    """An expectation of the test isn't met."""


def wait_until(condition, what, seconds=PATIENCE):
    """Waits until a condition returns a true value. Returns this value and how long it took; fails after the time limit."""
    began = time.monotonic()
    while True:
        value = condition()
        if value:
            return value, time.monotonic() - began
        if time.monotonic() - began > seconds:
            raise Failed(f"not within {seconds:g} s: {what}; found {value!r}")
        # The pause comes after a check, so the first check is made at once.
        time.sleep(0.02)


class Browser:
    """A separate Chromium with one page. Records the page's console messages and the addresses that the page requests."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise Failed("chromium is not installed")
        # A signal that ends the test also ends the browser.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
        self.folder = tempfile.mkdtemp(prefix="browser-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--force-device-scale-factor=1",
             "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.console, self.requests, self.network = [], [], []
        port_file = pathlib.Path(self.folder, "DevToolsActivePort")
        wait_until(lambda: port_file.exists() and port_file.read_text().count("\n") >= 1, "the browser listens")
        port = port_file.read_text().split("\n")[0]
        pages, _ = wait_until(
            lambda: [t for t in json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json")) if t["type"] == "page"], "a page")
        self.socket = websocket.create_connection(pages[0]["webSocketDebuggerUrl"])
        self.numbers = itertools.count(1)
        self.answers = {}
        self.arrived = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self):
        try:
            while True:
                message = json.loads(self.socket.recv())
                with self.arrived:
                    if "id" in message:
                        self.answers[message["id"]] = message
                        self.arrived.notify_all()
                    else:
                        self._note(message["method"], message["params"])
        except (websocket.WebSocketException, OSError, ValueError):
            with self.arrived:
                self.answers = None
                self.arrived.notify_all()

    def _note(self, method, params):
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            entry = params["entry"]
            # A request fails if the inspected program has ended. That isn't an error of the page.
            (self.network if entry["source"] == "network" else self.console).append(entry["text"] + " " + entry.get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        """Calls a method of the protocol and returns its result."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        with self.arrived:
            if not self.arrived.wait_for(lambda: self.answers is None or number in self.answers, PATIENCE):
                raise Failed(f"the browser does not answer {method}")
            if self.answers is None:
                raise Failed("the browser has ended")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def evaluate(self, expression):
        """Returns the value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise Failed(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, what=None, seconds=PATIENCE):
        """Waits until an expression is true in the page."""
        return wait_until(lambda: self.evaluate(expression), what or expression, seconds)

    def open(self, address):
        self.call("Page.navigate", url=address)

    def size(self, width, height=1000, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def colours(self, scheme):
        """Sets the system's colour scheme: `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def key(self, key):
        """Presses a key."""
        text = key if len(key) == 1 else {"Enter": "\r"}.get(key, "")
        code = {"Tab": 9, "Enter": 13, "Escape": 27}.get(key, 0)
        more = {"text": text} if text else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self, path, whole=True):
        """Stores a picture of the page."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
