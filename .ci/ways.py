#!/usr/bin/env python3
"""Holds the ways of a notification in CONTRIBUTING.md against what the code does.

    .ci/ways.py print TRACE [WAY...]   what each way calls, indented by who calls it; files with a star are named in the text
    .ci/ways.py check TRACE            fails where the text and the code differ

TRACE is what Tests/WayProbe printed, and --program the program, whose debug information tells which file a function is from.

The ways stand in the block of the text that begins with "```ways", each as "name: File, File, File". "... File" goes on with the way
before up to that file, or, if that does not have it, with all of it. The block "```answers" has the files, or folders, that only
answer a question on a way. What is held:

- Each file of a way is entered, in the order of the text.
- No way goes back: no function of a file calls one of a file before it. A closure, or a hook, belongs to the function that hands it on.
- Every other file that is entered is one that answers, and every file that is said to answer does on some way.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What belongs to the function that hands it on: closures, and the hook of a post. And what only makes a value, or an object.
HANDED_ON = re.compile(r"closure #|\.(willCall|didCall)\(|init[<(]")
# What happens all the time, on no way.
BESIDE = re.compile(r"keepTime\(\)")
# What nobody wrote as a function, or only reads or makes a value.
LEFT_OUT = re.compile(
    r"getter|setter|modify\b|\.read\b|witness|thunk|metadata accessor|outlined|deinit|deallocating"
    r"|default argument|variable initialization|merged |partial apply|key path|descriptor|Addressor|\$defer"
    r"| infix |static .*\.== |hash\(into:|_unlock|tidings_")


class Call:
    """A function that was entered, and who called it, the nearest first."""

    def __init__(self, places):
        (self.path, self.function), *self.callers = places
        self.file = stem(self.path)

    @property
    def counts(self):
        return self.file is not None and not LEFT_OUT.search(self.function) and not self.is_beside

    @property
    def is_beside(self):
        return any(BESIDE.search(function) for function in [self.function, *(caller for _, caller in self.callers)])

    @property
    def is_handed_on(self):
        return bool(HANDED_ON.search(self.function))

    def caller(self, files):
        """The nearest caller that is in one of the files."""
        for path, _ in self.callers:
            if stem(path) in files:
                return stem(path)
        return None


def stem(path):
    """The name of a file of the package without its ending."""
    return pathlib.Path(path).stem if "/Sources/" in path else None


def read_text(root):
    """The ways of the text, in order: a list of (name, files), and the files that answer."""
    text = (root / "CONTRIBUTING.md").read_text()
    ways, before = [], []
    for block in re.findall(r"^```ways\n(.*?)^```", text, re.S | re.M):
        for line in re.sub(r"\n\s+", " ", block).splitlines():
            name, _, files = line.partition(":")
            files = [file.strip() for file in files.split(",")]
            if files[0].startswith("... "):
                files[0] = files[0][4:]
                files = before[:before.index(files[0])] + files if files[0] in before else before + files
            ways.append((name.strip(), files))
            before = files
    answers = {}
    for name in re.findall(r"[\w+/]+", " ".join(re.findall(r"^```answers\n(.*?)^```", text, re.S | re.M))):
        folder = root / "Sources" / name
        files = [file.stem for file in folder.glob("*.*")] if "/" in name and folder.is_dir() else [name]
        answers[name] = set(files)
    return ways, answers


def read_trace(path, program):
    """For each way its calls, in order."""
    ways, places = [], set()
    for line in pathlib.Path(path).read_text().splitlines():
        if line.startswith("way "):
            ways.append((line[4:], []))
        elif line:
            ways[-1][1].append(line.split())
            places |= set(line.split())
    places = sorted(places)
    known = dict(zip(places, symbolized(places, program)))
    return [(name, [Call([known[place] for place in call]) for call in calls]) for name, calls in ways]


def symbolized(places, program):
    """For each place, the path of its file and the name of its function."""
    told = subprocess.run(
        ["llvm-symbolizer", f"--obj={program}", "--functions=linkage", "--no-inlines"],
        input="\n".join(places) + "\n", capture_output=True, text=True, check=True).stdout
    told = subprocess.run(["swift", "demangle", "--simplified"], input=told, capture_output=True, text=True, check=True).stdout
    for answer in told.split("\n\n")[:len(places)]:
        function, _, where = answer.strip().partition("\n")
        yield where.rsplit(":", 2)[0], function


def differences(ways, answers, traced):
    """What the text says and the code does not, in words."""
    traced = dict(traced)
    met = set()
    answering = set().union(*answers.values())
    for name, files in ways:
        if name not in traced:
            yield f"{name}: the program does not go this way"
            continue
        place = {file: index for index, file in enumerate(files)}
        if len(place) < len(files):
            yield f"{name}: names a file twice"
        # How far the text has been followed.
        position = 0
        for call in filter(lambda call: call.counts, traced[name]):
            met.add(call.file)
            if position < len(files) and call.file == files[position]:
                position += 1
            if call.is_handed_on:
                continue
            if call.file not in place:
                if call.file not in answering:
                    yield f"{name}: {call.file} is entered, by {call.function}, and is neither on the way nor one that answers"
                continue
            caller = call.caller(place)
            if caller and place[call.file] < place[caller]:
                yield f"{name}: {caller} goes back to {call.file}, to {call.function}"
        if position < len(files):
            yield f"{name}: {files[position]} is not entered after {', '.join(files[:position]) or 'nothing'}"
    for name in traced.keys() - {name for name, _ in ways}:
        yield f"{name}: the text does not have this way"
    for name, files in answers.items():
        if not files & met:
            yield f"{name} is said to answer, and is entered on no way"


def print_tree(calls, named):
    """The calls of a way that change the file, each under who called it."""
    stack, before = [], None
    for call in filter(lambda call: call.counts and not call.is_handed_on, calls):
        chain = [stem(path) for path, _ in call.callers if stem(path)]
        chain = [file for index, file in enumerate(chain) if index == 0 or file != chain[index - 1]]
        if chain and chain[0] == call.file:
            continue
        line = (call.file, call.function, tuple(chain))
        if line != before:
            print(f"  {'*' if call.file in named else ' '} {'. ' * len(chain)}{call.file}: {call.function[:130]}")
        before = line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / ".build-ways/debug/WayProbe")
    parser.add_argument("command", choices=["print", "check"])
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("ways", nargs="*")
    arguments = parser.parse_args()
    ways, answers = read_text(arguments.root)
    traced = read_trace(arguments.trace, arguments.program)
    if arguments.command == "print":
        for name, calls in traced:
            if not arguments.ways or name in arguments.ways:
                print(f"\n{name}")
                print_tree(calls, dict(ways).get(name, []))
        return
    found = list(dict.fromkeys(differences(ways, answers, traced)))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
