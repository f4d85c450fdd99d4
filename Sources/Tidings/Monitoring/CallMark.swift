import TidingsEngine

/// Whether the marks of running calls are kept, because a monitor was attached or an inspector created. Relaxed: if a
/// mark misses the store, later marks are kept.
@usableFromInline package let marksAreKept = AtomicByte(false)

/// The last step that a running call has named, which shows where a call hangs. See ``mark(_:fileID:line:)``.
public struct CallMark: Hashable, Sendable {
    /// The name of the step.
    public let name: String

    /// The line of source that named it.
    public let place: SourcePlace

    /// How long ago the call named it, to a few milliseconds.
    public let age: Duration
}

extension CallMark: CustomStringConvertible {
    /// The name and the line, such as `"waiting for the bank" (Shop/Checkout.swift:41)`.
    public var description: String { "\"\(name)\" (\(place))" }
}
