#!/usr/bin/python3
"""Tests tidings-top in a terminal of 80 columns and 24 lines, with a real program that executes commands.

    Tests/Browser/terminal.py PROGRAM TERMINAL

PROGRAM is the Shop of Examples/Inspected, TERMINAL is tidings-top.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios

from browser import PATIENCE, Failed, wait_until
from program import Program, free_port


class Terminal:
    """A program in its own terminal, and the contents of its screen."""

    def __init__(self, *command, columns=80, lines=24):
        self.process, self.end = pty.fork()
        if self.process == 0:
            os.execv(command[0], command)
        self.resize(columns, lines)
        self.output = b""

    def resize(self, columns, lines):
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys):
        os.write(self.end, keys.encode())

    def read(self):
        """Reads the output, and returns the lines of the last complete screen without escape sequences."""
        while select.select([self.end], [], [], 0)[0]:
            try:
                data = os.read(self.end, 65536)
            except OSError:  # The program has ended.
                break
            if not data:
                break
            self.output += data
        screens = [s for s in self.output.decode(errors="replace").split("\x1b[H")[1:] if "\x1b[J" in s]
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screens[-1]).split("\r\n") if screens else []

    def wait_for(self, condition, what, seconds=PATIENCE):
        return wait_until(lambda: condition(self.read()), f"{what}: {self.read()}", seconds)

    def status(self):
        """Returns the exit status of the program in a tuple, or `None` while the program runs."""
        self.read()
        process, status = os.waitpid(self.process, os.WNOHANG)
        return (status,) if process else None


def expect(condition, what):
    if not condition:
        raise Failed(what)


def observers(screen):
    """Returns the rows of the table of observers, without its header."""
    head = next((i for i, line in enumerate(screen) if "OBSERVER " in line), None)
    if head is None:
        return []
    rows = screen[head + 1:-1]
    return rows[:rows.index("")] if "" in rows else rows


def main(path, top):
    program = Program(path, free_port())
    try:
        program.tell("close")
        program.tell("order 500")
        program.tell("view 400")

        table = subprocess.run([top, program.door], capture_output=True, text=True, timeout=60)
        expect(table.returncode == 0 and "Shop.OrderPlaced" in table.stdout, f"one table: {table.stdout} {table.stderr}")
        expect(max(map(len, table.stdout.splitlines())) <= 80, "80 columns")
        expect("\x1b" not in table.stdout, "no escape sequences")
        wrong = subprocess.run([top, program.address + "?token=wrong"], capture_output=True, text=True, timeout=60)
        expect(wrong.returncode == 1 and "token" in wrong.stderr and not wrong.stdout, f"a wrong token is reported: {wrong.stderr}")
        print("  without a terminal, it prints one table, or reports an error")

        terminal = Terminal(top, program.door)
        terminal.wait_for(lambda s: s and s[0].startswith("Shop (") and s[0].endswith("live"), "the first screen")
        terminal.wait_for(lambda s: "OrderPlaced" in (observers(s) or [""])[0], "an observer with queued notifications comes first")
        expect(len(terminal.read()) <= 24 and max(map(len, terminal.read())) <= 80, "the screen fits into the terminal")
        terminal.press("d")
        terminal.wait_for(lambda s: "PageViewed" in (observers(s) or [""])[0] and "by drops" in s[-1], "an observer with drops comes first")
        terminal.press("r")
        terminal.wait_for(lambda s: "by rate" in s[-1], "sorted by rate")
        terminal.press("/pageviewed")
        terminal.wait_for(lambda s: "/pageviewed_" in s[-1] and len(observers(s)) == 1 and "PageViewed" in observers(s)[0], "a filter")
        terminal.press("\r\x1b")
        terminal.wait_for(lambda s: "by rate" in s[-1] and len(observers(s)) > 3, "no filter")
        terminal.press("g")
        terminal.wait_for(lambda s: any(line.startswith("OBSERVER ") for line in s), "each observer has a row")
        terminal.press("g")
        terminal.resize(60, 24)
        terminal.wait_for(lambda s: max(map(len, s)) <= 60 and any("Staff.swift:" in line for line in observers(s)), "places are shown at 60 columns")
        terminal.resize(80, 24)
        print("  keys sort, filter and group")

        terminal.press("h")
        terminal.wait_for(lambda s: s[0].endswith("held"), "held")
        totals = terminal.read()[1]
        program.tell("open")
        terminal.press("w")
        terminal.wait_for(lambda s: "by queue" in s[-1], "keys work while the screen is held")
        expect(terminal.read()[1] == totals, "a held screen keeps its numbers")
        terminal.press("h")
        terminal.wait_for(lambda s: s[0].endswith("live") and s[1] != totals, "the screen is live again")
        terminal.resize(120, 30)
        terminal.wait_for(lambda s: any("OWNER" in line for line in s), "a wider terminal shows more")
        print("  the screen can be held, and follows the size of the terminal")

        program.tell("refuse")
        program.tell("write 2")
        terminal.press("o")
        count = lambda kind: lambda s: sum(line.startswith((f"  {kind} ", f"> {kind} ")) for line in s)
        dead, waiting = count("dead"), count("waiting")
        terminal.wait_for(lambda s: dead(s) == 2 and waiting(s) == 2, "two dead letters and two waiting parcels")
        terminal.wait_for(lambda s: s[-1].startswith("j k choose  s redeliver  x drop"), "the keys for a dead letter")
        terminal.press("x")
        terminal.wait_for(lambda s: s[-1].startswith("x again"), "a second key is needed")
        terminal.press("x")
        terminal.wait_for(lambda s: dead(s) == 1 and any("1 dropped" in line for line in s), "one dead letter was dropped")
        program.tell("accept")
        terminal.press("s")
        terminal.wait_for(lambda s: dead(s) == 0 and any("1 redelivered" in line for line in s), "the other dead letter was redelivered")
        # The parcel that will be retried blocks the other one, so both are listed. A letter is listed, too, until the post office takes it.
        terminal.wait_for(
            lambda s: waiting(s) == 2 and any(line.startswith("> waiting  shop.parcel") for line in s)
            and s[-1].startswith("j k choose  x drop"), "the keys for a parcel that is retried")
        terminal.press("xx")
        terminal.wait_for(lambda s: waiting(s) == 0 and not any(line.startswith(">") for line in s), "nothing is stored")
        terminal.press("o")
        terminal.wait_for(lambda s: "by queue" in s[-1], "the observers are shown again")
        print("  keys redeliver and drop stored notifications")

        program.end()
        terminal.wait_for(lambda s: s[0].endswith("not connected"), "it reports that the program is gone")
        terminal.press("q")
        (status,), _ = wait_until(terminal.status, "it ends")
        expect(os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0, f"it ended with {status}")
        expect(terminal.output.endswith(b"\x1b[?25h\x1b[?1049l"), "it restores the terminal")
        program = Program(path, free_port())
        killed = Terminal(top, program.door)
        killed.wait_for(lambda s: len(s) > 3, "the first screen")
        os.kill(killed.process, signal.SIGTERM)
        wait_until(killed.status, "it ends on SIGTERM")
        expect(killed.output.endswith(b"\x1b[?25h\x1b[?1049l"), "it restores the terminal on SIGTERM, too")
        print("  it ends, and restores the terminal")
    finally:
        program.end()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Failed as failure:
        sys.exit(f"failed: {failure}")
