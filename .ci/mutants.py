#!/usr/bin/env python3
"""Changes one place of Sources at a time, and reports the changes that no test notices.

    .ci/mutants.py run COPY [NUMBER...]      builds the mutants of .ci/mutants in a copy of the package, and runs the tests of each
    .ci/mutants.py build COPY FILE           builds those of another file
    .ci/mutants.py test COPY FILE NUMBER...  runs the tests of mutants that are built
    .ci/mutants.py draw SEED COUNT           prints mutants that are drawn with a seed, in the form of .ci/mutants

All mutants are built together, in the copy only. TIDINGS_MUTANT in the environment of the tests selects the active one.

Entries of .ci/mutants are separated by empty lines, and have these lines:

    file: Sources/Tidings/Mailbox/RetryPlan.swift
    tests: DroppedRetryTests|RetryTests          the tests that find it, as a filter of `swift test`
    check: Model/operations check                instead of tests: a command that finds the change in the sources, without a build
    survives: why no test can find it            only for a mutant that tests can't find
    - if !due.contains(number) {                 the code: a piece of one line, or pieces of consecutive lines
    + if !MUTANT, !due.contains(number) {        the same with a condition: MUTANT is true while the mutant is active
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

TARGETS = {
    "Tidings": "TidingsTests|TidingsMonitoringTests|ProofTests",
    "TidingsEngine": "TidingsTests|TidingsMonitoringTests|ProofTests",
    "TidingsFoundation": "TidingsFoundationTests|TidingsUserInfoTests",
    "TidingsTesting": "TidingsTestingTests",
    "TidingsServer": "AdapterTests|TidingsMonitoringTests",
    "TidingsCombine": "AdapterTests",
    "TidingsOutbox": "TidingsOutboxTests",
    "TidingsWire": "TidingsRelayTests|TidingsOutboxTests",
    "TidingsRelay": "TidingsRelayTests",
    "TidingsInspector": "TidingsInspectorTests|InspectorServerTests|TidingsTopTests",
    "tidings-top": "TidingsTopTests",
}
# Tests that compile or start programs, or need a server. They take long, and other tests cover the same code.
SLOW = "Compil|ClientTests|CloneFolder|MustNot|Optimized|Swift5Mode|LinkageTests|Postgres(?!Line)|Libpq|Crash|Survival|Replica|WhatSurvives"
# The time limits in seconds: for the tests of one mutant, and for the tests of all entries, which run first, without a mutant. A mutant also
# counts as found if it makes its tests hang.
PATIENCE, ALL_PATIENCE = 150, 1200
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
                entry[line[0]] = entry[line[0]] + "\n" + line[2:] if line[0] in entry else line[2:]
            elif match := re.match(r"(file|tests|check|survives): (.*)", line):
                entry[match[1]] = match[2].strip()
        if "file" in entry:
            yield entry


def change(copy, mutant, new):
    """Replaces the code of a mutant. Returns the previous text of the file."""
    path = os.path.join(copy, mutant["file"])
    text = open(path).read()
    pattern = r"\s*\n\s*".join(re.escape(line.strip()) for line in mutant["-"].splitlines())
    if (count := len(re.findall(pattern, text))) != 1:
        sys.exit(f'{mutant["file"]} contains this code {count} times instead of once: {mutant["-"]}')
    open(path, "w").write(re.sub(pattern, lambda _: new, text))
    return text


def plant(copy, mutants):
    modules = set()
    for number, mutant in mutants.items():
        if "check" in mutant:
            continue
        change(copy, mutant, mutant["+"].replace("MUTANT", f"isMutant({number})"))
        modules.add("/".join(mutant["file"].split("/")[:2]))
    for module in modules:
        open(os.path.join(copy, module, "Mutants.swift"), "w").write(SWITCH)


def build(copy, mutants, options):
    plant(copy, mutants)
    subprocess.run(["swift", "build", "--product", "tidingsPackageTests", *options], cwd=copy, check=True)


def is_found_by_tests(program, copy, names, number):
    """Runs tests until one fails. Returns whether one failed, the first failure or the last lines, and whether any test ran."""
    command = [program, "--testing-library", "swift-testing", "--filter", names, "--skip", SLOW]
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            command, cwd=copy, env=os.environ | {"TIDINGS_MUTANT": str(number)}, stdout=output, stderr=output,
            start_new_session=True)
        patience = PATIENCE if number else ALL_PATIENCE
        end, failure = time.monotonic() + patience, None
        while process.poll() is None and failure is None and time.monotonic() < end:
            time.sleep(0.3)
            output.seek(0)
            failure = re.search(r"✘ Test (?!run)(?:case passing .* to )?(.*?) recorded an issue.*", output.read())
        is_over = process.poll() is not None
        if not is_over:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        text = output.read()
    failure = failure or re.search(r"✘ Test (?!run)(?:case passing .* to )?(.*?) recorded an issue.*", text)
    ran = re.search(r"Test run with [1-9]", text) is not None
    if failure:
        return True, failure[1], True
    if not is_over:
        return True, f"a timeout after {patience} s", True
    if process.returncode != 0 and "Fatal error" in text:
        return True, re.search(r"Fatal error.*", text)[0], True
    return process.returncode != 0, text[-2000:], ran or process.returncode != 0


def test(copy, mutants, chosen, options):
    folder = subprocess.run(
        ["swift", "build", "--show-bin-path", *options], cwd=copy, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    program = os.path.join(folder, "tidingsPackageTests.xctest")
    survivors = 0
    if 0 in chosen:
        # Without a mutant, all suites of the entries must pass.
        names = "|".join(sorted({mutant["tests"] for mutant in mutants.values() if "tests" in mutant}))
        found, text, ran = is_found_by_tests(program, copy, names, 0)
        if found or not ran:
            sys.exit(f"Without a mutant, tests fail:\n{text}")
    for number in chosen:
        if number == 0:
            continue
        mutant = mutants[number]
        began = time.monotonic()
        if "check" in mutant:
            before = change(copy, mutant, mutant["+"])
            result = subprocess.run(
                mutant["check"].split(), cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            open(os.path.join(copy, mutant["file"]), "w").write(before)
            found, text = result.returncode != 0, mutant["check"]
        else:
            found, text, ran = is_found_by_tests(program, copy, mutant["tests"], number)
            if not ran:
                sys.exit(f'{mutant["tests"]}: no test has such a name')
        expected = "survives" not in mutant
        survivors += not found and expected
        word = f"found by {text}" if found else "survives, as expected" if not expected else "SURVIVES"
        code = mutant["-"].splitlines()[0]
        print(f'{number:3} {time.monotonic() - began:4.0f} s  {mutant["file"]}: {code}\n      {word}', flush=True)
    print(f"{len(chosen)} mutants, {survivors} survive.")
    return survivors > 0


# Conditions of code that isn't compiled on Linux, or that is compiled only if a variable of Package.swift is set.
ELSEWHERE = re.compile(
    r"canImport\((?!Glibc|FoundationEssentials)|UNFAIR_LOCK|PORTABLE|WEAK_REFERENCES|ALLOCATED_ATOMICS|Libpq|NATS|"
    r"os\((?!Linux)|!SYSTEM_|_pointerBitWidth\(_32|!hasFeature|!GRDB|!Logging|!Metrics|DEBUG")
NOT_TESTED = ("/PostgreSQL", "/NATS", ".docc", "/Page")


def compiled_lines(text):
    """The lines that are compiled on Linux with all traits, each with the lines before and after it."""
    stack, lines = [], text.splitlines()
    for number, line in enumerate(lines):
        code = line.strip()
        if code.startswith("#if"):
            stack.append(ELSEWHERE.search(code) is None)
        elif code.startswith("#elseif"):
            stack[-1] = not stack[-1] and ELSEWHERE.search(code) is None
        elif code.startswith("#else"):
            stack[-1] = not stack[-1]
        elif code.startswith("#endif"):
            stack.pop()
        elif all(stack) and 0 < number < len(lines) - 1:
            yield line, lines[number - 1].strip(), lines[number + 1].strip()


def candidates():
    for folder, folders, files in sorted(os.walk("Sources")):
        folders.sort()
        module = folder.split("/")[1] if "/" in folder else ""
        # Modules that only test others aren't changed, and the tests of PostgreSQL and NATS need a server.
        if module not in TARGETS or any(part in folder for part in NOT_TESTED):
            continue
        for name in sorted(files):
            if not name.endswith(".swift") or name.startswith("Without"):
                continue
            path = os.path.join(folder, name)
            text = open(path).read()
            for line, before, after in compiled_lines(text):
                code = line.strip()
                if text.count(code) != 1 or code.startswith("//"):
                    continue
                if match := re.fullmatch(r"(\s*(?:\} else )?(?:if|guard|while) )([^,{}]+?)( \{.*| else \{.*)", line):
                    is_whole = match[2].count("(") == match[2].count(")")
                    if is_whole and not re.match(r"(let|var|case|#)\b|#", match[2]) and "await" not in match[2]:
                        yield path, TARGETS[module], line, f"{match[1]}({match[2]}) != MUTANT{match[3]}"
                elif re.fullmatch(r"\s*[a-z][\w.?]*\([^{}]*\)", line):
                    # Excludes parts of longer expressions, values of closures and functions, and calls that never return.
                    if re.match(r"init|super|self\.init|precondition|fatalError|assert|return|case|nonisolated|unsafe", code):
                        continue
                    if re.search(r"[(\[,=?:&|+>]$|\bin$|\{$", before) and not re.match(r"func (?!.*->)|.*\bdefer \{$|.*\b(if|guard|for|while) .*\{$", before):
                        continue
                    if re.match(r"[.?:&|,)\]+]", after):
                        continue
                    yield path, TARGETS[module], line, f"if !MUTANT {{ {code} }}"
                elif match := re.fullmatch(r"(\s*[\w.]+ [+-]= )1", line):
                    yield path, TARGETS[module], line, f"{match[1]}(MUTANT ? 2 : 1)"


def draw(seed, count):
    found = list(candidates())
    for path, tests, old, new in random.Random(int(seed)).sample(found, int(count)):
        print(f"file: {path}\ntests: {tests}\n- {old.strip()}\n+ {new.strip()}\n")


def main(command, *arguments):
    if command == "draw":
        return draw(*arguments)
    # The options of the build, from .ci/traits: "--traits …".
    options = os.environ.get("TIDINGS_MUTANT_OPTIONS", "").split()
    copy = os.path.abspath(arguments[0])
    path, numbers = (".ci/mutants", arguments[1:]) if command == "run" else (arguments[1], arguments[2:])
    mutants = dict(enumerate(entries(open(path).read()), 1))
    chosen = [int(number) for number in numbers] or [0, *mutants]
    if command in ("run", "build"):
        build(copy, mutants, options)
    if command in ("run", "test"):
        sys.exit(test(copy, mutants, chosen, options))


main(*sys.argv[1:])
