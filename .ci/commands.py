#!/usr/bin/env python3
"""Checks that the commands and figures in the documents can be reproduced.

    .ci/commands.py            checks
    .ci/commands.py --list     with each command that was found

A command is a line in a block of sh, or code in a sentence, that begins with `swift` or a script of the repository, possibly after a
variable. Each names a program, a target, a package, a workload or a script that exists, and the first block of the README is run, except
for `swift test`, which 30-test runs. A section with a measured figure (nanoseconds, bytes, percent) names a command in the same section."""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("Sources/*/Documentation.docc/*.md"))]
COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )*(?:swift (?:run|test|build|format|package)|\.ci/|Benchmarks/\w+$|Benchmarks/\w+ |Model/\w+$|Model/\w+ |Tests/\S+\.py)")
FIGURE = re.compile(r"\b\d[\d,.]* (?:ns|nanoseconds|µs|microseconds|bytes)\b|\b\d+ %")
# The accepted sources of a figure: a command, or a step or script that measures.
SOURCE = re.compile(r"swift run [^`]*|\.ci/[\w./-]+|`compare[^`]*|Benchmarks\b|Tests/\w+")


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            line = re.split(r"\s+#", line)[0].strip()
            if COMMAND.match(line):
                yield line
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        if COMMAND.match(code) and "…" not in code:
            yield code


def objection(command):
    """The reason why a command of a document can't be run; None if it can."""
    words = [word for word in shlex.split(command) if not re.match(r"[A-Z_]+=", word)]
    if words[0] != "swift":
        path = ROOT / words[0]
        return None if path.exists() else f"there is no {words[0]}"
    package = ROOT
    if "--package-path" in words:
        package = ROOT / words[words.index("--package-path") + 1]
        if not (package / "Package.swift").is_file():
            return f"there is no package in {package}"
    if "--filter" in words and words[1] == "run":
        wanted = words[words.index("--filter") + 1]
        workloads = "\n".join(file.read_text() for file in (package / "Sources").rglob("*.swift"))
        if wanted not in workloads:
            return f"no workload has {wanted} in its name"
    if words[1] == "run":
        values = {"-c", "--package-path", "--traits", "--scratch-path", "--product"}
        rest = [word for at, word in enumerate(words[2:], 2) if not word.startswith("-") and words[at - 1] not in values]
        if not rest:
            return None
        manifest = (package / "Package.swift").read_text()
        if f'name: "{rest[0]}"' not in manifest and not (package / f"Snippets/{rest[0]}.swift").is_file():
            return f"{rest[0]} is no program of {package}"
    return None


def main():
    wrong, found, figures = [], [], 0
    for document in DOCUMENTS:
        name, text = document.relative_to(ROOT), document.read_text()
        for command in commands(text):
            found.append(command)
            if reason := objection(command):
                wrong.append(f"{name}: {command}: {reason}")
        for section in re.split(r"^(?=#+ )", text, flags=re.M):
            prose = re.sub(r"^ *```.*?^ *```", "", section, flags=re.M | re.S)
            if figure := FIGURE.search(prose):
                figures += 1
                if not SOURCE.search(prose):
                    wrong.append(f"{name}: {section.splitlines()[0]}: no command gives {figure[0]}")
    if "--list" in sys.argv:
        print("\n".join(sorted(set(found))))
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(1)

    first = re.search(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]
    for line in first.splitlines():
        command = line.split("#")[0].strip()
        if command == "swift test":
            continue
        done = subprocess.run(shlex.split(command), cwd=ROOT, capture_output=True, text=True)
        if done.returncode or not done.stdout:
            sys.exit(f"{command} fails:\n{(done.stdout + done.stderr)[-2000:]}")
    print(f"{len(set(found))} commands can be run, and {figures} sections with figures name theirs")


main()
