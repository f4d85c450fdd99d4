import Tidings

/// A notification with a number.
struct Counted: TypedNotification {
    let number: Int
}

/// A notification without anything.
struct Cleared: TypedNotification {}

/// The file of a call.
func thisFile(_ fileID: String = #fileID) -> String { fileID }
