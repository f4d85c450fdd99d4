#!/usr/bin/env python3
"""Embeds the inspector's page in its module as a string, so that every program contains the page, however the program is linked.

SwiftPM's `.embedInCode` writes an array of numbers, which takes the compiler 40 seconds for a page of 130 KB. A string takes almost no
time.

    .ci/page.py write    writes the Swift file from the page
    .ci/page.py check    fails if the Swift file doesn't match the page
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
    page = PAGE.read_text(encoding="utf-8")
    quotes = "#"
    while f'"{quotes}' in page or f"\\{quotes}" in page:
        quotes += "#"
    if not page.endswith("\n") or "\r" in page or "\0" in page:
        sys.exit(f"{PAGE.name} must end with a newline, and must not contain the characters 0 and 13")
    # One line is sufficient, because nobody reads the file.
    line = page.replace("\n", f"\\{quotes}n")
    return (
        "// swift-format-ignore-file\n"
        "// Written by .ci/page.py from inspector.html. Edit that file instead.\n\n"
        "/// The page of the inspector: the contents of `inspector.html`.\n"
        f'let embeddedPage: StaticString = {quotes}"{line}"{quotes}\n\n'
        "/// The scripts and styles that its Content-Security-Policy allows, by their hashes.\n"
        f'let embeddedScripts = "{hashes(page, "script")}"\n'
        f'let embeddedStyles = "{hashes(page, "style")}"\n'
    )


def hashes(page, tag):
    """Returns the elements of a tag in the form of a content security policy: the hashes of their contents."""
    contents = re.findall(rf"<{tag}(?: [^>]*)?>(.*?)</{tag}>", page, re.DOTALL)
    digests = [hashlib.sha256(content.encode()).digest() for content in contents]
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"


if sys.argv[1:] == ["write"]:
    SOURCE.write_text(source(), encoding="utf-8")
elif sys.argv[1:] == ["check"]:
    if not SOURCE.exists() or SOURCE.read_text(encoding="utf-8") != source():
        sys.exit(f"{SOURCE.name} does not match {PAGE.name}: run .ci/page.py write")
else:
    sys.exit(__doc__)
