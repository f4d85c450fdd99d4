#!/usr/bin/env python3
"""Measures what Tidings adds to the build time and the size of a program, with clean release builds of programs that print one line,
with and without it.

    .ci/cost.py print [PROGRAM...]    processor time of each build, and the bytes of each stripped program
    .ci/cost.py flags [PROGRAM...]    the effect of each compiler flag alone, for the documentation
    .ci/cost.py check                 fails if a figure exceeds its limit, or if the articles state another size; --planted builds with a
                                      copy of Tidings that has grown

Everything is built in .build-cost. Time is the processor time of the build and of all processes that it starts. `check` divides this time by
that of a reference build in the same run, because both builds take longer on a slow or busy machine. The reference is a program that uses
a Deque of a fixed version of swift-collections. The bytes depend on the toolchain and the linker, so their limits apply to Linux on
x86-64."""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".build-cost"
PLAIN = 'print("hello")\n'
DEQUE = """import DequeModule

var greetings: Deque = ["hello"]
greetings.append("and hello again")
print(greetings.removeFirst())
"""
TIDINGS = """import Tidings

struct Greeting: TypedNotification {
    let text: String
}

let center = NativeNotificationCenter()
let token = center.addObserver(for: Greeting.self) { print($0.text) }
center.post(Greeting(text: "hello"))
token.cancel()
"""
FOUNDATION = TIDINGS.replace("import Tidings", "import Foundation\nimport TidingsFoundation").replace(
    "NativeNotificationCenter()", "NotificationCenter()")
PROGRAMS = {
    "plain": (PLAIN, None, None),
    "deque": (DEQUE, '.package(url: "https://github.com/apple/swift-collections", exact: "1.6.0")',
              '.product(name: "DequeModule", package: "swift-collections")'),
    "Tidings": (TIDINGS, "tidings", '.product(name: "Tidings", package: "tidings")'),
    "TidingsFoundation": (FOUNDATION, "tidings", '.product(name: "TidingsFoundation", package: "tidings")'),
}
# The maximum size of the stripped program is one percent above its current size. The maximum ratio of its build time to that of the program with a
# Deque is a third above the ratio on a quiet machine.
BOUNDS = {"Tidings": (854_000, 8.0), "TidingsFoundation": (1_444_000, 11.0)}
SIZES = ["-Xswiftc", "-Xfrontend", "-Xswiftc"]
FLAGS = {
    "none": [],
    "-Osize": ["-Xswiftc", "-Osize"],
    "-disable-reflection-metadata": [*SIZES, "-disable-reflection-metadata"],
    "lld, --icf=all": ["-Xswiftc", "-use-ld=lld", "-Xlinker", "--icf=all"],
    "all of them": [
        "-Xswiftc", "-Osize", *SIZES, "-function-sections", *SIZES, "-disable-reflection-metadata", *SIZES, "-internalize-at-link",
        "-Xswiftc", "-use-ld=lld", "-Xlinker", "--icf=all"],
}


def write(path, text):
    """Writes a file, unless it has this content already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def package(program, tidings):
    source, dependency, product = PROGRAMS[program]
    folder = FOLDER / "programs" / program
    if dependency == "tidings":
        dependency = f'.package(name: "tidings", path: "{tidings}")'
    write(folder / "Sources/hello/main.swift", source)
    write(folder / "Package.swift", (
        "// swift-tools-version: 6.3\nimport PackageDescription\n"
        f'let package = Package(name: "hello", dependencies: [{dependency or ""}], '
        f'targets: [.executableTarget(name: "hello", dependencies: [{product or ""}])])\n'))
    return folder


def build(program, tidings=ROOT, flags=()):
    """Builds a program from scratch, and returns the seconds of processor time and the bytes of the stripped program."""
    folder = package(program, tidings)
    subprocess.run(["swift", "package", "--quiet", "resolve"], cwd=folder, check=True)
    scratch = folder / ".build"
    for built in scratch.glob("*"):
        # The sources of packages are kept.
        if built.is_dir() and not built.is_symlink() and built.name not in ("checkouts", "repositories"):
            shutil.rmtree(built)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        ["swift", "build", "-c", "release", *flags], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode:
        sys.exit(f"{program} does not build:\n{done.stdout}")
    hello = scratch / "release/hello"
    said = subprocess.run([hello], capture_output=True, text=True, check=True).stdout
    if said != "hello\n":
        sys.exit(f"{program} prints {said!r}")
    subprocess.run(["strip", "-o", folder / "stripped", hello], check=True)
    return seconds, (folder / "stripped").stat().st_size


def planted():
    """Creates a copy of Tidings that has grown by a file with a hundred types, each of which is sorted and looked up."""
    folder = FOLDER / "planted"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for part in ("Package.swift", "Package.resolved", "Sources", "Examples/Watch", "Tests"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns(".build*"))
        elif source.exists():
            (folder / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / part)
    types = "".join(
        f"public struct Grown{number}: Hashable, Sendable {{\n    var words: [String], number: Int{number % 2 * 32 + 32}\n"
        f"    public static func grow(_ all: [Self: Int], _ more: [Self]) -> [Self] {{\n"
        "        var all = all\n        for one in more { all[one, default: 0] += 1 }\n"
        "        return all.sorted { $0.value < $1.value || $0.key.number < $1.key.number }.map(\\.key)\n    }\n}\n"
        for number in range(100))
    write(folder / "Sources/Tidings/Grown.swift", types)
    return folder


def stated(program, size):
    """Descriptions of the sizes in the articles that differ from the measured one. A size in the table may differ by one percent."""
    articles = ROOT / "Sources/Tidings/Documentation.docc"
    table = (articles / "FromNotificationCenter.md").read_text()
    row = re.search(rf"\| with `{program}` \| [\d.]+ \| ([\d,]+) \|", table)
    if not row or abs(int(row[1].replace(",", "")) - size) > size / 100:
        yield f"FromNotificationCenter.md states {row[1] if row else 'no size'} for a program with {program}, which has {size:,} bytes."
    megabytes = f"{size / 1_000_000:.1f} MB"
    if not re.search(rf"`{program}` \D*{re.escape(megabytes)}", (articles / "WhichModule.md").read_text()):
        yield f"WhichModule.md doesn't say that a program with {program} has about {megabytes}."
    if program == "Tidings" and f"about {megabytes}" not in (articles / "ForLibraryAuthors.md").read_text():
        yield f"ForLibraryAuthors.md doesn't say that a program grows by about {megabytes}."


def check(programs, tidings, attempts):
    """Descriptions of the figures that exceed their limits. A slow build is repeated, because other processes may have been busy."""
    wrong = []
    for program in programs:
        most_bytes, most_ratio = BOUNDS[program]
        ratio = size = None
        for _ in range(attempts):
            reference = build("deque")[0]
            seconds, size = build(program, tidings)
            ratio = min(ratio or seconds / reference, seconds / reference)
            print(f"{program}: {size:,} bytes (limit {most_bytes:,}); {seconds / reference:.1f} times the reference (limit {most_ratio}) "
                  f"({seconds:.1f} s, {reference:.1f} s)", flush=True)
            if ratio <= most_ratio:
                break
        if size > most_bytes:
            wrong.append(f"A program that says hello with {program} has {size:,} bytes; the limit is {most_bytes:,}.")
        if tidings == ROOT:
            wrong += stated(program, size)
        if ratio > most_ratio:
            wrong.append(f"The build of a program with {program} takes {ratio:.1f} times as long as with a Deque; the limit is {most_ratio}.")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["print", "flags", "check"])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--planted", action="store_true")
    arguments = parser.parse_args()
    os.environ.pop("SWIFTPM_CUSTOM_BIN_DIR", None)
    tidings = planted() if arguments.planted else ROOT
    if arguments.command == "check":
        wrong = check(["Tidings"], tidings, 1) if arguments.planted else check(list(BOUNDS), tidings, 3)
        print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
        sys.exit(1 if wrong else 0)
    if arguments.command == "print":
        for program in arguments.programs or PROGRAMS:
            seconds, size = build(program, tidings)
            print(f"{program}: {seconds:.1f} s, {size:,} bytes", flush=True)
    else:
        for name, flags in FLAGS.items():
            for program in arguments.programs or ["Tidings"]:
                seconds, size = build(program, tidings, flags)
                print(f"{name}, {program}: {seconds:.1f} s, {size:,} bytes", flush=True)


if __name__ == "__main__":
    main()
