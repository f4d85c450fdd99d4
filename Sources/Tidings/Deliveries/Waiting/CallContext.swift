/// What a task knows about the asynchronous call that it is part of.
///
/// It is a task-local, so that tasks which inherit from the call know it too. Draining reads it, and so does what puts a
/// notification into a mailbox; a post does not.
@usableFromInline
struct CallContext: Sendable {
    @TaskLocal static var current: CallContext?

    /// The call.
    var call: Call?

    /// The delivery to which posts belong.
    var window: DeliveryWindow?
}

extension CallContext {
    /// The window to which a post belongs that is made now.
    @usableFromInline static var currentWindow: DeliveryWindow? { current?.window }

    /// Runs something that cannot be suspended as part of a turn of calls.
    @usableFromInline
    static func perform(_ call: Call, _ body: () -> Void) {
        $current.withValue(CallContext(call: call), operation: body)
    }

    /// Runs one call of a turn that a delivery waits for.
    @usableFromInline
    static func perform(_ call: Call, in scope: DeliveryScope, _ body: () -> Void) {
        let window = WaitGraph.update { $0.openCallWindow(in: scope) }
        $current.withValue(CallContext(call: call, window: window), operation: body)
        end(window, call, in: scope)
    }

    /// Runs a call that may be suspended.
    @usableFromInline
    static func perform(
        _ call: Call, in scope: DeliveryScope, isolation: isolated (any Actor)?, _ body: () async -> Void
    ) async {
        let window = scope == .none ? nil : WaitGraph.update { $0.openCallWindow(in: scope) }
        await $current.withValue(CallContext(call: call, window: window)) {
            // The closure runs where the isolation that it captures says.
            _ = isolation
            await body()
        }
        if let window { end(window, call, in: scope) }
    }

    private static func end(_ window: DeliveryWindow, _ call: Call, in scope: DeliveryScope) {
        WaitGraph.update { graph in
            graph.close(window)
            graph.leave(scope, call.mailbox, hasRun: true)
        }
    }
}
