#if OLDER_SYSTEMS
    // A closure's type with its isolation, as the argument of a generic type, takes a runtime that knows it: that of macOS 15 and
    // iOS 18, not of the oldest systems. Only one of the two types can be there: between two, the compiler would no longer find out
    // that a closure is Sendable.
    extension Delivery where Handler == @Sendable (Notification) async throws -> Void {
        /// In a task of its own, some time after the post: `{ note in await … }`.
        ///
        /// The closure takes the notification, and may await and throw. It runs where it is isolated: one that is marked with a global
        /// actor runs there, and goes there for each notification.
        @inline(__always)
        @inlinable public static var task: Self {
            Self(.task) { registration, handler in
                let calls = TurnCalls<Notification> { isolation, turn in
                    while let next = turn.next() {
                        await turn.perform(next, isolation: isolation) { try await handler.call(next.element) }
                        if !turn.goesOn() { break }
                    }
                }
                return registration.observe(calling: calls) { mailbox, observer in
                    await mailbox.run(isolatedTo: nil, observer)
                }
            }
        }
    }
#endif
