// swift-format-ignore-file
// Written by .ci/page.py from inspector.html, which is what to edit.

/// The page of the inspector: `inspector.html` as it stands.
let embeddedPage: StaticString = #"""
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Tidings inspector</title></head>
<body><main></main></body>
</html>

"""#

/// What its Content-Security-Policy allows: these scripts and styles, and no others.
let embeddedScripts = "'none'"
let embeddedStyles = "'none'"
