import Tidings

/// A notification with a number.
struct Counted: TypedNotification {
    let number: Int
}

/// A notification without properties.
struct Cleared: TypedNotification {}

/// The file of the caller.
func thisFile(_ fileID: String = #fileID) -> String { fileID }
