import Tidings

/// A line of a source file.
public struct SourcePlace: Hashable, Sendable {
    /// The file, as `Module/File.swift`.
    public let file: String

    /// The line.
    public let line: Int

    init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    init(_ registration: Registration) {
        self.init(file: "\(registration.fileID)", line: Int(registration.line))
    }
}

extension SourcePlace: CustomStringConvertible {
    /// The file and the line, as `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }
}
