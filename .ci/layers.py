#!/usr/bin/env python3
"""Finds which folders of a module use declarations of other folders.

    .ci/layers.py table              for each module: files, lines, uses between folders, cycles
    .ci/layers.py arrows MODULE      each pair of folders of a module in which the first uses the second, and the names that it uses
    .ci/layers.py check              fails if a use violates the order in CONTRIBUTING.md, or if there is a cycle

The option --root FOLDER reads another checkout. The order of a module's folders is in CONTRIBUTING.md, in the block that begins with
"```layers": for each module "Module  Low < Middle, Beside < High", where an indented line continues the previous one. A folder may
use the declarations of the folders to its left. Folders with a comma between them are side by side and don't use each other. A
folder that the order doesn't mention belongs to the one that contains it. Files outside of a folder are in the layer that has the name of
their module.

The sources are read as text, without comments and strings, and aren't compiled. An identifier counts as a use of the type or function
with that name that the module declares at the top level. A member of an extension counts if the extension is in another folder than
its type, and if no other declaration of the module has that name. If a file declares a name itself, as a parameter, a variable or a
nested type, that name doesn't count in the file.
"""

import argparse
import pathlib
import re
import statistics
import sys
from collections import defaultdict

IDENTIFIER = re.compile(r"(\.?)\b([A-Za-z_]\w*)\b")
DECLARATION = re.compile(
    r"\b(?P<kind>struct|class|enum|actor|protocol|typealias|associatedtype|extension|func|var|let|case|macro)\s+"
    r"(?P<name>`?[A-Za-z_][\w.]*`?)")
# Words after "class" that show that "class" is a modifier of a member, and not the declaration of a type.
NOT_A_NAME = {"func", "var", "let", "subscript", "init"}
# Members with names that the standard library also has. The text alone doesn't show which one is meant.
EVERYDAY = {
    "description", "count", "isEmpty", "first", "last", "index", "append", "remove", "removeAll", "map", "filter", "next",
    "cancel", "wait", "name", "text", "values", "keys", "sort", "contains", "init", "hash", "encode", "decode", "add", "id",
}


def without_comments_and_strings(text):
    """The source without comments and without the text of string literals; interpolations stay."""
    out, position = [], 0
    while position < len(text):
        if text.startswith("//", position):
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
        elif text.startswith("/*", position):
            end = text.find("*/", position)
            position = len(text) if end < 0 else end + 2
        elif text[position] == '"':
            position = skip_string(text, position, out)
        else:
            out.append(text[position])
            position += 1
    return "".join(out)


def skip_string(text, position, out):
    """Skips a string literal, and appends the contents of its interpolations to out."""
    quote = '"""' if text.startswith('"""', position) else '"'
    position += len(quote)
    out.append(' "" ')
    while position < len(text) and not text.startswith(quote, position):
        if text.startswith("\\(", position):
            start, depth = position + 2, 1
            position = start
            while position < len(text) and depth:
                if text[position] == '"':
                    position = skip_string(text, position, [])
                    continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
            out.append(" " + without_comments_and_strings(text[start:position - 1]) + " ")
        else:
            position += 2 if text[position] == "\\" else 1
    return position + len(quote)


class File:
    """The declarations and the identifiers of a source file."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        source = path.read_text()
        self.lines = source.count("\n")
        self.code = without_comments_and_strings(source)
        self.types = set()  # at the top level
        self.functions = set()  # at the top level
        self.extension_members = []  # (type, member)
        self.members = set()  # in a type or an extension
        self.own = set(re.findall(r"[<,]\s*(?:each\s+)?([A-Z]\w*)\s*(?=[:,>])", self.generic_clauses()))
        self.own |= set(re.findall(r"\b(?:let|var|for|case let)\s+\(?([a-z]\w*)", self.code))
        self.own |= set(re.findall(r"\b([a-z]\w*)\s*:", self.code))
        self.read_declarations()

    def generic_clauses(self):
        return " ".join(re.findall(r"(?:func|struct|class|enum|actor|typealias)\s+\w+\s*(<[^({]*>)", self.code))

    def read_declarations(self):
        """Collects the declarations, with the depth of braces of each."""
        depths, depth = [], 0
        for character in self.code:
            depth += {"{": 1, "}": -1}.get(character, 0)
            depths.append(depth)
        extended = None
        for match in DECLARATION.finditer(self.code):
            kind, name, depth = match["kind"], match["name"].strip("`"), depths[match.start()]
            if name in NOT_A_NAME:
                continue
            before = self.code[self.code.rfind("\n", 0, match.start()) + 1:match.start()]
            is_private = bool(re.search(r"\b(?:private|fileprivate)\b(?!\()", before))
            is_type = kind in ("struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype")
            if depth == 0:
                extended = name.split(".")[0] if kind == "extension" and not is_private else None
                if is_private:
                    self.own.add(name)
                elif is_type:
                    self.types.add(name)
                elif kind == "func":
                    self.functions.add(name)
            elif kind != "extension":
                if is_type:
                    self.own.add(name)
                if depth == 1:
                    self.members.add(name)
                    if extended and not is_private:
                        self.extension_members.append((extended, name))

    def names(self):
        """The identifiers of the file: those that follow a dot, and the others."""
        after_dot, bare = set(), set()
        for dot, name in IDENTIFIER.findall(self.code):
            (after_dot if dot else bare).add(name)
        return after_dot, bare


class Module:

    def __init__(self, path):
        self.name = path.name
        self.files = []
        for file in sorted(path.rglob("*.swift")):
            if ".docc" in str(file):
                continue
            folder = str(file.parent.relative_to(path))
            self.files.append(File(file, self.name if folder == "." else folder))
        self.folders = sorted({file.folder for file in self.files})
        self.arrows = self.read_arrows()

    def read_arrows(self):
        """For each pair of folders, the declarations of the second that the first uses: a set of (name, file)."""
        declared, functions = defaultdict(set), defaultdict(set)
        members, everywhere = defaultdict(set), defaultdict(set)
        for file in self.files:
            for name in file.types:
                declared[name].add(file.folder)
            for name in file.functions:
                functions[name].add(file.folder)
            for name in file.members | file.types | file.functions:
                everywhere[name].add(file.folder)
        for file in self.files:
            for extended, name in file.extension_members:
                if file.folder not in declared.get(extended, set()) and name not in EVERYDAY:
                    members[name].add(file.folder)
        members = {name: folders for name, folders in members.items() if len(everywhere[name]) == 1}

        arrows = defaultdict(set)
        for file in self.files:
            after_dot, bare = file.names()
            for name in bare - file.own:
                self.note(arrows, file, name, declared.get(name, set()) | functions.get(name, set()))
            for name in after_dot | (bare - file.own):
                if name not in file.members:
                    self.note(arrows, file, name, members.get(name, set()))
        return arrows

    @staticmethod
    def note(arrows, file, name, folders):
        if file.folder not in folders:
            for folder in folders:
                arrows[file.folder, folder].add((name, file.path.name))

    def cycles(self):
        """The groups of two or more folders that use each other, directly or indirectly."""
        reached = {folder: {folder} for folder in self.folders}
        changed = True
        while changed:
            changed = False
            for source, target in self.arrows:
                for folder in self.folders:
                    if source in reached[folder] and not reached[target] <= reached[folder]:
                        reached[folder] |= reached[target]
                        changed = True
        groups = {frozenset(b for b in reached[a] if a in reached[b]) for a in self.folders}
        return [sorted(group) for group in groups if len(group) > 1]

    def why(self, source, target):
        return ", ".join(sorted(f"{name} in {file}" for name, file in self.arrows[source, target]))


def read_order(contributing):
    """The order of each module's folders: the position of each folder, counted from the lowest."""
    blocks = re.findall(r"^```layers\n(.*?)^```", contributing.read_text(), re.S | re.M)
    orders = {}
    for line in re.sub(r"\n\s+", " ", "".join(blocks)).splitlines():
        name, _, rest = line.partition(" ")
        levels = [[folder.strip() for folder in level.split(",")] for level in rest.split("<")]
        orders[name] = {folder: place for place, level in enumerate(levels) for folder in level}
    return orders


def layer(folder, order):
    """The folder of the order to which a folder belongs: the folder itself, or the nearest one that contains it. None if there is none."""
    while folder not in order and "/" in folder:
        folder = folder.rpartition("/")[0]
    return folder if folder in order else None


def findings(module, order):
    if module.arrows and not order:
        yield f"{module.name}: CONTRIBUTING.md has no order of its folders"
        return
    for folder in sorted(set(order) - {layer(folder, order) for folder in module.folders}):
        yield f"{module.name}: there is no folder {folder}"
    for folder in sorted({folder for arrow in module.arrows for folder in arrow}):
        if layer(folder, order) is None:
            yield f"{module.name}: the order does not mention the folder {folder}"
    for source, target in sorted(module.arrows):
        low, high = layer(source, order), layer(target, order)
        if low and high and low != high and order[low] <= order[high]:
            where = "beside" if order[low] == order[high] else "above"
            yield f"{module.name}: {source} uses declarations of {target}, which is {where} {source} in the order: {module.why(source, target)}"
    for cycle in module.cycles():
        yield f"{module.name}: a cycle of folders: {', '.join(cycle)}"


def print_table(modules):
    print("| module | files | lines | median | longest | under 25 | over 300 | folders | arrows | cycles (folders in them) |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for module in modules:
        lengths = [file.lines for file in module.files]
        longest = max(module.files, key=lambda file: file.lines)
        cycles = module.cycles()
        print(
            f"| {module.name} | {len(lengths)} | {sum(lengths)} | {statistics.median(lengths):g} "
            f"| {longest.lines} ({longest.path.stem}) | {sum(length < 25 for length in lengths)} "
            f"| {sum(length > 300 for length in lengths)} | {len(module.folders)} | {len(module.arrows)} "
            f"| {len(cycles)} ({sum(map(len, cycles))}) |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("command", choices=["table", "arrows", "check"])
    parser.add_argument("module", nargs="?")
    arguments = parser.parse_args()
    modules = [
        Module(path) for path in sorted((arguments.root / "Sources").iterdir())
        if any(path.rglob("*.swift")) and arguments.module in (None, path.name)
    ]
    if arguments.command == "table":
        print_table(modules)
    elif arguments.command == "arrows":
        for module in modules:
            for source, target in sorted(module.arrows):
                print(f"{module.name}: {source} -> {target}: {module.why(source, target)}")
    else:
        orders = read_order(arguments.root / "CONTRIBUTING.md")
        wrong = [finding for module in modules for finding in findings(module, orders.get(module.name, {}))]
        print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
