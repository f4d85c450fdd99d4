#!/usr/bin/env python3
"""Changes one place in Sources at a time, and reports the changes that no test detects.

    .ci/mutants.py run COPY [NUMBER...]      builds the mutants of .ci/mutants in a copy of the package, and runs the tests of each
    .ci/mutants.py draw SEED COUNT           prints mutants that are drawn with a seed, in the form of .ci/mutants

All mutants are built at once, in the copy only. TIDINGS_MUTANT in the environment of the tests selects the active one.

An entry of .ci/mutants has these lines; entries have an empty line between them:

    file: Sources/Tidings/Mailbox/RetryPlan.swift
    tests: DroppedRetryTests|RetryTests          the tests that detect it, as a filter of `swift test`
    survives: why no test can detect it          only if that is the case
    - if !due.contains(number) {                 a piece of one line
    + if !MUTANT, !due.contains(number) {        the same with a condition: MUTANT is true while the mutant is active
"""
import os
import random
import re
import subprocess
import sys
import time

TARGETS = {
    "Tidings": "TidingsTests|ProofTests",
    "TidingsEngine": "TidingsTests|ProofTests",
    "TidingsFoundation": "TidingsFoundationTests",
    "TidingsTesting": "TidingsTestingTests",
    "TidingsOutbox": "TidingsOutboxTests",
    "TidingsWire": "TidingsRelayTests|TidingsOutboxTests",
    "TidingsRelay": "TidingsRelayTests",
    "TidingsInspector": "TidingsInspectorTests|TidingsTopTests",
}
SWITCH = """#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
@usableFromInline let activeMutant: Int32 = unsafe getenv("TIDINGS_MUTANT").map { unsafe atoi($0) } ?? 0
@usableFromInline func isMutant(_ number: Int32) -> Bool { activeMutant == number }
"""


def entries(text):
    for block in re.split(r"\n\s*\n", text):
        entry = {}
        for line in block.splitlines():
            if line.startswith(("- ", "+ ")):
                entry[line[0]] = line[2:]
            elif match := re.match(r"(file|tests|survives): (.*)", line):
                entry[match[1]] = match[2].strip()
        if "file" in entry:
            yield entry


def plant(copy, mutants):
    """Writes the mutants into the copy."""
    modules = set()
    for number, mutant in mutants.items():
        path = os.path.join(copy, mutant["file"])
        text = open(path).read()
        if text.count(mutant["-"]) != 1:
            sys.exit(f'{mutant["file"]} has {text.count(mutant["-"])} times: {mutant["-"]}')
        text = text.replace(mutant["-"], mutant["+"].replace("MUTANT", f"isMutant({number})"))
        open(path, "w").write(text)
        modules.add("/".join(mutant["file"].split("/")[:2]))
    for module in modules:
        open(os.path.join(copy, module, "Mutants.swift"), "w").write(SWITCH)


def run(copy, chosen):
    mutants = dict(enumerate(entries(open(".ci/mutants").read()), 1))
    chosen = [int(number) for number in chosen] or list(mutants)
    plant(copy, mutants)
    swift = ["swift", "build", "--package-path", copy, "--product", "tidingsPackageTests"]
    subprocess.run(swift, check=True)
    tests = ["swift", "test", "--skip-build", "--disable-xctest", "--package-path", copy]
    survivors = 0
    for number in [0] + chosen:
        mutant = mutants.get(number)
        # Checks that without a mutant all selected suites pass.
        names = mutant["tests"] if mutant else "|".join(sorted({m["tests"] for m in mutants.values()}))
        began = time.monotonic()
        try:
            result = subprocess.run(
                tests + ["--filter", names], env=os.environ | {"TIDINGS_MUTANT": str(number)}, timeout=600,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            found = result.returncode != 0
            ran = re.search(r"Test run with [1-9]", result.stdout) is not None
        except subprocess.TimeoutExpired:
            found = ran = True
        if not mutant:
            if found or not ran:
                sys.exit(f"Without a mutant, tests fail:\n{result.stdout[-3000:]}")
            continue
        expected = "survives" not in mutant
        survivors += not found and expected
        word = "found" if found else "survives, as it has to" if not expected else "SURVIVES"
        print(f'{number:3} {word:8} {time.monotonic() - began:4.0f} s  {mutant["file"]}: {mutant["-"]}', flush=True)
    print(f"{len(chosen)} mutants, {survivors} survive.")
    sys.exit(survivors > 0)


def candidates():
    for folder, folders, files in sorted(os.walk("Sources")):
        folders.sort()
        module = folder.split("/")[1] if "/" in folder else ""
        # Code that needs traits isn't built, and code that only checks other code isn't mutated.
        if module == "TidingsConformance" or folder.endswith(("/SQLite", "/PostgreSQL", "/NATS", "/Server", "/Adapters")):
            continue
        for name in sorted(files):
            if module not in TARGETS or not name.endswith(".swift"):
                continue
            path = os.path.join(folder, name)
            text = open(path).read()
            if text.startswith(("#if GRDB", "#if Libpq", "#if NATS")):
                continue
            for line in text.splitlines():
                code = line.strip()
                if text.count(code) != 1 or code.startswith("//"):
                    continue
                if match := re.fullmatch(r"(\s*(?:\} else )?(?:if|guard|while) )([^,{}]+?)( \{.*| else \{.*)", line):
                    if not re.match(r"(let|var|case|#)\b|#", match[2]) and "await" not in match[2]:
                        yield path, TARGETS[module], line, f"{match[1]}({match[2]}) != MUTANT{match[3]}"
                elif re.fullmatch(r"\s*[a-z][\w.?]*\([^{}]*\)", line) and not re.match(r"init|super|self\.init|precondition", code):
                    yield path, TARGETS[module], line, f"if !MUTANT {{ {code} }}"
                elif match := re.fullmatch(r"(\s*[\w.]+ [+-]= )1", line):
                    yield path, TARGETS[module], line, f"{match[1]}(MUTANT ? 2 : 1)"


def draw(seed, count):
    found = list(candidates())
    for path, tests, old, new in random.Random(int(seed)).sample(found, int(count)):
        print(f"file: {path}\ntests: {tests}\n- {old.strip()}\n+ {new.strip()}\n")


if sys.argv[1] == "run":
    run(sys.argv[2], sys.argv[3:])
else:
    draw(*sys.argv[2:])
