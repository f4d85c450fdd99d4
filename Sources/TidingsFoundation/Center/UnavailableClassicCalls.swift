public import Foundation

// The most common methods of Foundation's API. They are unavailable on a typed center, and the compiler's message shows
// the replacement. On Foundation's center, the compiler prefers the methods of `NotificationCenter`.

extension TypedNotificationCenter {
    /// Unavailable: a typed center uses types instead of names.
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

    /// Unavailable: a typed center uses types instead of names.
    @available(
        *, unavailable,
        message:
            "a typed center has no names; declare 'struct Changed: TypedNotification { … }', with properties for the values in the userInfo, and write 'post(Changed(…))'"
    )
    public func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
        preconditionFailure("unavailable")
    }
}

#if canImport(ObjectiveC)
    extension TypedNotificationCenter {
        /// Unavailable: a typed center calls closures.
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
