import TidingsEngine

/// Set when a monitor is attached or an inspector is created. Relaxed, because a call that doesn't see the change yet
/// only loses a mark.
@usableFromInline package let marksAreKept = AtomicByte(false)

/// The last step that a running call has named with ``mark(_:fileID:line:)``. It shows where a call hangs.
public struct CallMark: Hashable, Sendable {
    /// The name of the step.
    public let name: String

    /// The line of source that named the step.
    public let place: SourcePlace

    /// How long ago the call named the step, to a few milliseconds.
    public let age: Duration
}

extension CallMark: CustomStringConvertible {
    /// The name and the line, such as `"waiting for the bank" (Shop/Checkout.swift:41)`.
    public var description: String { "\"\(name)\" (\(place))" }
}
