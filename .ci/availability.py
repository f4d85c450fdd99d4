#!/usr/bin/env python3
"""Lists the symbols of the standard library that the sources use and that older Apple systems lack. It needs no Apple machine.

    .ci/availability.py table [--macos V]     each symbol newer than macOS V (default: the one in Package.swift), and where it is used
    .ci/availability.py check [--macos V]     the same, and fails if there is such a symbol
    .ci/availability.py planted               fails unless a use of Mutex, planted in a separate file, is found for macOS 13

The toolchain's symbol graphs contain the version in which each public symbol was introduced. The index store of a debug build (`swift
build`) contains every use of a symbol, even in inlined code. Uses in code marked @available(macOS ...) or #available for at least the
symbol's system don't count. Of the features that aren't symbols, only types with parameter packs are found, in the text. The runtime's
support for function types, such as those with @isolated(any) as a generic argument, isn't checked."""

import argparse
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict

MODULES = ["Swift", "_Concurrency", "Synchronization", "_StringProcessing", "Observation"]
LIBRARIES = [
    "TidingsEngine", "Tidings", "TidingsFoundation", "TidingsSwiftUI", "TidingsCombine", "TidingsTesting", "TidingsConformance",
    "TidingsWire", "TidingsOutbox", "TidingsRelay", "TidingsInspector", "TidingsServer", "tidings-top",
]
PACKS_SINCE = (14, 0)
# Protocol requirements that older systems lack. For these systems, the compiler uses the function in the protocol's extension.
BESIDE_OLDER_ONES = {
    "s:s17FixedWidthIntegerP2amoiyxx_xtFZ",  # &*
    # `next(isolation:)`, which `for await` calls. For older systems, the compiler uses `next()` instead.
    "s:ScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF",
    "s:ScG8IteratorV4next9isolationxSgScA_pSgYi_tYaF",
}
REFERENCES = 1 << 2 | 1 << 5  # roles of the index store: a reference, a call


def version(text):
    numbers = [int(part) for part in text.split(".")]
    return (numbers + [0, 0])[:2]


def minimum():
    found = re.search(r"\.macOS\(\.v(\d+)(?:_(\d+))?\)", pathlib.Path("Package.swift").read_text())
    return (int(found[1]), int(found[2] or 0))


def introduced():
    """The version in which each public symbol of the standard library was introduced, by its identifier: (version, title)."""
    toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent
    symbols = {}
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            subprocess.run(
                [toolchain / "swift-symbolgraph-extract", "-module-name", module, "-target",
                 os.uname().machine + "-unknown-linux-gnu", "-output-dir", folder, "-minimum-access-level", "public"],
                check=True, capture_output=True)
        for graph in pathlib.Path(folder).glob("*.symbols.json"):
            for symbol in json.loads(graph.read_text())["symbols"]:
                for entry in symbol.get("availability", []):
                    if entry.get("domain") == "macOS" and "introduced" in entry:
                        since = (entry["introduced"]["major"], entry["introduced"].get("minor", 0))
                        symbols[symbol["identifier"]["precise"]] = (since, ".".join(symbol["pathComponents"]))
    return symbols


class IndexStore:
    """The uses of symbols that a build has recorded, read through the C interface of the toolchain's libIndexStore."""

    class Text(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    CALLBACK = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
    NAME_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)

    def __init__(self, path):
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.library = ctypes.CDLL(str(toolchain / "lib" / "libIndexStore.so"))
        for name in ["store_create", "unit_reader_create", "record_reader_create", "occurrence_get_symbol"]:
            getattr(self.library, "indexstore_" + name).restype = ctypes.c_void_p
        for name in ["unit_reader_get_main_file", "unit_dependency_get_name", "symbol_get_usr"]:
            getattr(self.library, "indexstore_" + name).restype = self.Text
        self.library.indexstore_occurrence_get_roles.restype = ctypes.c_uint64
        self.store = self.pointer("store_create", str(path).encode(), None)

    def call(self, name, *arguments):
        arguments = [ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments]
        return getattr(self.library, "indexstore_" + name)(*arguments)

    def pointer(self, name, *arguments):
        found = self.call(name, *arguments)
        if not found:
            raise SystemExit(f"The index store cannot be read ({name}). Build first: swift build")
        return found

    @staticmethod
    def string(text):
        return ctypes.string_at(text.data, text.length).decode() if text.length else ""

    def units(self):
        names = []
        self.call("store_units_apply_f", self.store, ctypes.c_uint(0), None,
                  self.NAME_CALLBACK(lambda _, name: names.append(self.string(name)) or True))
        return names

    def records(self, unit):
        """The source file of a unit, and the names of its own records."""
        reader = self.pointer("unit_reader_create", self.store, unit.encode(), None)
        file, names = self.string(self.call("unit_reader_get_main_file", reader)), []

        def dependency(_, entry):
            if self.call("unit_dependency_get_kind", entry) == 2 and not self.call("unit_dependency_is_system", entry):
                names.append(self.string(self.call("unit_dependency_get_name", entry)))
            return True

        self.call("unit_reader_dependencies_apply_f", reader, None, self.CALLBACK(dependency))
        self.call("unit_reader_dispose", reader)
        return file, names

    def uses(self, record):
        """The identifiers that a record refers to, each with its line."""
        reader, found = self.pointer("record_reader_create", self.store, record.encode(), None), []

        def occurrence(_, entry):
            if self.call("occurrence_get_roles", entry) & REFERENCES:
                line, column = ctypes.c_uint(), ctypes.c_uint()
                self.call("occurrence_get_line_col", entry, ctypes.byref(line), ctypes.byref(column))
                symbol = self.pointer("occurrence_get_symbol", entry)
                found.append((self.string(self.call("symbol_get_usr", symbol)), line.value))
            return True

        self.call("record_reader_occurrences_apply_f", reader, None, self.CALLBACK(occurrence))
        self.call("record_reader_dispose", reader)
        return found


def marked(lines):
    """For each line of a file, the newest macOS that a surrounding @available or #available requires."""
    since, open_marks, depth, waiting = [], [], 0, None
    for line in lines:
        found = re.search(r"[@#]available\(.*?macOS (\d+(?:\.\d+)?)", line)
        if found:
            waiting = (tuple(version(found[1])), depth)
        code = re.sub(r"//.*", "", line)
        since.append(max([mark for mark, _ in open_marks] + [waiting[0] if waiting else (0, 0)]))
        for character in code:
            if character == "{":
                if waiting and depth == waiting[1]:
                    open_marks.append(waiting)
                    waiting = None
                depth += 1
            elif character == "}":
                depth -= 1
                open_marks = [mark for mark in open_marks if mark[1] < depth]
    return since


def packs(lines):
    """The lines that declare a type with a parameter pack."""
    for number, line in enumerate(lines, 1):
        if re.search(r"^\s*(?:@\w+ |\w+ )*(?:struct|class|enum|actor)\s+\w+<[^>]*\beach\b", line):
            yield number


def newer(store, folders, least):
    symbols, found, seen = introduced(), defaultdict(set), set()
    index = IndexStore(store)
    # Skips a source that has changed since its unit was written. It is checked after it is compiled again.
    written = {entry.name: entry.stat().st_mtime for entry in pathlib.Path(store).glob("v*/units/*")}
    for unit in index.units():
        file, records = index.records(unit)
        path = pathlib.Path(file)
        if file in seen or not path.is_file() or not any(folder in path.parents for folder in folders):
            continue
        if path.stat().st_mtime > written[unit]: continue
        lines = path.read_text().split("\n")
        since = marked(lines)
        for record in records:
            seen.add(file)
            for identifier, line in index.uses(record):
                known = symbols.get(identifier)
                if known and identifier not in BESIDE_OLDER_ONES and known[0] > least and line <= len(since) and since[line - 1] < known[0]:
                    found[known].add((path, line))
        for line in packs(lines):
            if PACKS_SINCE > least and since[line - 1] < PACKS_SINCE:
                found[(PACKS_SINCE, "a type with a parameter pack")].add((path, line))
    return found, len(seen)


def tell(found, root):
    for (since, title), places in sorted(found.items(), key=lambda entry: (-entry[0][0][0], entry[0][1])):
        files = sorted({str(path.relative_to(root)) for path, _ in places})
        first = sorted(f"{path.relative_to(root)}:{line}" for path, line in places)[0]
        print(f"macOS {since[0]}.{since[1]}  {title}: {len(places)} uses in {len(files)} files, such as {first}")


def planted():
    """Plants a use of Mutex, a type with a parameter pack, and a use of Mutex that is marked as available."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        (folder / "Planted.swift").write_text(
            "import Synchronization\n"
            "public final class Planted: Sendable { let mutex = Mutex(1) }\n"
            "@available(macOS 15, *)\npublic final class Marked: Sendable { let mutex = Mutex(1) }\n"
            "public struct Pack<each T> {}\n")
        subprocess.run(
            ["swiftc", "-c", "-parse-as-library", "-module-name", "Planted", "-index-store-path", folder / "store", "-o",
             folder / "planted.o", folder / "Planted.swift"], check=True)
        found, _ = newer(folder / "store", [folder], (13, 0))
        titles = {title: sorted(line for _, line in places) for (_, title), places in found.items()}
        expected = titles.get("Mutex") == [2] and titles.get("a type with a parameter pack") == [5]
        if not expected:
            raise SystemExit(f"The planted uses of newer features were not found. Found were: {titles}")
        print("A planted Mutex is found, and a Mutex in code marked @available is not.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["table", "check", "planted"])
    parser.add_argument("--macos", help="the oldest macOS")
    parser.add_argument("--store", help="the index store", default=".build/debug/index/store")
    parser.add_argument("--modules", nargs="*", default=LIBRARIES)
    options = parser.parse_args()
    if options.command == "planted":
        return planted()
    root = pathlib.Path.cwd().resolve()
    least = tuple(version(options.macos)) if options.macos else minimum()
    found, count = newer(options.store, [root / "Sources" / module for module in options.modules], least)
    if count == 0:
        raise SystemExit("The index store has none of the sources. Build first: swift build")
    tell(found, root)
    print(f"{count} files: {len(found)} symbols newer than macOS {least[0]}.{least[1]}")
    if options.command == "check" and found:
        sys.exit(1)


main()
