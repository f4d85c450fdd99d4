/// What is known about an entry beside its closure, in the terms of the code above the engine.
///
/// The engine hands it back and asks the ``ChannelHost`` about its tie; it looks at nothing else. Thirty-two bytes, as every
/// entry has one.
@usableFromInline
package struct EntryDetails: @unchecked Sendable {  // immutable, and the tie is `Sendable`
    /// The file of the registration.
    package let fileID: StaticString

    /// A number of the host's: where the observer runs.
    package let mode: UInt8

    private let traits: UInt8

    /// The line of the registration.
    package let line: UInt32

    /// An object of the host's that goes with the entry; `nil` for most entries.
    package let tie: AnyObject?

    /// - Parameters:
    ///   - fileID: The file of the registration.
    ///   - line: The line of the registration.
    ///   - mode: A number of the host's.
    ///   - tie: An object of the host's. It must be `Sendable`.
    ///   - hasOwner: Whether the host says by the tie when the entry has ended.
    ///   - isWatched: Whether posts that do not reach the entry have to notice that it has ended.
    @usableFromInline
    package init(
        fileID: StaticString, line: UInt32, mode: UInt8, tie: AnyObject? = nil, hasOwner: Bool = false,
        isWatched: Bool = false
    ) {
        self.fileID = fileID
        self.line = line
        self.mode = mode
        self.tie = tie
        traits = (hasOwner ? 1 : 0) | (isWatched ? 2 : 0)
    }

    package var hasOwner: Bool { traits & 1 != 0 }
    package var isWatched: Bool { traits & 2 != 0 }
}
