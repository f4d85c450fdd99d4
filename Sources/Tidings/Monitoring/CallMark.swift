import TidingsEngine

/// Whether marks are recorded. Set when a monitor is attached or an inspector is created. Accesses are relaxed, because
/// a call that doesn't see the change yet only loses a mark.
@usableFromInline package let marksAreKept = AtomicByte(false)

/// The last step that a running call has named with ``mark(_:fileID:line:)``. It shows where a call hangs.
public struct CallMark: Hashable, Sendable {
    /// The name of the step.
    public let name: String

    /// The file and line at which the step was named.
    public let place: SourcePlace

    /// How long ago the call named the step, with a precision of a few milliseconds.
    public let age: Duration
}

extension CallMark: CustomStringConvertible {
    /// The name and the line, such as `"waiting for the bank" (Shop/Checkout.swift:41)`.
    public var description: String { "\"\(name)\" (\(place))" }
}
