/// A line of a source file: where something was posted, or an observer registered.
///
/// The compiler fills it in where a method is called that takes a `fileID` and a `line`.
public struct SourcePlace: Sendable {
    /// The file, as `Module/File.swift`.
    public let fileID: StaticString

    @usableFromInline let shortLine: UInt32

    /// The line.
    @inlinable public var line: UInt { UInt(shortLine) }

    /// Names a line.
    ///
    /// - Parameters:
    ///   - fileID: The file, as `Module/File.swift`; that of the call if you leave it out.
    ///   - line: The line; that of the call if you leave it out.
    @inlinable
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
        self.fileID = fileID
        shortLine = UInt32(clamping: line)
    }
}

extension SourcePlace {
    /// The place of what was not posted through Tidings.
    package static let unknown = SourcePlace(fileID: "", line: 0)

    /// Whether it is a line.
    package var isKnown: Bool { shortLine > 0 }
}

extension SourcePlace: Hashable {
    /// Two places are the same if they are the same line of the same file.
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
