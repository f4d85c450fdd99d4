/// A line of a source file that posts a notification or registers an observer.
public struct SourcePlace: Sendable {
    /// The file, as `Module/File.swift`.
    @export(implementation) public let fileID: StaticString

    @export(implementation) let shortLine: UInt32

    /// The line.
    @export(implementation) public var line: UInt { UInt(shortLine) }

    /// Creates the place of a line; by default, the line of the call.
    ///
    /// - Parameters:
    ///   - fileID: The file, as `Module/File.swift`.
    ///   - line: The line.
    @export(implementation)
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.fileID = fileID
        shortLine = UInt32(clamping: line)
    }

    init(fileID: StaticString, shortLine: UInt32) {
        self.fileID = fileID
        self.shortLine = shortLine
    }
}

extension SourcePlace {
    /// The place of a post that wasn't made through Tidings.
    package static let unknown = SourcePlace(fileID: "", line: 0)

    package var isKnown: Bool { shortLine > 0 }
}

extension SourcePlace: Hashable {
    /// Compares the names of the files, and the lines.
    public static func == (lhs: SourcePlace, rhs: SourcePlace) -> Bool {
        lhs.shortLine == rhs.shortLine && "\(lhs.fileID)" == "\(rhs.fileID)"
    }

    /// Hashes the file and the line.
    public func hash(into hasher: inout Hasher) {
        hasher.combine("\(fileID)")
        hasher.combine(shortLine)
    }
}

extension SourcePlace: CustomStringConvertible {
    /// The file and the line, as `Module/File.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}
