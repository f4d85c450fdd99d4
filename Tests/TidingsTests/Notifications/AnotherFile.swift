import Tidings

private struct Top: TypedNotification {}

/// A private type with a name that another file uses as well.
var topOfAnotherFile: any TypedNotification.Type { Top.self }
