"""The program whose inspector is tested. It executes commands from its standard input, one per line."""

import os
import queue
import re
import socket
import subprocess
import threading
import urllib.request

from browser import PATIENCE, Failed

TOKEN = "browser-test-0123456789abcdef"


def free_port():
    """Returns a port that isn't in use."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Program:
    """The Shop, which serves its inspector, by default with `--commands`. The port and the token stay the same when the program is restarted."""

    def __init__(self, path, port, *arguments):
        self.address = f"http://127.0.0.1:{port}/"
        self.process = subprocess.Popen(
            [path, *(arguments or ["--commands"])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
            env=dict(os.environ, SHOP_PORT=str(port), SHOP_TOKEN=TOKEN))
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.wait_for_line(r"http://127\.0\.0\.1:\d+/\?token=")

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def wait_for_line(self, pattern):
        """Returns the next line of the program's output in which the pattern is found."""
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise Failed(f"the program has not printed {pattern}") from None
            if line is None:
                raise Failed(f"the program has ended without printing {pattern}")
            if re.search(pattern, line):
                return line

    def tell(self, command):
        """Sends a command to the program, and returns when the program has executed it."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        self.wait_for_line("^done: " + re.escape(command) + "$")

    @property
    def door(self):
        """The address, including the token."""
        return f"{self.address}?token={TOKEN}"

    def snapshot(self, query=""):
        """Returns the snapshot that the inspector serves to programs."""
        request = urllib.request.Request(self.address + "snapshot" + query, headers={"Authorization": "Bearer " + TOKEN})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def end(self):
        """Ends the program at once, as a crash would."""
        self.process.kill()
        self.process.wait()
