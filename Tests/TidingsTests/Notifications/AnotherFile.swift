import Tidings

private struct Top: TypedNotification {}

/// A private type whose name another file uses too.
var topOfAnotherFile: any TypedNotification.Type { Top.self }
