#!/usr/bin/env python3
"""Keeps the page of the inspector in its module, as a string, so that it is in the program whichever way that is linked.

SwiftPM's `.embedInCode` writes an array of numbers, which takes the compiler 40 seconds for a page of 130 KB; a string takes it none.

    .ci/page.py write    writes the Swift file anew from the page
    .ci/page.py check    says whether it is the page's; silent if it is
"""

import base64
import hashlib
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent.parent / "Sources/TidingsInspector/Page"
PAGE = FOLDER / "inspector.html"
SOURCE = FOLDER / "EmbeddedPage.swift"


def source():
    """The Swift file that has the page."""
    page = PAGE.read_text(encoding="utf-8")
    quotes = "#"
    while f'"{quotes}' in page or f"\\{quotes}" in page:
        quotes += "#"
    if not page.endswith("\n") or "\r" in page or "\0" in page:
        sys.exit(f"{PAGE.name} ends with a newline, and has none of the characters 0 and 13")
    # One line: the file is no source that anybody reads.
    line = page.replace("\n", f"\\{quotes}n")
    return (
        "// swift-format-ignore-file\n"
        "// Written by .ci/page.py from inspector.html, which is what to edit.\n\n"
        "/// The page of the inspector: `inspector.html` as it stands.\n"
        f'let embeddedPage: StaticString = {quotes}"{line}"{quotes}\n\n'
        "/// What its Content-Security-Policy allows: these scripts and styles, and no others.\n"
        f'let embeddedScripts = "{hashes(page, "script")}"\n'
        f'let embeddedStyles = "{hashes(page, "style")}"\n'
    )


def hashes(page, tag):
    """The elements of a tag as a policy names them: by the hash of what is in them."""
    contents = re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", page, re.DOTALL)
    digests = [hashlib.sha256(content.encode()).digest() for content in contents]
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"


if sys.argv[1:] == ["write"]:
    SOURCE.write_text(source(), encoding="utf-8")
elif sys.argv[1:] == ["check"]:
    if not SOURCE.exists() or SOURCE.read_text(encoding="utf-8") != source():
        sys.exit(f"{SOURCE.name} is not that of {PAGE.name}: run .ci/page.py write")
else:
    sys.exit(__doc__)
