#!/usr/bin/env python3
"""Checks that the compiler's first diagnostic for each mistake in Tests/Mistakes names the mistake.

A mistake is a function, or an extension with one, under a line `// expect: WORDS`. WORDS is a regular expression. The first diagnostic in
the function has to be on a line that ends in `//!`, and has to match WORDS. If overloads are too similar, the compiler reports instead that
there is no exact match, on another line.

It also compiles each call in Tests/Mistakes/Calls.swift alone. These calls have no mistake. The number of scopes that the compiler's
solver tries for a call is limited. Unlike a time, this number doesn't depend on the machine.

    .ci/mistakes.py             checks against the debug build of this package, which it creates
    .ci/mistakes.py --list      also prints the diagnostics and the scopes
"""
import json, re, subprocess, sys, tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
folder = root / "Tests/Mistakes"

# Twice the current maximum, which belongs to a call with two operators in its condition. The library accounts for about ten scopes.
MOST_SCOPES = 100


def run(*command):
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def flags():
    """The settings of the package, and the paths of its modules."""
    for target in ("TidingsFoundation", "TidingsServer", "TidingsRelay", "TidingsOutbox", "TidingsInspector"):
        build = run("swift", "build", "--target", target)
        if build.returncode:
            sys.exit((build.stdout + build.stderr)[-2000:])
    products = run("swift", "build", "--show-bin-path").stdout.strip()
    features = re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', (root / "Package.swift").read_text())
    return ["-swift-version", "6", "-strict-memory-safety", "-I", f"{products}/Modules",
            "-Xcc", f"-fmodule-map-file={products}/CTidingsSystem.build/module.modulemap",
            "-Xcc", f"-I{root}/Sources/CTidingsSystem/include",
            *(word for feature in features for word in ("-enable-upcoming-feature", feature))]


def mistakes(path):
    """The mistakes in a file: the name, the first and last line, and the expected words."""
    found, lines = [], path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("// expect: "):
            name = re.search(r"func (\w+)", "\n".join(lines[number:]))
            end = next(n for n in range(number, len(lines)) if lines[n] == "}") + 1
            found.append((name[1], number, end, line.removeprefix("// expect: ")))
    return found, lines


def scopes(options, listing):
    """Prints the number of scopes that the compiler opens to solve each call, and returns the number of calls with too many."""
    head, *functions = re.split(r"^(?=(?:@MainActor )?func )", (folder / "Calls.swift").read_text(), flags=re.M)
    dear = []
    for function in functions:
        name = re.search(r"func (\w+)", function)[1]
        with tempfile.TemporaryDirectory() as work:
            file = Path(work, "Call.swift")
            file.write_text(head + function)
            said = run("swiftc", "-frontend", "-typecheck", "-module-name", "Mistakes", *options, "-stats-output-dir", work,
                       "-primary-file", str(file), str(folder / "Types.swift"))
            if said.returncode or said.stderr:
                sys.exit(f"Calls.swift {name}: {said.stderr}")
            count = sum(json.loads(stats.read_text()).get("Sema.NumConstraintScopes", 0) for stats in Path(work).glob("*.json"))
        # Each call needs at least one scope. A count of 0 means that the compiler no longer counts scopes.
        if not 0 < count <= MOST_SCOPES:
            dear.append(name)
        if listing or name in dear:
            print(f"{count:4} scopes  {name}")
    print(f"{len(functions) - len(dear)} of {len(functions)} calls take at most {MOST_SCOPES} scopes")
    return len(dear)


def main():
    listing = "--list" in sys.argv
    options = flags()
    # The module whose public declarations some mistakes use.
    library = tempfile.TemporaryDirectory()
    made = run("swiftc", "-emit-module", "-module-name", "Library", *options, "-o", f"{library.name}/Library.swiftmodule",
               *map(str, (folder / "Library").glob("*.swift")))
    if made.returncode:
        sys.exit(made.stderr)
    options += ["-I", library.name]
    good = total = 0
    isolated = ["IsolatedByDefault.swift"]
    rest = sorted(path.name for path in folder.glob("*.swift") if path.name not in (*isolated, "Calls.swift"))
    for files, extra in ((rest, []), (isolated, ["-default-isolation", "MainActor"])):
        said = run("swiftc", "-typecheck", "-wmo", "-module-name", "Mistakes", *options, *extra,
                   *(str(folder / file) for file in files))
        diagnostics = {}
        for line in (said.stderr + said.stdout).splitlines():
            if parts := re.match(r"(/[^:]*):(\d+):\d+: (?:error|warning): (.*)", line):
                diagnostics.setdefault(Path(parts[1]).name, []).append((int(parts[2]), parts[3]))
        for file in files:
            found, lines = mistakes(folder / file)
            for name, first, last, words in found:
                total += 1
                line, text = next((d for d in diagnostics.get(file, []) if first <= d[0] <= last), (0, "nothing"))
                isGood = line > 0 and lines[line - 1].endswith("//!") and re.search(words, text)
                good += bool(isGood)
                if listing or not isGood:
                    print(f"{'good' if isGood else 'poor'}  {file}:{first} {name}: {text}")
            ends = [(first, last) for _, first, last, _ in found]
            for line, text in diagnostics.get(file, []):
                if not any(first <= line <= last for first, last in ends):
                    sys.exit(f"{file}:{line}: a diagnostic outside of all mistakes: {text}")
    print(f"{good} of {total} mistakes are named where they are made")
    return 1 if scopes(options, listing) or good < total else 0


sys.exit(main())
