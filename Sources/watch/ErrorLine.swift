import Tidings

/// A source wrote a line to its errors.
struct ErrorLine: LineNotification {
    static let stream = StreamName.errors
    let sender: any LineSource
    let line: Line
}
