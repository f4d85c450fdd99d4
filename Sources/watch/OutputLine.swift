import Tidings

/// A source wrote a line to its output.
struct OutputLine: LineNotification {
    static let stream = StreamName.output
    let sender: any LineSource
    let line: Line
}
