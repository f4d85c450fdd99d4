import Tidings

/// A line of one of the streams of a source.
protocol LineNotification: TypedNotification, Sendable where Sender == any LineSource {
    /// Which stream of the source it is.
    static var stream: StreamName { get }

    /// The line.
    var line: Line { get }

    init(sender: any LineSource, line: Line)
}
