import Tidings

struct Counted: TypedNotification {
    let number: Int
}

struct Cleared: TypedNotification {}

func thisFile(_ fileID: String = #fileID) -> String { fileID }
