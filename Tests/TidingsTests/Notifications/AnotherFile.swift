import Tidings

private struct Top: TypedNotification {}

/// A private type of this file. `NameTests.swift` has another private type with the same name.
var topOfAnotherFile: any TypedNotification.Type { Top.self }
