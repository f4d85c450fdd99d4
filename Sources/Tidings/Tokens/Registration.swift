/// What a center knows about an observer beside its closure: where it was registered, how it is delivered, who owns it.
public struct Registration: Sendable {
    /// The file that registered the observer, as `Module/File.swift`.
    public let fileID: StaticString

    /// Where and when the observer runs.
    public let delivery: Delivery

    private let shortLine: UInt32

    /// The line that registered the observer.
    public var line: UInt { UInt(shortLine) }

    /// The object to which the observer is tied, if it has one.
    public let owner: Owner?

    /// Describes a registration.
    ///
    /// - Parameters:
    ///   - fileID: The file that registered the observer.
    ///   - line: The line that registered the observer.
    ///   - delivery: Where and when the observer runs.
    ///   - owner: The object to which the observer is tied.
    public init(fileID: StaticString, line: UInt, delivery: Delivery = .inPost, owner: Owner? = nil) {
        self.fileID = fileID
        shortLine = UInt32(clamping: line)
        self.delivery = delivery
        self.owner = owner
    }
}
