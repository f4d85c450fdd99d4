extension WaitGraph {
    /// Puts a call into the scope of an open window, as it is put into a mailbox.
    @usableFromInline
    static func enter(_ window: DeliveryWindow, mailbox: ObjectIdentifier) -> DeliveryScope {
        update { $0.enter(window, mailbox) }
    }

    /// Notes that a call of a scope will not run.
    @usableFromInline
    static func discard(in scope: DeliveryScope, mailbox: ObjectIdentifier) {
        update { $0.leave(scope, mailbox, hasRun: false) }
    }
}
