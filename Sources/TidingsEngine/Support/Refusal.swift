import CTidingsSystem

/// Records whether an observer's condition rejected the payload, so that the post doesn't count the call.
///
/// The closure of an observer has no return value. If its center forwards to another center, other closures without
/// return values wrap it. So the closure can't return the result of the condition to the post. All these closures run
/// on the thread of the post, so the result is stored in a thread-local variable that the post reads when the call has
/// returned. Posts inside the call also write the variable, but the closure writes it last.
@usableFromInline
package enum Refusal {
    @usableFromInline
    package static var isNoted: Bool {
        get { tidings_is_refused() }
        set { tidings_set_refused(newValue) }
    }

    @usableFromInline
    package static func perform(if isMet: Bool, _ body: () -> Void) {
        if isMet { body() }
        isNoted = !isMet
    }
}
