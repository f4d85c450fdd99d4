#!/usr/bin/env python3
"""Lists the public API of modules that were built, and compares it with what is committed in Documentation/API.

    .ci/api.py check FOLDER MODULE...   fails if the listing of a module differs from the committed one, and prints the differences
    .ci/api.py write FOLDER MODULE...   writes the listings again

FOLDER is where the modules were built, such as .build/debug. Each line of a listing is a declaration, preceded by the type that contains
it. Removing or changing a line breaks the source of clients, and must be listed in CHANGELOG.md. Members that the compiler or a protocol of
another module adds are left out."""

import argparse
import difflib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTINGS = ROOT / "Documentation" / "API"
# Members that a conformance adds. The line of the type lists the conformance, which implies these members.
GIVEN = {"==(_:_:)", "!=(_:_:)", "hash(into:)", "encode(to:)", "init(from:)", "<(_:_:)"}
# Protocols to which nearly every type conforms.
EVERYWHERE = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def target():
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
    return json.loads(info)["target"]["triple"]


def listing(module, folder, included=None):
    with tempfile.TemporaryDirectory() as out:
        maps = [f"-fmodule-map-file={path}" for path in sorted(folder.glob("*.build/module.modulemap")) + written(folder)]
        options = [option for path in maps for option in ("-Xcc", path)] + (["-I", str(included)] if included else [])
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-target", target(), "-I", str(folder / "Modules"), *options, *headers(),
             "-minimum-access-level", "public", "-skip-synthesized-members", "-omit-extension-block-symbols", "-output-dir", out],
            check=True, capture_output=True)
        declared, conformances, names = set(), {}, {}
        for path in sorted(pathlib.Path(out).glob("*.symbols.json")):
            graph = json.loads(path.read_text())
            names |= {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in graph["symbols"]}
            declared |= {entry(symbol, path) for symbol in graph["symbols"] if symbol["pathComponents"][-1] not in GIVEN}
            for relation in graph["relationships"]:
                if relation["kind"] == "conformsTo":
                    conformances.setdefault(relation["source"], set()).add(protocol(relation, names))
    lines = []
    for place, order, declaration, identifier in sorted(declared):
        given = sorted(conformances.get(identifier, set()) - EVERYWHERE) if order == 0 else []
        lines.append(f"{place}: {declaration}" + (f"  [{', '.join(given)}]" if given else ""))
    return list(dict.fromkeys(lines))


def written(folder):
    """The module maps that aren't generated: those of C targets of other packages, and of system libraries."""
    others = sorted(folder.parent.glob("checkouts/**/include/module.modulemap"))
    built = [path for path in others if (folder / f"{path.parent.parent.name}.build").is_dir()]
    of_system = sorted(folder.parent.glob("checkouts/*/Sources/*/module.modulemap"))
    return built + of_system + sorted(ROOT.glob("Sources/C*/module.modulemap"))


def headers():
    """The options for headers of system libraries that aren't in the usual folder."""
    if shutil.which("pkg-config") is None: return []
    found = subprocess.run(["pkg-config", "--cflags-only-I", "libpq"], capture_output=True, text=True)
    return [part for flag in found.stdout.split() for part in ("-Xcc", flag)]


def entry(symbol, path):
    """The path of a type, or of the type that contains a member; 0 for a type and 1 for a member; the declaration; the identifier."""
    declaration = re.sub(r"\s+", " ", "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])).strip()
    # This attribute determines where a body is compiled, and doesn't affect the source of clients.
    declaration = declaration.replace("@export(implementation) ", "")
    if any(item.get("isUnconditionallyUnavailable") for item in symbol.get("availability", [])):
        declaration += "  // unavailable"
    parts = symbol["pathComponents"]
    is_type = symbol["kind"]["identifier"].split(".")[-1] in ("struct", "class", "enum", "protocol", "typealias", "actor")
    place = ".".join(parts if is_type else parts[:-1]) or path.stem.split(".")[0]
    return place, 0 if is_type else 1, declaration, symbol["identifier"]["precise"]


def protocol(relation, names):
    known = names.get(relation["target"]) or relation.get("targetFallback")
    return known.removeprefix("Swift.") if known else relation["target"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--listings", type=pathlib.Path, default=LISTINGS)
    parser.add_argument("--include", type=pathlib.Path, help="a folder of stubs for modules that only exist on other systems")
    parser.add_argument("command", choices=["check", "write"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("modules", nargs="+")
    arguments = parser.parse_args()
    differ = False
    for module in arguments.modules:
        path = arguments.listings / f"{module}.txt"
        lines = listing(module, arguments.folder, arguments.include)
        if arguments.command == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n")
            continue
        known = path.read_text().splitlines() if path.exists() else []
        changes = [
            line for line in difflib.unified_diff(known, lines, f"{path.parent.name}/{path.name}", f"{module}, as it was built", n=0, lineterm="")
            if not line.startswith("@@")]
        if changes:
            differ = True
            print("\n".join(changes), file=sys.stderr)
    if differ:
        sys.exit("The public API has changed: list the change in CHANGELOG.md, and run this step with `write`.")


if __name__ == "__main__":
    main()
