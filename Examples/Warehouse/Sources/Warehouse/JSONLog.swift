import Foundation
public import Logging

/// Writes each line of the log as an object of JSON, so that a search can ask for `tidings.observer`, and need not parse text.
public struct JSONLog: LogHandler {
    /// The level below which nothing is written.
    public var logLevel = Logger.Level.info
    /// What each line has.
    public var metadata: Logger.Metadata = [:]
    /// What each line has of the task that logs.
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: The label of the logger.
    ///   - write: Takes a line; to the standard output unless set.
    public init(label: String, write: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.label = label
        self.write = write
    }

    /// One value of what each line has.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    ///
    /// - Parameter event: What is logged.
    public func log(event: LogEvent) {
        var fields = ["time": Date().ISO8601Format(.init(includingFractionalSeconds: true)), "label": label]
        fields["level"] = event.level.rawValue
        fields["message"] = "\(event.message)"
        for metadata in [metadata, metadataProvider?.get(), event.metadata] {
            fields.merge(metadata?.mapValues { "\($0)" } ?? [:]) { $1 }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings alone can always be encoded.
        if let line = try? encoder.encode(fields) { write(String(decoding: line, as: UTF8.self)) }
    }
}
