#!/usr/bin/env python3
"""Builds and runs each program and test in README.md as it stands, the program of GettingStarted.md, and the library and client of
ForLibraryAuthors.md, in a package that depends on this one.

A block of Swift in README.md that begins with an import is a program, which has to print the lines in its comments `// prints: …`, in
order. A block with `@Test` is a test file. The library and its client are two modules. The package declares the dependency as
README.md does, except for the path. It is built in the folder of 40-snippets, so that both share the build of Tidings.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build-readme"
SCRATCH = ROOT / ".build-clients"
BLOCK = re.compile(r"^```swift\n(import .*?)^```", re.M | re.S)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def main():
    blocks = BLOCK.findall((ROOT / "README.md").read_text())
    programs = {f"Program{number}": text for number, text in enumerate(blocks, 1) if "@Test" not in text}
    tests = [text for text in blocks if "@Test" in text]
    if len(programs) < 2 or len(tests) != 1:
        sys.exit(f"README.md has {len(programs)} programs and {len(tests)} tests, instead of at least two programs and exactly one test")

    # The lines that a reader copies into a manifest.
    installation = (ROOT / "README.md").read_text().split("## Installation")[1]
    package, product = (re.search(words, installation)[0] for words in (r"\.package\(name.*?\)", r"\.product\(.*?\)"))
    package = re.sub(r'path: ".*?"', f'path: "{ROOT}"', package)

    for folder in ("Sources", "Tests"):
        shutil.rmtree(FOLDER / folder, ignore_errors=True)
    targets = []
    for name, text in programs.items():
        file = FOLDER / "Sources" / name / "main.swift"
        file.parent.mkdir(parents=True)
        file.write_text(text)
        targets.append(f'.executableTarget(name: "{name}", dependencies: [{product}])')
    # The public declarations of the article form a separate module, which the client imports.
    article = (ROOT / "Sources/Tidings/Documentation.docc/ForLibraryAuthors.md").read_text()
    parts = re.findall(r"^```swift\n(.*?)^```", article, re.M | re.S)
    library = [part for part in parts if re.match(r"public (struct|final class)", part)]
    client = next(part for part in parts if "addObserver" in part)
    for name, text in (("Library/Library", "\n".join(["public import Tidings\n", *library])),
                       ("Client/main", f"import Library\nimport Tidings\n\n{client}")):
        file = FOLDER / f"Sources/{name}.swift"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    programs["Client"] = client
    # The whole article is one program, in the order of its text.
    article = (ROOT / "Sources/Tidings/Documentation.docc/GettingStarted.md").read_text()
    started = "\n".join(re.findall(r"^```swift\n(.*?)^```", article, re.M | re.S))
    file = FOLDER / "Sources/GettingStarted/main.swift"
    file.parent.mkdir(parents=True)
    file.write_text(f"import Tidings\n\n{started}")
    programs["GettingStarted"] = started
    targets.append(f'.executableTarget(name: "GettingStarted", dependencies: [{product}])')
    targets.append(f'.target(name: "Library", dependencies: [{product}])')
    targets.append(f'.executableTarget(name: "Client", dependencies: ["Library", {product}])')
    file = FOLDER / "Tests/ReadmeTests/ReadmeTests.swift"
    file.parent.mkdir(parents=True)
    file.write_text(tests[0])
    targets.append(
        f'.testTarget(name: "ReadmeTests", dependencies: [{product}, '
        '.product(name: "TidingsTesting", package: "tidings")])')
    (FOLDER / "Package.swift").write_text(
        f"""// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "readme", platforms: [.macOS(.v13)], dependencies: [{package}],
    targets: [{", ".join(targets)}])
""")

    run("swift", "build", "--build-tests", "--scratch-path", str(SCRATCH))
    for name, text in programs.items():
        # Files and lines in the expected output are those of a snippet. The same code has other files and lines here.
        place = re.compile(r"/\w+\.swift:\d+")
        expected = [place.sub("", line) for line in re.findall(r"// (?:prints:|→) (.*)", text)]
        printed = [place.sub("", line) for line in run(str(SCRATCH / "debug" / name)).splitlines()]
        if printed != expected:
            sys.exit(f"{name} prints {printed}, and its comments say {expected}")
    run("swift", "test", "--skip-build", "--disable-xctest", "--scratch-path", str(SCRATCH))
    print(f"{len(programs) - 2} programs and {len(tests)} test of README.md run as they stand, and so do Getting started and a library with its client")


main()
