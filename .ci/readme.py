#!/usr/bin/env python3
"""Builds and runs each program and test in README.md as it stands, and the library and client of ForLibraryAuthors.md, in a package that depends on
this one.

A block of Swift in README.md that begins with an import is a program, which has to print the lines in its comments `// prints: …`, in
order. A block with `@Test` is a test file. The library and its client are two modules. Everything is built in .build-readme.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build-readme"
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
        sys.exit(f"README.md has {len(programs)} programs and {len(tests)} tests: two and one were expected at least")

    for folder in ("Sources", "Tests"):
        shutil.rmtree(FOLDER / folder, ignore_errors=True)
    targets = []
    for name, text in programs.items():
        file = FOLDER / "Sources" / name / "main.swift"
        file.parent.mkdir(parents=True)
        file.write_text(text)
        targets.append(f'.executableTarget(name: "{name}", dependencies: [.product(name: "Tidings", package: "tidings")])')
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
    targets.append('.target(name: "Library", dependencies: [.product(name: "Tidings", package: "tidings")])')
    targets.append('.executableTarget(name: "Client", dependencies: ["Library", .product(name: "Tidings", package: "tidings")])')
    file = FOLDER / "Tests/ReadmeTests/ReadmeTests.swift"
    file.parent.mkdir(parents=True)
    file.write_text(tests[0])
    targets.append(
        '.testTarget(name: "ReadmeTests", dependencies: [.product(name: "Tidings", package: "tidings"), '
        '.product(name: "TidingsTesting", package: "tidings")])')
    (FOLDER / "Package.swift").write_text(
        f"""// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "readme", platforms: [.macOS(.v13)], dependencies: [.package(name: "tidings", path: "{ROOT}")],
    targets: [{", ".join(targets)}])
""")

    run("swift", "build", "--build-tests")
    for name, text in programs.items():
        expected = re.findall(r"// (?:prints:|→) (.*)", text)
        printed = run(f".build/debug/{name}").splitlines()
        if printed != expected:
            sys.exit(f"{name} prints {printed}, and its comments say {expected}")
    run("swift", "test", "--skip-build", "--disable-xctest")
    print(f"{len(programs) - 1} programs and {len(tests)} test of README.md run as they stand, and so does a library with its client")


main()
