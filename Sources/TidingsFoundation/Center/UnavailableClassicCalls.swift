public import Foundation

// The commonest calls of classic code, on a center that has no names. Foundation's center has them as methods of its class, which the
// compiler prefers, so these only say what to write.

extension TypedNotificationCenter {
    /// Cannot be called: a typed center has types in the place of names.
    @available(
        *, unavailable,
        message:
            "a typed center has no names; declare 'struct Changed: TypedNotification {}', and write 'addObserver(for: Changed.self) { note in … }'"
    )
    @discardableResult
    public func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: a typed center has types in the place of names.
    @available(
        *, unavailable,
        message:
            "a typed center has no names; declare 'struct Changed: TypedNotification { … }', with what was in the userInfo, and write 'post(Changed(…))'"
    )
    public func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
        preconditionFailure("unavailable")
    }
}

#if canImport(ObjectiveC)
    extension TypedNotificationCenter {
        /// Cannot be called: a typed center calls closures.
        @available(
            *, unavailable,
            message:
                "a typed center calls closures; write 'addObserver(self, on: .main, for: Changed.self) { me, note in me.changed(note) }'"
        )
        public func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?) {
            preconditionFailure("unavailable")
        }
    }
#endif
