#!/usr/bin/env python3
"""Checks that the commands and figures in the documents can be reproduced.

    .ci/commands.py            checks
    .ci/commands.py --list     also prints each command that was found

A command is a line in a block of sh, or code in a sentence, that begins with `swift` or a script of the repository, possibly after a
variable. Each names a program, a target, a package, a workload or a script that exists. The first block of the README is also run, except
for `swift test`, which 30-test and 31-test-rest run. A section with a measured figure (nanoseconds, bytes, percent) names a command in the
same section. The requirements, traits, products and counts in the documents are those of Package.swift and of the articles."""

import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTICLES = ROOT / "Sources/Tidings/Documentation.docc"
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Benchmarks/README.md", "Model/README.md")),
    *sorted(ROOT.glob("Documentation/*.md")), *sorted(ROOT.glob("Examples/*/README.md")),
    *sorted(ROOT.glob("Sources/*/Documentation.docc/*.md"))]
COMMAND = re.compile(
    r"^(?:[A-Z_]+=\S+ )*(?:swift (?:run|test|build|format|package)|\.ci/|Benchmarks/\w+$|Benchmarks/\w+ |Model/\w+$|Model/\w+ |Tests/\S+\.py|"
    r"Examples/[\w-]+(?: |$)|Load/\w+)")
FIGURE = re.compile(r"\b\d[\d,.]* (?:ns|nanoseconds|µs|microseconds|bytes)\b|\babout \d[\d.]* (?:KB|MB)\b|\b\d+ %")
# The accepted sources of a figure: a command, or a step or script that measures.
SOURCE = re.compile(r"swift run [^`]*|\.ci/[\w./-]+|`compare[^`]*|Benchmarks\b|Tests/\w+|Load/\w+")
NUMBERS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
           "twenty").split()


def commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            for part in re.split(r"\s+#", line)[0].split("&&"):
                if COMMAND.match(part.strip()):
                    yield part.strip()
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        if COMMAND.match(code) and "…" not in code:
            yield code


def objection(command, folder):
    """The reason why a command of a document can't be run in a folder; None if it can."""
    words = [word for word in shlex.split(command) if not re.match(r"[A-Z_]+=", word)]
    if words[0] != "swift":
        return None if (folder / words[0]).exists() or (ROOT / words[0]).exists() else f"there is no {words[0]}"
    package = folder
    if "--package-path" in words:
        package = folder / words[words.index("--package-path") + 1]
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
        if f'name: "{rest[0]}"' not in manifest and not (package / f"Sources/{rest[0]}.swift").is_file():
            return f"{rest[0]} isn't a program of {package}"
    return None


def count(text):
    """The number that a word or digits stand for."""
    return NUMBERS.index(text.lower()) if text.lower() in NUMBERS else int(text)


def claims():
    """The statements of the documents about requirements, traits, products and counts that contradict Package.swift or the articles."""
    manifest, readme = (ROOT / "Package.swift").read_text(), (ROOT / "README.md").read_text()
    traits, products = set(re.findall(r'\.trait\(\s*name: "(\w+)"', manifest)), set(re.findall(r'\.library\(name: "(\w+)"', manifest))
    systems = {system: int(version) for system, version in re.findall(r"\.(macOS|iOS|tvOS|watchOS|visionOS)\(\.v(\d+)\)", manifest)}
    tools = re.search(r"swift-tools-version: ([\d.]+)", manifest)[1]
    for document in DOCUMENTS:
        name, text = document.relative_to(ROOT), document.read_text()
        for listed in re.findall(r"traits: \[([^\]]*)\]", text):
            for trait in re.findall(r'"(\w+)"', listed):
                if trait not in traits:
                    yield f"{name}: there is no trait {trait}"
        for package in re.findall(r'\.package\(url: "https://(?!HOST)[^"]+", [^)]*\)', text):
            if package not in manifest:
                yield f"{name}: {package} isn't in Package.swift"
        for product in re.findall(r'\.product\(name: "(\w+)", package: "tidings"', text):
            if product not in products:
                yield f"{name}: there is no product {product}"
    for document in ("README.md", "CHANGELOG.md", "Sources/Tidings/Documentation.docc/Versions.md",
                     "Sources/Tidings/Documentation.docc/ForLibraryAuthors.md"):
        text = (ROOT / document).read_text()
        # The first sentence that lists the systems, because later ones may be about newer systems.
        said = re.search(r"macOS (\d+), iOS (\d+), tvOS (\d+), watchOS (\d+)(?:,| and) visionOS (\d+)", text)
        if not said or [int(version) for version in said.groups()] != list(systems[s] for s in ("macOS", "iOS", "tvOS", "watchOS", "visionOS")):
            yield f"{document}: the systems aren't those of Package.swift"
        if not re.search(rf"Swift {re.escape(tools)}|\| {re.escape(tools)} \|", text):
            yield f"{document}: the Swift version isn't {tools}"
    for words, number in (
            (r"FAQ\S* answers (\w+) questions", len(re.findall(r"^### \d+\.", (ARTICLES / "FAQ.md").read_text(), re.M))),
            (r"(\w+) promises are written down", len(re.findall(r"^## \d+\.", (ARTICLES / "Promises.md").read_text(), re.M))),
            (r"has (\w+) more charts", len(list(ROOT.glob("Benchmarks/Figures/*-light.svg"))) - 1)):
        said = re.search(words, readme)
        if not said or count(said[1]) != number:
            yield f"README.md: {said[0] if said else words}: there are {number}"


def main():
    wrong, found, figures = list(claims()), [], 0
    for document in DOCUMENTS:
        name, text = document.relative_to(ROOT), document.read_text()
        # The commands in an example's README run in the example's folder.
        folder = document.parent if "Examples" in document.parts else ROOT
        for command in commands(text):
            found.append(command)
            if reason := objection(command, folder):
                wrong.append(f"{name}: {command}: {reason}")
        # In the documents of Benchmarks and Model, sections needn't name a command, because each document as a whole describes the commands.
        sections = [] if name.parts[0] in ("Benchmarks", "Model") else re.split(r"^(?=#+ )", text, flags=re.M)
        for section in sections:
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
        if command.endswith("swift test"):
            continue
        done = subprocess.run(shlex.split(command), cwd=ROOT, capture_output=True, text=True)
        if done.returncode or not done.stdout:
            sys.exit(f"{command} fails:\n{(done.stdout + done.stderr)[-2000:]}")
    print(f"{len(set(found))} commands can be run, and {figures} sections with figures name a command")


main()
