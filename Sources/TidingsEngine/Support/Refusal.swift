import CTidingsSystem

/// What the closure of a conditional entry tells the post that calls it: whether its condition refused the payload, so that the
/// call does not count.
///
/// A closure returns nothing, and between it and the post there may be the closures of centers that forward. All of them run on
/// the thread of the post, so the answer is noted there, and the post reads it when the call has returned. A post inside the
/// call leaves notes of its own, so the closure's is the last.
@usableFromInline
package enum Refusal {
    /// Whether the last call of a conditional entry on this thread was refused.
    @usableFromInline
    package static var isNoted: Bool {
        get { tidings_is_refused() }
        set { tidings_set_refused(newValue) }
    }

    /// Makes a call if the condition is met, and notes whether it was refused.
    ///
    /// - Parameters:
    ///   - isMet: Whether the condition is met.
    ///   - body: The call.
    @usableFromInline
    package static func perform(if isMet: Bool, _ body: () -> Void) {
        if isMet { body() }
        isNoted = !isMet
    }
}
