import Foundation
public import Logging

/// Writes each line of the log as a JSON object, so that a search can filter by `tidings.observer` without parsing
/// text.
public struct JSONLog: LogHandler {
    /// The minimum level of the lines that are written.
    public var logLevel = Logger.Level.info
    /// The metadata of each line.
    public var metadata: Logger.Metadata = [:]
    /// A provider of metadata from the task that logs.
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: The label of the logger.
    ///   - write: Writes a line. The default prints to standard output.
    public init(label: String, write: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.label = label
        self.write = write
    }

    /// One value of the metadata.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    ///
    /// - Parameter event: The event to log.
    public func log(event: LogEvent) {
        var fields = ["time": Date().ISO8601Format(.init(includingFractionalSeconds: true)), "label": label]
        fields["level"] = event.level.rawValue
        fields["message"] = "\(event.message)"
        for metadata in [metadata, metadataProvider?.get(), event.metadata] {
            fields.merge(metadata?.mapValues { "\($0)" } ?? [:]) { $1 }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let line = try? encoder.encode(fields) { write(String(decoding: line, as: UTF8.self)) }
    }
}
