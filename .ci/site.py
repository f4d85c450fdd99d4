#!/usr/bin/env python3
"""Completes the site that DocC has written, and checks its links and those of the documents in the repository.

    .ci/site.py finish SITE    adds the landing page, the search, the bar on each page, and links from module to module
    .ci/site.py check SITE     fails if a link between pages or modules is broken
    .ci/site.py documents      fails if a link between files of the repository is broken

DocC resolves references inside of a module. In an article, a link to another module is written [text](/documentation/module/page). This script
turns a name in code into a link if it is the name of another module, or of a public type that exists only in one other module.
"""

import html
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ROOT / "Documentation/Site"
# The modules, in the order in which a reader needs them.
MODULES = ("Tidings", "TidingsFoundation", "TidingsSwiftUI", "TidingsCombine", "TidingsTesting", "TidingsConformance", "TidingsServer",
           "TidingsInspector", "TidingsOutbox", "TidingsRelay", "TidingsWire")
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def pages(site):
    """Every page: its path, its file, and its content."""
    for file in sorted((site / "data/documentation").rglob("*.json")):
        yield "/" + str(file.relative_to(site / "data"))[:-5], file, json.loads(file.read_text())


def text(content):
    return "".join(part.get("text") or part.get("code") or "" for part in content or [])


def names(site):
    """For each name in code that is unambiguous in all modules, the reference to its page."""
    found, doubles = {}, set()
    for path, _, page in pages(site):
        depth = path.count("/")
        isModule = depth == 2 and page["metadata"].get("symbolKind") == "module"
        if not isModule and not (depth == 3 and page["metadata"].get("role") == "symbol"):
            continue
        title = page["metadata"]["title"]
        doubles.update({title} & found.keys())
        found[title] = {
            "type": "topic", "kind": "symbol", "role": "collection" if isModule else "symbol", "title": title, "url": path,
            "identifier": page["identifier"]["url"], "abstract": page.get("abstract", [])}
    return {title: reference for title, reference in found.items() if title not in doubles}


def link(node, known, path, used):
    """Turns names in code into references, in all text of a page that is not part of a link or of a heading."""
    if isinstance(node, list):
        return [link(part, known, path, used) for part in node]
    if not isinstance(node, dict):
        return node
    reference = known.get(node.get("code", "").removesuffix(".self")) if node.get("type") == "codeVoice" else None
    if reference and reference["url"].split("/")[2] != path.split("/")[2]:
        used[reference["identifier"]] = reference
        return {"type": "reference", "identifier": reference["identifier"], "isActive": True}
    if node.get("type") in ("reference", "heading"):
        return node
    return {key: link(part, known, path, used) for key, part in node.items()}


def swift(code):
    code = html.escape(code, quote=False)
    code = re.sub(r"\b(import|struct|final|class|actor|func|init|let|var|private|static|await|guard|else|return|as|if|any|some|extension)\b", r"<b>\1</b>", code)
    return re.sub(r"(//.*)$", r"<i>\1</i>", code, flags=re.M)


def site_path(target):
    """Where a file that the readme links to is on the site; None if it is not there."""
    found = re.fullmatch(r"Sources/(\w+)/Documentation\.docc/(\w+)\.md", target.split("#")[0])
    return found and "/documentation/" + (found[1].lower() if found[1] == found[2] else f"{found[1]}/{found[2]}".lower()) + "/"


def rendered(markdown):
    """Renders the parts of Markdown that the README uses."""
    def inline(line):
        line = html.escape(line, quote=False)
        line = re.sub(r"`([^`]+)`", r"<code>\1</code>", line)
        line = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", line)
        return LINK.sub(lambda m: f'<a href="{site_path(m[2])}">{m[1]}</a>' if site_path(m[2]) else m[1], line)

    out = []
    for block in re.split(r"(```\w*\n.*?```)", markdown, flags=re.S):
        if code := re.fullmatch(r"```(\w*)\n(.*?)```", block, re.S):
            out.append(f"<pre><code>{swift(code[2]) if code[1] == 'swift' else html.escape(code[2])}</code></pre>")
            continue
        for part in re.split(r"\n\s*\n", block):
            part = part.strip()
            if heading := re.match(r"(#+) (.*)", part):
                out.append(f"<h{len(heading[1])}>{inline(heading[2])}</h{len(heading[1])}>")
            elif part.startswith("- "):
                out.append("<ul>" + "".join(f"<li>{inline(item[2:])}</li>" for item in part.splitlines()) + "</ul>")
            elif part:
                out.append(part if part.startswith("<") else f"<p>{inline(part)}</p>")
    return "\n".join(out)


def finish(site):
    known = names(site)
    for path, file, page in pages(site):
        used = {}
        for key in ("abstract", "primaryContentSections"):
            if key in page:
                page[key] = link(page[key], known, path, used)
        page.setdefault("references", {}).update(used)
        file.write_text(json.dumps(page, separators=(",", ":")))

    bar = (PARTS / "bar.html").read_text()
    for file in (site / "documentation").rglob("index.html"):
        old = file.read_text()
        new = old.replace("</head>", '<link rel="stylesheet" href="/site.css"></head>').replace('<div id="app">', bar + '<div id="app">')
        if "tidings-bar" not in old:
            file.write_text(new)
    for name in ("site.css", "search.js", "theme-settings.json"):
        (site / name).write_bytes((PARTS / name).read_bytes())

    entries, abstracts = [], {}
    for path, _, page in pages(site):
        data = page["metadata"]
        module = path.split("/")[2]
        module = next((name for name in MODULES if name.lower() == module), module)
        entries.append({"title": data.get("title", ""), "path": path + "/", "module": module, "text": text(page.get("abstract"))[:200],
                        "kind": (data.get("roleHeading") or data.get("symbolKind") or "page").lower()})
        if path.count("/") == 2:
            abstracts[module] = text(page.get("abstract"))
    (site / "search.json").write_text(json.dumps(entries, separators=(",", ":")))

    # Sorts the modules on DocC's overview page and in the navigator.
    order = [name.lower() for name in MODULES]
    file = site / "data/documentation.json"
    page = json.loads(file.read_text())
    page["topicSectionsStyle"] = "list"
    for section in page.get("topicSections", []):
        section["identifiers"].sort(key=lambda name: order.index(name.rsplit("/", 1)[1].lower()))
    file.write_text(json.dumps(page))
    file = site / "index/index.json"
    index = json.loads(file.read_text())
    for roots in index["interfaceLanguages"].values():
        for root in roots:
            root["children"].sort(key=lambda node: order.index(node["title"].lower()) if node["title"].lower() in order else -1)
    file.write_text(json.dumps(index, separators=(",", ":")))

    # A picture that a catalog shares with another folder is a symbolic link, which is replaced by the picture.
    for file in site.rglob("*"):
        if file.is_symlink():
            content = file.resolve()
            if not content.is_file():
                content = next(ROOT.glob(f"Sources/*/Documentation.docc/Resources/{file.name}")).resolve()
            file.unlink()
            file.write_bytes(content.read_bytes())

    readme = (ROOT / "README.md").read_text().split("## Promises")[0]
    modules = "\n".join(f'<dt><a href="/documentation/{name.lower()}/">{name}</a></dt><dd>{html.escape(abstracts[name])}</dd>'
                        for name in MODULES if name in abstracts)
    landing = (PARTS / "landing.html").read_text()
    for mark, content in (("BAR", bar), ("README", rendered(readme)), ("MODULES", modules)):
        landing = landing.replace(f"<!-- {mark} -->", content)
    (site / "index.html").write_text(landing)
    # The page that file servers, such as GitHub Pages, show for an address that doesn't exist.
    missing = (PARTS / "landing.html").read_text().replace("<!-- BAR -->", bar).replace("<h2>Modules</h2>", "")
    (site / "404.html").write_text(missing.replace("<!-- README -->", "<h1>This page doesn't exist</h1><p>Search all modules above.</p>"))


def links(node):
    """The identifiers of all references in a page's text."""
    if isinstance(node, list):
        for part in node:
            yield from links(part)
    elif isinstance(node, dict):
        if node.get("type") == "reference" and "identifier" in node:
            yield node["identifier"]
        for key, part in node.items():
            if key != "references":
                yield from links(part)


def check(site):
    contents = {path: page for path, _, page in pages(site)}
    anchors = {path: {part.get("anchor", "").lower() for section in page.get("primaryContentSections", []) for part in section.get("content", [])
                      if part.get("type") == "heading"} for path, page in contents.items()}
    wrong, counted, across = [], 0, 0
    for path, page in contents.items():
        for identifier in links(page):
            url = page["references"].get(identifier, {}).get("url")
            if url is None or re.match(r"[a-z]+:", url):
                continue
            counted += 1
            target, _, anchor = url.partition("#")
            target = target.rstrip("/").lower()
            across += target.split("/")[2:3] != path.split("/")[2:3]
            if target not in contents or (anchor and anchor.lower() not in anchors[target] and "topics" not in anchor.lower()):
                wrong.append(f"{path}: {url}")
    for file in [site / "index.html", *(site / "documentation").rglob("index.html")]:
        for url in re.findall(r'(?:href|src)="(/[^"]*)"', file.read_text()):
            counted += 1
            place = site / url.split("#")[0].lstrip("/")
            if not (place.is_file() or (place / "index.html").is_file()):
                wrong.append(f"{file.relative_to(site)}: {url}")
    missing = [name for name in MODULES if f"/documentation/{name.lower()}" not in contents]
    bare = [path for path, page in contents.items() if path.count("/") == 2 and not page.get("abstract")]
    for name in missing:
        wrong.append(f"no page of {name}")
    for path in bare:
        wrong.append(f"{path} has no abstract")
    return wrong, f"{len(contents)} pages with {counted} links, {across} of them to another module"


def slug(heading):
    heading = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def documents():
    wrong, counted = [], 0
    files = [*ROOT.glob("*.md"), *ROOT.glob(".github/**/*.md"), *ROOT.glob("Model/*.md"), *ROOT.glob("Benchmarks/*.md"), *ROOT.glob("Examples/*/*.md"),
             *ROOT.glob("Sources/*/Documentation.docc/*.md")]
    for file in files:
        prose = re.sub(r"```.*?```", "", file.read_text(), flags=re.S)
        targets = [target for _, target in LINK.findall(prose)] + re.findall(r'(?:src|srcset)="([^"]+)"', prose)
        for target in targets:
            if re.match(r"[a-z]+:|/documentation/", target):
                continue
            counted += 1
            path, _, anchor = target.partition("#")
            place = (file.parent / path) if path else file
            if not place.exists():
                wrong.append(f"{file.relative_to(ROOT)}: {target}")
            elif anchor and anchor not in {slug(line) for line in re.findall(r"^#+ (.*)$", place.read_text(), re.M)}:
                wrong.append(f"{file.relative_to(ROOT)}: {target}")
    return wrong, f"{len(files)} documents with {counted} links to files"


def main(command, *site):
    if command == "finish":
        return finish(pathlib.Path(site[0]))
    wrong, summary = documents() if command == "documents" else check(pathlib.Path(site[0]))
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(f"{len(wrong)} links lead nowhere.")
    print(summary)


main(*sys.argv[1:])
