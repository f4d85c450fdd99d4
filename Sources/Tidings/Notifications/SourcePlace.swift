/// A line of a source file: where something was posted, or an observer registered.
///
/// The methods that take a `fileID` and a `line` make it of them; their default is the place of the call.
public struct SourcePlace: Sendable {
    /// The file, as `Module/File.swift`.
    @export(implementation) public let fileID: StaticString

    @export(implementation) let shortLine: UInt32

    /// The line.
    @export(implementation) public var line: UInt { UInt(shortLine) }

    /// Makes the place of a line; by default, of the line of the call.
    ///
    /// - Parameters:
    ///   - fileID: The file, as `Module/File.swift`.
    ///   - line: The line.
    @export(implementation)
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.fileID = fileID
        shortLine = UInt32(clamping: line)
    }

    /// Makes the place of a line as an entry of the engine keeps it.
    init(fileID: StaticString, shortLine: UInt32) {
        self.fileID = fileID
        self.shortLine = shortLine
    }
}

extension SourcePlace {
    /// The place of a post that was not made through Tidings.
    package static let unknown = SourcePlace(fileID: "", line: 0)

    /// Whether the place is a line of source, and not ``unknown``.
    package var isKnown: Bool { shortLine > 0 }
}

extension SourcePlace: Hashable {
    /// Compares the files, by their text, and the lines.
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
